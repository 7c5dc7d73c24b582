"""A program is compared with the cases: right answers pass, wrong ones are named."""

import json

import numpy as np
import pytest

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


@pytest.mark.parametrize(
    ("weight", "expected"), [(None, 2 / 3), ([1.0, 2.0, 5.0], 3 / 8)]
)
def test_the_example_is_the_weight_of_the_hits(weight, expected):
    """Of two equal probabilities the first class is chosen."""
    p = [[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]
    result = compare_program.accuracy([1, 0, 1], p, weight)
    assert result == pytest.approx(expected)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two cases, of which the first has weights, and a file that is none."""
    definitions = [{"id": "exact", "tolerance": 0}, {"id": "loose", "tolerance": 1e-3}]
    case = {"y": [0, 1], "p": [[1.0, 0.0], [0.25, 0.75]]}
    values = {"exact": 2.0, "loose": "1000", "not answered": 3.0}
    files = {
        "definitions": {"definitions": definitions},
        "01-first": case | {"name": "first", "values": values, "weight": [1, 3]},
        "02-second": case | {"name": "second", "values": values | {"exact": 0.0}},
        "more-cases": case | {"name": "none", "values": values},
    }
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    monkeypatch.setattr(compare_program, "cases_folder", lambda: tmp_path)


def test_a_function_gets_labels_rows_and_weights_of_each_case(folder):
    given = []
    answers = {"exact": lambda *case: given.append(case)}  # None: it does not apply
    assert [*compare_program.differences(answers)] == []
    assert given == [([0, 1], [[1, 0], [0.25, 0.75]], w) for w in ([1, 3], None)]


@pytest.mark.parametrize(
    ("name", "answer", "tolerance", "cases"),
    [
        ("exact", 2.0, 1e-9, ["second"]),
        ("exact", 2 + 1e-9, 1e-9, ["second"]),
        ("exact", 2 + 3e-9, 1e-9, ["first", "second"]),
        ("exact", 1e-10, 1e-9, ["first"]),  # of zero the tolerance is absolute
        ("exact", 1e-8, 1e-9, ["first", "second"]),
        ("exact", 1e-8, 1e-7, ["first"]),
        ("loose", 1000.9, 1e-9, []),
        ("loose", 1001.1, 1e-9, ["first", "second"]),
        ("loose", 1001.1, 1e-2, []),
    ],
)
def test_an_answer_differs_beyond_the_tolerance_of_its_definition(
    folder, name, answer, tolerance, cases
):
    found = [*compare_program.differences({name: lambda *_: answer}, tolerance)]
    assert [case for case, *_ in found] == cases
    assert all(row[1] == name and row[3] == answer for row in found)
    if name == "loose":
        assert all(row[2] == "1000" for row in found)
