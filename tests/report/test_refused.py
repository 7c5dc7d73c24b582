"""Input of the application that once gave a foreign error, or took long."""

import time

import numpy as np
import pytest

import calib
import calib_report
from calib_report.table import read

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((200, 3))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)


class Raises:
    def __array__(self, *_, **__):
        raise KeyError("from __array__")


REFUSED = {
    "what is no accumulator": (
        lambda: calib_report.Accumulator().merge(3),
        "other: int, expected an",
    ),
    "a batch that is no array": (
        lambda: calib_report.Accumulator().update(Raises(), P),
        "not an array",
    ),
    "classes before any batch": (lambda: calib_report.Accumulator().n_classes, "no samples yet"),
    "errors before any batch": (lambda: calib_report.Accumulator().by_class(), "no samples yet"),
    "a number and a letter": (
        lambda: calib_report.read({"y": [0, 1], "probs": [["90a", "10%"], ["0.1", "0.9"]]}),
        "row 0 of 'probs' is '90a', expected a number",
    ),
    "a verdict that is blank": (
        lambda: calib_report.read({"confidence": [0.9, 0.5], "correct": np.array(["", "yes"])}),
        "row 0 of 'correct': '' says neither right nor wrong",
    ),
    "a task that is none": (
        lambda: calib_report.ModelOutputs(Y, logits=Z, task="l1"),
        "task: 'l1', expected one of",
    ),
    "groups of fewer samples": (
        lambda: calib_report.ModelOutputs(Y, logits=Z, groups={"ward": [1, 2]}),
        r"ward: shape \(2,\), expected \(200,\)",
    ),
    "a single score": (
        lambda: calib_report.read({"logits": np.inf, "y": Y}),
        "none has a name that says the logits",
    ),
    "labels in no file": (
        lambda: calib_report.read({"logits": Z}, labels=3),
        "labels: 3, expected the path of a file",
    ),
    "a flag that is none": (
        lambda: calib_report.read({"logits": Z, "y": Y}, multilabel="no"),
        "multilabel: 'no', expected True or False",
    ),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_is_refused_by_name(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


@pytest.mark.slow
def test_a_wide_csv_is_read_quickly(tmp_path):
    names = ",".join(f"class{k}" for k in range(20_000))
    (tmp_path / "wide.csv").write_text(f"y,{names}\n0" + ",0.5" * 20_000)
    start = time.process_time()
    assert read(tmp_path / "wide.csv", kind="logits").known.shape == (1, 20_000)
    assert time.process_time() - start < 3
