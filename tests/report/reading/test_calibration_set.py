"""The calibration set of a file: what is said of it, and its errors."""

import numpy as np
import pytest
from refusals import refuses
from typed import typed

from calib_report.columns.samples import Samples
from calib_report.contract import ReadingError
from calib_report.options import Options
from calib_report.reading.calibration_set import CalibrationSet
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


def set_of(text, **rows):
    """A calibration set, whose columns begin with the word `val` in their file."""
    columns = typed(text)
    return CalibrationSet(
        columns, {name: f"val_{name}" for name in columns}, Options(**rows)
    )


@pytest.mark.parametrize(
    ("names", "y", "scores"),
    [
        ("gold prob x", "gold", "prob"),
        ("gold label prob", None, "prob"),
        ("gold prob_a prob_b", "gold", None),
        ("x w", None, None),
    ],
)
def test_the_only_column_that_is_called_so_is_label_or_score(names, y, scores):
    chosen = set_of(names + "; 1" + " 1" * names.count(" ")).chosen()
    assert (chosen.y, chosen.scores) == (y, scores)


def test_rows_of_the_set_are_chosen_by_its_own_options():
    chosen = set_of("y p site; 0 .1 a; 1 .2 b", where=("site=b",)).chosen()
    assert chosen.named["p"].tolist() == [0.2]


@pytest.mark.parametrize(
    ("suggestion", "in_the_file"),
    [
        ({"leave_out_empty": ("y",)}, {"leave_out_empty": ("val_y",)}),
        ({"labels_from": 1}, {"labels_from": 1}),
        ({"positive": "a", "pairs": False}, {"positive": "a", "pairs": False}),
        # what names other columns is of the samples to judge
        ({"y": "gold"}, None),
        ({"ignore": ("id",)}, None),
        ({"predicted": None, "positive": "a"}, None),
        ({"where": ("a=1",), "labels_from": 1}, None),
    ],
)
def test_of_what_an_error_of_the_set_suggests_that_is_kept_which_can_be_typed(
    suggestion, in_the_file
):
    with pytest.raises(ReadingError) as caught, set_of("y p; 0 .1").naming_errors():
        raise ReadingError("it is odd", suggestion, {"kind": "logits"})
    kept = () if in_the_file is None else (in_the_file,)
    assert caught.value.suggestions == (*kept, {"kind": "logits"})
    assert caught.value.problem.endswith("(--ignore NAME leaves it out): it is odd")


@pytest.mark.parametrize("task", ["classes", "pairs"])
def test_what_is_said_of_the_samples_holds_for_the_set_by_its_own_names(task):
    samples = Samples(np.zeros(2), np.zeros(2), "gold", ("p",), ("a", "b"), task=task)
    options = Options(y="gold", scores="p", positive="a", groups=("g",), atol=0.01)
    same = set_of("p y; .1 0", leave_out_empty=("y",)).options_like(samples, options)
    assert (same.y, same.scores) == (None, "p")
    assert (same.positive, same.atol, same.groups) == ("a", 0.01, ())
    assert same.leave_out_empty == ("y",)
    assert same.classes == (("a", "b") if task == "classes" else None)


HELD = {
    "y": Y[:60],
    "p": P[:60],
    "calibration_y": Y[60:],
    "calibration_logits": LOGITS[60:],
}


REFUSED = {
    "another kind of scores": (HELD, {}, "it holds logits of 3, the other probabilities of 3"),
}  # fmt: skip
test_sets_that_are_not_clear_are_refused = refuses(REFUSED)
