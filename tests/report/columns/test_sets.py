"""Which arrays are of a set to fit maps on, and which rows of it are read."""

import numpy as np
import pytest

from calib_report.columns.sets import without_word
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import LOGITS, P, Y


def test_a_calibration_set_comes_along():
    sets = {"y": Y[:60], "logits": LOGITS[:60], "calibration_y": Y[60:]}
    held = read(sets | {"calibration_logits": LOGITS[60:]}).calibration
    np.testing.assert_allclose(held.prob, P[60:])
    assert held.y.tolist() == Y[60:].tolist()


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
