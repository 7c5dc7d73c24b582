"""The calibration set of a file: what is said of it, and its errors."""

import numpy as np
import pytest
from refusals import refusal

from calib_report.contract import ReadingError
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import LOGITS, NAMES, TOP, YES, P, Y


def test_a_calibration_set_of_the_samples_themselves_is_refused():
    with pytest.raises(
        ReadingError, match="of 120 rows of the samples stand in it too"
    ):
        read({"y": Y, "p": P, "val_y": Y, "val_p": P}, calibration="val")


WORDS = np.array(NAMES)


HALVES = {"y": Y[:60], "p": P[:60], "val_y": Y[60:], "val_p": P[60:]}


MASKED = {
    name: np.where(np.arange(60) == 9, -100, HALVES[name]) for name in ("y", "val_y")
}


ON_FIRST = {"p": P[:60].T, "val_p": P[60:].T}


ANSWERS = {
    "label": WORDS[Y[:60]],
    "conf": TOP[:60],
    "pred": WORDS[P.argmax(axis=1)[:60]],
    "val_label": WORDS[Y[60:]],
    "val_conf": TOP[60:],
    "val_pred": WORDS[P.argmax(axis=1)[60:]],
}


OF_BOTH_SETS = {
    "a mask": (HALVES | MASKED, {"ignore_index": -100}, 59),
    "an axis": (HALVES | ON_FIRST, {"class_axis": 0}, 60),
    "answers": (ANSWERS, {"y": "label", "scores": "conf", "predicted": "pred"}, 60),
}


@pytest.mark.parametrize("name", OF_BOTH_SETS)
def test_options_hold_for_the_calibration_set_too(name):
    sets, options, n = OF_BOTH_SETS[name]
    calibration = read(sets, **options, calibration="val").calibration
    alone = {key.removeprefix("val_"): sets[key] for key in sets if "val_" in key}
    expected = read(alone, **options)
    assert len(calibration) == n
    np.testing.assert_array_equal(calibration.prob, expected.prob)
    assert calibration.y.tolist() == expected.y.tolist()


def test_an_error_of_the_calibration_set_names_what_can_be_typed():
    begins = "calibration set \\(--ignore NAME leaves it out\\): "
    with pytest.raises(
        ReadingError, match=begins + ".*left out by: --ignore-index=-100$"
    ):
        read(HALVES | {"val_y": MASKED["val_y"]}, calibration="val")
    hole = HALVES | {"val_y": np.where(np.arange(60) == 9, np.nan, Y[60:])}
    with pytest.raises(ReadingError, match=begins + ".*by: --leave-out-empty val_y$"):
        read(hole, calibration="val")
    outputs = read(hole, calibration="val", leave_out_empty="val_y")
    assert (len(outputs), len(outputs.calibration)) == (60, 59)
    answers = {"y": YES[:60], "val_y": np.where(YES[60:] == YES[60], YES[60:], np.nan)}
    questions = read(HALVES | answers, calibration="val", leave_out_empty="val_y")
    assert len(questions.calibration) == np.isfinite(answers["val_y"]).sum()
    without = read(hole, calibration="val", ignore=["val_y", "val_p"])
    assert without.calibration is None and len(without) == 60


HELD = {
    "y": Y[:60],
    "p": P[:60],
    "calibration_y": Y[60:],
    "calibration_logits": LOGITS[60:],
}


REFUSED = {
    "another kind of scores": (HELD, {}, "it holds logits of 3, the other probabilities of 3"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)
