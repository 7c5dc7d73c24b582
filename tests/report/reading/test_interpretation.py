"""A reading: its rows as they are understood."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typed import typed

from calib_report import propose, read
from calib_report.arrays import Arrays
from calib_report.contract import ReadingError
from calib_report.model_outputs import ModelOutputs
from calib_report.options import Options
from calib_report.reading.interpretation import (
    _refuse_another_kind,
    interpret,
    naming,
)

AGED = "label p_a p_b age; a .9 .1 3; b .2 .8 4"
OF_ANSWERS = {"y": "gold", "scores": "conf", "predicted": "pred"}


def reading_of(text, **options):
    return interpret(Arrays(typed(text)), Options(**options))


@pytest.mark.parametrize(
    ("text", "options", "label", "scores", "left_out"),
    [
        (AGED, {}, "label", "p_a p_b", "age"),
        (AGED, {"groups": ("age",)}, "label", "p_a p_b", ""),
        (AGED, {"clusters": ("age",)}, "label", "p_a p_b", ""),
        (AGED, {"ignore": ("age",)}, "label", "p_a p_b", "age"),
        ("id label p_a p_b; k a .9 .1; l b .2 .8", {}, "label", "p_a p_b", ""),
        ("gold conf pred u; a .9 a 1; b .6 a 2", OF_ANSWERS, "gold", "conf", "u"),
        ("a b p_a p_b; 0 1 .9 .1; 1 0 .6 .4", {"y": "a,b", "scores": "p_"}, "a,b", "p_a p_b", ""),
    ],
)  # fmt: skip
def test_a_reading_tells_what_it_uses_and_what_it_leaves_out(
    text, options, label, scores, left_out
):
    reading = reading_of(text, **options)
    assert (reading.label, " ".join(reading.scores)) == (label, scores)
    assert " ".join(reading.left_out) == left_out


def test_the_command_gives_the_reading_again():
    table = "gold conf pred; a .9 a; b .6 a"
    reading = reading_of(table, **OF_ANSWERS)
    command = "calib report 'a file.csv' --y gold --scores conf --predicted pred"
    assert reading.command("report", "a file.csv") == command


def test_rows_of_questions_name_the_label_that_is_asked():
    reading = reading_of("a b p_a p_b; 0 1 .9 .3; 1 1 .6 .4", y="a,b", scores="p_")
    assert reading.rows(2) == [
        "row 0: says 'a' with 0.9, and the label is no",
        "row 1: says 'b' with 0.3, and the label is yes",
    ]
    # no more than there are, and three unless more are asked for
    assert len(reading.rows(9)) == 4 and len(reading.rows()) == 3


def test_notes_stand_in_the_order_in_which_a_file_is_read():
    columns = "label split p_a p_b; a x .9 .1; b x .2 .8; b z .2 .8"
    sets = {f"val_{name}": array for name, array in typed(columns).items()}
    options = Options(where=("split=x", "val_split=z"), calibration="val")
    arrays = Arrays(typed(columns) | sets)
    notes = [note.text for note in interpret(arrays, options).outputs.notes]
    assert notes == [
        "Read are 2 of 3 rows, where 'split' is 'x'.",
        "Calibration set: Read are 1 of 3 rows, where 'split' is 'z'.",
        "Columns that were left out: 'split'.",
    ]


SETS = "label p_a p_b {}; a .912345 .087655 x; b .212345 .787655 x; a .712345 .287655 z"
SET_OF_LOGITS = {"val_label": np.array(["a", "b"]), "val_logits": 2 * np.eye(2)}
SAME_ROWS = {f"val_{name}": array for name, array in typed(SETS.format("age")).items()}


@pytest.mark.parametrize(
    ("column", "others", "options", "message"),
    [
        # what stands beside speaks against it
        ("run", {}, {}, "'run' parts the rows into"),
        # the calibration set holds other scores, or these samples
        (
            "age",
            SET_OF_LOGITS,
            {"calibration": "val"},
            "it holds logits of 2, the other",
        ),
        (
            "age",
            SAME_ROWS,
            {"calibration": "val"},
            "3 of 3 rows of the samples stand in it",
        ),
    ],
)
def test_what_speaks_against_a_reading_is_looked_for(column, others, options, message):
    text = SETS.format(column) + ("; b .4 .6 z" if column == "run" else "")
    arrays = Arrays(typed(text) | others)
    with pytest.raises(ReadingError, match=message):
        interpret(arrays, Options(**options))


def test_names_of_classes_are_no_column_that_is_left_out():
    named = {
        "classes": np.array(["a", "b"]),
        "y": np.array([0, 1]),
        "logits": 2 * np.eye(2),
    }
    reading = interpret(Arrays(named), Options())
    assert reading.left_out == () and reading.outputs.names == ["a", "b"]


@pytest.mark.parametrize("clusters", [(), ("patient",)])
def test_copies_are_clusters_unless_these_are_said(clusters):
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1, 1], size=60).repeat(2, axis=0)
    table = {
        "label": rng.integers(3, size=60).repeat(2),
        "patient": np.arange(120) // 3,
    }
    table |= {f"p_{k}": p[:, k] for k in range(3)}
    outputs = interpret(Arrays(table), Options(clusters=clusters)).outputs
    assert len(np.unique(outputs.clusters)) == (40 if clusters else 60)
    notes = " ".join(note.text for note in outputs.notes)
    assert ("rows repeat another" in notes) == (not clusters)


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
    with pytest.raises(ReadingError, match=r"^a\.npz: none$"), naming(Path("a.npz")):
        raise ReadingError("none")
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
def test_a_calibration_set_has_the_same_scores_and_classes(scores, message):
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
