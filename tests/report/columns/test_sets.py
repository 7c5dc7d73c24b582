"""Which arrays are of a calibration set, and which rows of it are read."""

import numpy as np
import pytest

from calib_report.columns.sets import (
    names_in_file,
    row_options_of_sets,
    sets_of,
    without_word,
)
from calib_report.options import Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import LOGITS, P, Y


def test_a_calibration_set_comes_along():
    sets = {"y": Y[:60], "logits": LOGITS[:60], "calibration_y": Y[60:]}
    calibration = read(sets | {"calibration_logits": LOGITS[60:]}).calibration
    np.testing.assert_allclose(calibration.prob, P[60:])
    assert calibration.y.tolist() == Y[60:].tolist()


HALVES = {"y": Y[:60], "p": P[:60], "val_y": Y[60:], "val_p": P[60:]}


@pytest.mark.parametrize("n", [60, 40])
def test_rows_are_chosen_of_the_set_whose_column_is_named(n):
    site = np.array(["a", "b", "b"] * 20)
    sets = (
        HALVES
        | {"val_y": Y[-n:], "val_p": P[-n:]}
        | {"site": site, "val_site": site[:n]}
    )
    outputs = read(sets, where="site=a", calibration="val")
    assert (len(outputs), len(outputs.calibration)) == (20, n)
    outputs = read(sets, where="val_site=b", calibration="val")
    n_chosen = int((site[:n] == "b").sum())
    assert (len(outputs), len(outputs.calibration)) == (60, n_chosen)
    note = f"Calibration set: Read are {n_chosen} of {n} rows, where 'site' is 'b'."
    assert note in map(str, outputs.notes)


@pytest.mark.parametrize(
    ("name", "inner"),
    [
        ("val_y", "y"),
        ("y.val", "y"),
        ("val.p_0", "p_0"),
        ("validity", None),
        ("interval", None),
        ("y_val_p", None),
    ],
)
def test_the_word_of_a_set_begins_or_ends_a_name(name, inner):
    assert without_word(name, "val") == inner


def test_a_set_without_scores_is_none():
    sets = {"y": Y, "p": P, "calibration_y": Y}
    assert read(sets).calibration is None


@pytest.mark.parametrize(
    ("names", "options", "tests", "calibration"),
    [
        ("y p calibration_y calibration_p", {}, "y p", "y p"),
        ("y p y_calibration p.calibration", {}, "y p", "y p"),
        # without scores, or of neither role, it is no set
        ("y p calibration_y", {}, "y p calibration_y", ""),
        ("y p calibration_y calibration_date", {}, "y p calibration_y calibration_date", ""),
        ("y p calibration_y calibration_p calibration_date", {}, "y p calibration_date", "y p"),
        # a word that is typed takes all that begins or ends so
        ("y p val_y val_p val_date", {"calibration": "val"}, "y p", "y p date"),
        ("y p val_y val_p", {}, "y p val_y val_p", ""),
        ("y s val_y val_s", {"calibration": "val", "scores": "s"}, "y s", "y s"),
        ("y s val_y val_s", {"calibration": "val", "scores": "t"}, "y s val_y val_s", ""),
        ("y p val_y val_p val_x", {"calibration": "val", "ignore": ("val_x",)}, "y p val_x", "y p"),
    ],
)  # fmt: skip
def test_a_calibration_set_is_told_by_the_word_of_its_names(
    names, options, tests, calibration
):
    arrays = {name: np.arange(2) for name in names.split()}
    judged, fitted = sets_of(arrays, Options(**options))
    assert (list(judged), list(fitted)) == (tests.split(), calibration.split())


def test_an_array_of_a_set_has_one_name_in_it_and_one_in_the_file():
    arrays = {name: np.arange(2) for name in ("y", "p", "y_val", "val_p", "val_x")}
    options = Options(calibration="val")
    _, calibration = sets_of(arrays, options)
    full_names = names_in_file(calibration, arrays, options)
    assert full_names == {"y": "y_val", "p": "val_p", "x": "val_x"}


@pytest.mark.parametrize(
    ("typed", "of_tests", "of_set"),
    [
        (("site=a",), ("site=a",), ()),
        (("val_site=a", "site=b"), ("site=b",), ("site=a",)),
        (("val_ward=a",), ("val_ward=a",), ()),  # no column of the set
    ],
)
def test_a_condition_and_an_empty_column_are_of_the_set_that_they_name(
    typed, of_tests, of_set
):
    calibration = {"site": np.arange(2), "y": np.arange(2)}
    options = Options(where=typed, calibration="val", groups=("g",))
    tests, of_calibration = row_options_of_sets(calibration, options)
    assert (tests.where, of_calibration.where) == (of_tests, of_set)
    assert tests.groups == ("g",) and of_calibration.groups == ()
    names = tuple(text.partition("=")[0] for text in typed)
    options = Options(leave_out_empty=names, calibration="val")
    tests, of_calibration = row_options_of_sets(calibration, options)
    assert tests.leave_out_empty == tuple(t.partition("=")[0] for t in of_tests)
    assert of_calibration.leave_out_empty == tuple(t.partition("=")[0] for t in of_set)
