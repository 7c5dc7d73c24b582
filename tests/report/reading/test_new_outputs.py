"""Scores without labels."""

import numpy as np
import pandas as pd
import pytest
from typed import typed

from calib_report.arrays import Arrays
from calib_report.contract import Note, NotSaidError, ReadingError
from calib_report.options import Options
from calib_report.reading.new_outputs import new_outputs
from calib_report.reading.reader import arrays_of
from evidence.files_with_truth.samples import LOGITS, NAMES, TOP, prefixed


def test_new_outputs_need_no_labels(tmp_path):
    prefixed("logit_", values=LOGITS).assign(id=np.arange(120)).to_csv(
        tmp_path / "new.csv"
    )
    new = new_outputs(arrays_of(tmp_path / "new.csv"), Options(), NAMES)
    np.testing.assert_allclose(new.scores, LOGITS)
    assert (new.kind, new.classes) == ("logits", NAMES)
    assert new.columns == tuple(f"logit_{name}" for name in NAMES)
    pairs = Options(pairs=True)
    stated = new_outputs(
        arrays_of(pd.DataFrame({"confidence": TOP})), pairs, ["wrong", "right"]
    )
    assert (
        stated.classes == ["wrong", "right"]
        and stated.scores[:, 1].tolist() == TOP.tolist()
    )


def new(text, classes=("a", "b"), questions=False, kind=None, **options):
    arrays = Arrays(typed(text), kind=kind)
    return new_outputs(arrays, Options(**options), classes, questions)


PAIRS = ("wrong", "right")
WITH_ALL = "id label index p_a p_b; 7 a 0 .9 .1; 8 b 1 .2 .8"


@pytest.mark.parametrize(
    ("text", "options", "columns", "scores"),
    [
        ("p_a p_b; .9 .1; .2 .8", {}, "p_a p_b", [[0.9, 0.1], [0.2, 0.8]]),
        # labels, ids and an index that a file holds all the same are no scores
        (WITH_ALL, {}, "p_a p_b", [[0.9, 0.1], [0.2, 0.8]]),
        ("a b; 2 -1; 0 3", {"kind": "logits"}, "a b", [[2, -1], [0, 3]]),
        ("a b w; 2 -1 3; 0 3 4", {"ignore": ("w",), "kind": "logits"}, "a b", [[2, -1], [0, 3]]),
        # one column is of the second class
        ("s; .25; .5", {"scores": "s"}, "s", [[0.75, 0.25], [0.5, 0.5]]),
        ("z; -2; 4", {"scores": "z", "kind": "logits"}, "z", [[1, -1], [-2, 2]]),
    ],
)  # fmt: skip
def test_scores_of_a_table_without_labels(text, options, columns, scores):
    outputs = new(text, **options)
    assert outputs.columns == tuple(columns.split()) and outputs.classes == ["a", "b"]
    assert outputs.kind == options.get("kind", "probabilities")
    np.testing.assert_allclose(outputs.scores, scores)
    assert outputs.in_one_column == (len(outputs.columns) == 1)
    # only answers are right or wrong
    assert not new(text, **options, positive="0").of_wrong


def stated(column, **options):
    return {"scores": column, "pairs": True} | options


@pytest.mark.parametrize(
    ("text", "options", "is_turned"),
    [
        # the confidence, or the column that is said
        ("Confidence u; .75 .1; .5 .2", {}, False),
        ("conf; .75; .5", stated("conf"), False),
        ("log; .75; .5", stated("log"), False),
        # how doubtful an answer is, turned round
        ("Confidence; .75; .5", {"positive": "0"}, True),
        ("doubt; .75; .5", stated("doubt", positive="0"), True),
        ("doubt; .75; .5", stated("doubt", y="error", positive="1"), True),
        ("sure; .75; .5", stated("sure", y="error", positive="0"), False),
    ],
)
def test_a_map_of_answers_takes_one_column(text, options, is_turned):
    outputs = new(text, PAIRS, **options)
    assert outputs.of_wrong == is_turned and outputs.classes == [*PAIRS]
    right = outputs.scores[:, 0 if is_turned else 1]
    assert right.tolist() == [0.75, 0.5] and outputs.kind == "probabilities"


def test_the_kind_is_what_names_say_then_what_the_format_says():
    assert new("a b; 2 -1; 0 3", kind="logits").kind == "logits"
    assert new("p_a p_b; .9 .1; .2 .8", kind="logits").kind == "probabilities"


@pytest.mark.parametrize(
    ("kind", "cells", "scores"),
    [
        ("probabilities", ".9 .3; .2 .8", [[0.9, 0.3], [0.2, 0.8]]),
        ("logits", "2 -1; 0 3", [[2, -1], [0, 3]]),
    ],
)
def test_scores_of_questions_are_one_for_each(kind, cells, scores):
    outputs = new(f"a b; {cells}", ["no", "yes"], True, scores="a,b", kind=kind)
    np.testing.assert_allclose(outputs.scores, scores)


def test_a_map_of_answers_asks_for_the_confidence():
    with pytest.raises(NotSaidError, match="none is called 'confidence'") as caught:
        new("conf u stated_p; .9 .1 .2; .5 .2 .3", PAIRS)
    assert caught.value.suggestions == ({"scores": "conf"}, {"scores": "stated_p"})


@pytest.mark.parametrize("shape", [(2, 4, 3), (2, 3, 4)])
def test_places_of_a_sample_keep_their_axes(shape):
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1, 1], size=(2, 4))
    array = p if shape[-1] == 3 else np.moveaxis(p, -1, 1)
    options = Options(class_axis=None if shape[-1] == 3 else 1)
    outputs = new_outputs(Arrays({"probs": array}), options, ["a", "b", "c"])
    np.testing.assert_allclose(outputs.scores, p)
    assert not outputs.in_one_column


def test_a_confidence_is_a_probability_whatever_its_name():
    with pytest.raises(
        ReadingError, match=r"row 0 holds 1\.75, row 1 holds -0\.5, exp"
    ):
        new("log; 1.75; -.5", PAIRS, **stated("log"))
    # of a class it is asked what it is
    with pytest.raises(NotSaidError, match="nothing says what it is"):
        new("log; 1.75; -.5", scores="log")


def test_notes_are_those_of_the_file_and_of_its_scores():
    note = Note("of the file")
    arrays = Arrays(typed("p_a p_b; .333 .666; .2 .8"), notes=(note,))
    notes = new_outputs(arrays, Options(), ["a", "b"]).notes
    assert notes[0] == note and "divided by their sums" in notes[1].text
