"""A reading: its rows as they are understood."""

import pandas as pd
import pytest

from calib_report import propose, read
from calib_report.contract import ReadingError
from calib_report.model_outputs import ModelOutputs
from calib_report.reading.interpretation import _refuse_another_kind, naming


def test_a_row_has_one_number_in_a_reading_and_in_an_error():
    confidence = [0.91, 0.72, 0.83] * 40
    table = pd.DataFrame({"confidence": confidence, "correct": [1, 0, 1] * 40})
    (reading,) = propose(table)
    assert reading.rows()[2] == "row 2: says it is right with 0.83, and is right"
    with pytest.raises(ValueError, match=r"row 2\b"):
        read({**table, "confidence": ["0.91", "0.72", "high"] * 40})


def test_rows_are_told_as_they_are_understood():
    (reading, *_) = propose(
        pd.DataFrame({"ill": ["yes", "no"] * 20, "score": [0.8, 0.3] * 20})
    )
    assert reading.rows(2) == [
        "row 0: says yes with 0.8, the label is yes: right",
        "row 1: says no with 0.7, the label is no: right",
    ]
    assert (reading.accuracy, reading.mean_confidence) == (1, pytest.approx(0.75))


def test_an_error_names_the_file_that_it_is_about():
    """Of two files the second puts its own name down, and what is outside leaves it."""
    with pytest.raises(ReadingError) as caught, naming("test.npz"):
        raise ReadingError("no labels")
    assert caught.value.source == "test.npz"
    with (
        pytest.raises(ReadingError) as caught,
        naming("test.npz"),
        naming("calibration.npz"),
    ):
        raise ReadingError("no labels")
    assert caught.value.source == "calibration.npz"
    with pytest.raises(ValueError, match=r"^test\.npz: too short$"), naming("test.npz"):
        raise ValueError("too short")
    # what is in memory has no name
    with pytest.raises(ValueError, match=r"^too short$"), naming({"y": [0, 1]}):
        raise ValueError("too short")


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            {"logits": [[0.5, 0.2, 0.1], [0.1, 0.5, 0.2], [0.3, 0.3, 0.9]]},
            "logits of 3",
        ),
        ({"probabilities": [[0.7, 0.3], [0.4, 0.6], [0.1, 0.9]]}, "probabilities of 2"),
    ],
)
def test_a_set_to_fit_maps_on_has_the_same_scores_and_classes(scores, message):
    test = ModelOutputs([0, 1, 1], logits=[[1.0, 0.0], [0.0, 1.0], [0.0, 2.0]])
    with pytest.raises(
        ReadingError, match=f"it holds {message}, the other logits of 2"
    ):
        _refuse_another_kind(ModelOutputs([0, 1, 1], **scores), test)
    _refuse_another_kind(test, test)


def test_columns_that_part_or_name_samples_are_not_left_out():
    table = pd.DataFrame(
        {"ill": ["yes", "no"] * 20, "score": [0.8, 0.3] * 20, "ward": ["a"] * 40}
    )
    assert propose(table)[0].left_out == ("ward",)
    assert propose(table, groups=["ward"])[0].left_out == ()
