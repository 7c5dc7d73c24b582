"""A program is compared with the cases: right answers pass, wrong ones are named."""

import numpy as np

import calib
from evidence.conformance import compare_program


def closed_left(y, p, weight):
    """The ECE of the other side of each edge."""
    p, half = (
        np.array(p),
        np.float16(p),
    )  # rows of float16 sum to one only as such
    rows = half if (half == p).all() else p
    return calib.ece(y, rows, closed="left", sample_weight=weight)


def test_the_checker_finds_a_wrong_answer():
    result = compare_program.differences({"ece-right-15": closed_left})
    assert {case for case, *_ in result} >= {"fifteenths", "tenths"}
