"""Labels and scores of the samples in a file, and what stands beside them."""

import numpy as np
import pandas as pd
import pytest
from refusals import refuses
from typed import typed

from calib_report.arrays import Arrays
from calib_report.columns.labels_and_scores import (
    class_names_of,
    indexes,
    samples_of,
    stacked_scores,
    without_class_names,
)
from calib_report.columns.score_columns import ScoreColumns
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import ReadingError
from calib_report.options import Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import HIT, TOP, P, Y

ROLES = {"y": "gold", "scores": "conf"}
STATED, ANSWERS = "gold conf; 1 .9; 0 .6", "gold conf pred; a .9 a; b .6 a"
MASKED = "y p_0 p_1; 0 .9 .1; -1 .2 .8; 1 .3 .7"
NO_PAIRS, MARKS = {"pairs": False}, {"y": "a, b", "scores": "p"}


def of_table(text, options=(), **layout):
    """Samples of a table that is typed, whose format may give roles."""
    columns = typed(text)
    return samples_of(columns, Arrays(columns, **layout), Options(**dict(options)))


def test_labels_of_a_test_set_go_with_scores_of_no_set():
    outputs = read({"y_test": Y, "y_prob": P, "y_train": Y[:9]}, y="y_test")
    assert (
        outputs.y.tolist() == Y.tolist()
        and "left out: 'y_train'" in outputs.notes[0].text
    )


REFUSED = {
    "two questions": ({"label": HIT, "conf": TOP}, {"scores": "conf"}, "scores conf --no-pairs"),
    "a column with no name": (pd.DataFrame({"": TOP, "label": Y, "p": TOP}), {}, "has no name"),
    "several columns of pairs": ({"y": HIT, "p": P}, {"pairs": True}, "'p' is not one column"),
}  # fmt: skip
test_labels_and_scores_that_are_not_clear_are_refused = refuses(REFUSED)


@pytest.mark.parametrize(
    ("text", "options", "y", "columns", "classes", "task"),
    [
        ("label p_a p_b; a .9 .1; b .2 .8", {}, "label", "p_a p_b", "a b", "classes"),
        ("y x z; x 1 -2; z 0 3", {}, "y", "x z", "x z", "classes"),
        ("Correct Confidence; 1 .9; 0 .6", {}, "Correct", "Confidence", "", "pairs"),
        (STATED, ROLES | {"pairs": True}, "gold", "conf", "", "pairs"),
        (STATED, ROLES | NO_PAIRS, "gold", "conf", "", "classes"),
        (STATED, ROLES | {"positive": "1"}, "gold", "conf", "", "classes"),
        ("gold sc; 1 .9; 0 .6", {"y": "gold", "scores": "sc"}, "gold", "sc", "", "classes"),
        (ANSWERS, ROLES | {"predicted": "pred"}, "gold", "conf", "wrong right", "pairs"),
        (MASKED, {"ignore_index": (-1,)}, "y", "p_0 p_1", "0 1", "classes"),
        ("a b p; 0 1 .9; 1 0 .6", MARKS | NO_PAIRS, "a, b", "p", "", "classes"),
    ],
)  # fmt: skip
def test_names_and_options_say_what_is_label_and_what_is_score(
    text, options, y, columns, classes, task
):
    samples = of_table(text, options)
    assert (samples.y_name, samples.task) == (y, task)
    assert samples.columns == tuple(columns.split())
    assert (samples.classes or ()) == tuple(classes.split())


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("correct s; 1 .9; 0 .6", {"y": "correct", "scores": "s"}, "'s' may be .*, and 'correct'"),
        (STATED, ROLES, "--pairs, or --y gold --scores conf --no-pairs"),
        ("label x; 0.5 .9; 1 .6", {"scores": "x"}, "label: row 0 is '0.5': no class"),
        (ANSWERS, ROLES | {"predicted": "said"}, "predicted: there is no 'said'"),
        ("a b p; 0 1 .9; 1 0 .6", {"y": "a,c", "scores": "p"}, "y: there is no 'c'"),
    ],
)  # fmt: skip
def test_a_table_that_may_be_two_things_is_refused(text, options, message):
    with pytest.raises(ReadingError, match=message):
        of_table(text, options)


def test_labels_in_columns_are_one_array():
    samples = of_table("a b p q; 0 1 .9 .1; 1 0 .6 .4", {"y": "a,b", "scores": "p,q"})
    assert samples.y.tolist() == [[0, 1], [1, 0]]
    assert samples.scores.tolist() == [[0.9, 0.1], [0.6, 0.4]]


@pytest.mark.parametrize(
    ("layout", "options", "roles"),
    [
        ({}, {"y": "b", "scores": "d"}, ("b", "d")),
        ({"y": "a", "scores": "c"}, {}, ("a", "c")),
        ({"y": "a", "scores": "c"}, {"y": "b"}, ("b", "c")),
        ({"y": "a", "scores": "c"}, {"scores": "d"}, ("a", "d")),
    ],
)
def test_an_option_goes_before_what_the_format_says(layout, options, roles):
    samples = of_table("a b c d; 0 1 .9 .1; 1 0 .6 .4", options, **layout)
    assert (samples.y_name, *samples.columns) == roles


def test_labels_of_a_second_file_go_before_all_others():
    columns = typed("a c; 0 .9; 1 .6") | {SECOND_LABELS: np.array([1, 1])}
    samples = samples_of(columns, Arrays(columns, y="a"), Options(y="a", scores="c"))
    assert (samples.y_name, samples.y.tolist()) == (SECOND_LABELS, [1, 1])


def test_the_kind_is_what_names_say_then_what_the_format_says():
    logits = of_table("label logit_a logit_b; a 1 0; b 0 1", kind="probabilities")
    assert logits.kind == "logits"
    assert of_table("label a b; a 1 0; b 0 1", kind="logits").kind == "logits"


@pytest.mark.parametrize(
    ("text", "options", "kept"),
    [
        ("label p_a p_b age; a .9 .1 3; b .2 .8 4", {}, ["unused age"]),
        ("label p_a p_b age; a .9 .1 3; b .2 .8 4", {"ignore": ("age",)}, []),
        ("label p_a p_b age; a .9 .1 3; b .2 .8 4", {"groups": ("age",)}, ["groups age"]),
        ("id label p_a p_b; k a .9 .1; l b .2 .8", {}, ["ids id"]),
        ("index label p_a p_b; 0 a .9 .1; 1 b .2 .8", {}, []),
        ("index label p_a p_b; 3 a .9 .1; 3 b .2 .8", {}, ["unused index"]),
        ("label p_a p_b train_y; a .9 .1 3; b .2 .8 4", {"calibration": "val"}, []),
        ("label p_a p_b train_y; a .9 .1 3; b .2 .8 4", {}, ["unused train_y"]),
    ],
)  # fmt: skip
def test_what_is_neither_label_nor_score_stands_beside_them(text, options, kept):
    assert [" ".join(key) for key in of_table(text, options).side_columns] == kept


def test_only_what_has_an_entry_a_row_stands_beside():
    columns = typed("label p_a p_b; a .9 .1; b .2 .8; a .7 .3")
    others = {"id": np.array(["x", "y"]), "few": np.arange(2), "wide": np.eye(3)}
    samples = samples_of(columns | others, Arrays(columns), Options())
    assert samples.side_columns == {}
    # who names ids says that they are of these samples, and is told that they are not
    said = samples_of(columns | others, Arrays(columns), Options(ids=("id",)))
    assert list(said.side_columns) == [("ids", "id")]


def test_a_prediction_stands_beside_no_more():
    table = "gold conf pred age; a .9 a 3; b .6 a 4"
    samples = of_table(table, ROLES | {"predicted": "pred"})
    assert list(samples.side_columns) == [("unused", "age")]


def test_an_index_without_a_name_is_left_out_and_another_column_needs_one():
    indexed = typed("a label p_a p_b; 0 a .9 .1; 1 b .2 .8")
    indexed[""] = indexed.pop("a")
    assert indexes(indexed) == {""}
    assert samples_of(indexed, Arrays(indexed), Options()).side_columns == {}
    indexed[""] = np.array([5, 5])
    with pytest.raises(ReadingError, match="a column has no name, and does not count"):
        samples_of(indexed, Arrays(indexed), Options())
    ignored = samples_of(indexed, Arrays(indexed), Options(ignore=("",)))
    assert ignored.columns == ("p_a", "p_b") and ignored.side_columns == {}
    # one array of scores beside labels has no other name
    two = {"": np.eye(2), "label": np.array([0, 1])}
    assert samples_of(two, Arrays(two), Options(scores="")).columns == ("",)


@pytest.mark.parametrize(
    ("in_file", "classes", "said"),
    [
        (None, None, None),
        (["a", "b"], None, ("a", "b")),
        (None, ("a", "b"), ("a", "b")),
        (["a", "b"], ("a", "b"), ("a", "b")),
        (["0", "1"], ("a", "b"), ("a", "b")),  # names for numbers
    ],
)
def test_classes_are_named_by_an_option_or_in_the_file(in_file, classes, said):
    assert class_names_of(in_file, Options(classes=classes)) == said


@pytest.mark.parametrize("classes", [("b", "a"), ("a", "x")])
def test_names_in_another_order_or_of_which_some_are_others_are_refused(classes):
    with pytest.raises(ReadingError, match="the file names its classes 'a', 'b', not"):
        class_names_of(["a", "b"], Options(classes=classes))


def test_an_array_of_names_of_classes_is_no_column():
    arrays = {"classes": np.array(["a", "b"]), "p": np.eye(2)}
    others, in_file = without_class_names(arrays, Arrays(arrays))
    assert list(others) == ["p"] and in_file == ["a", "b"]
    # two axes are no names, and what stands alone is all that there is
    for alone in ({"classes": np.eye(2), "p": P}, {"classes": np.array(["a", "b"])}):
        kept, in_file = without_class_names(alone, Arrays(alone, classes=["x", "y"]))
        assert list(kept) == list(alone) and in_file == ["x", "y"]


def test_scores_are_stacked_a_column_a_class():
    arrays = typed("p q r; .1 .2 .7; .3 .3 .4") | {"m": np.eye(2)}
    assert stacked_scores(arrays, ScoreColumns(("r", "p"))).tolist() == [
        [0.7, 0.1],
        [0.4, 0.3],
    ]
    assert stacked_scores(arrays, ScoreColumns(("m",))).shape == (2, 2)
    with pytest.raises(ReadingError, match=r"'m' has the shape \(2, 2\), expected a"):
        stacked_scores(arrays, ScoreColumns(("p", "m")))


@pytest.mark.parametrize(
    ("text", "options", "columns"),
    [
        # without p_c rows sum to one, with it they do not: it is no class
        ("label p_a p_b p_c; a .9 .1 .9; b .2 .8 .8", {}, "p_a p_b"),
        ("label p_a p_b p_c; a .9 .1 .9; b .2 .795 .8", {}, "p_a p_b"),
        ("label p_a p_b p_c; a .9 .1 .9; b .2 .78 .8", {}, "p_a p_b p_c"),
        # a class that never occurs
        ("label p_a p_b p_c; a .8 .1 .1; b .2 .7 .1", {}, "p_a p_b p_c"),
        # neither way: what the scores are is refused later
        ("label p_a p_b p_c; a .9 .1 .9; b .2 .7 .8", {}, "p_a p_b p_c"),
        # both ways: all that is named as a class is one
        ("label p_a p_b p_c; a .9 .1 .01; b .2 .8 .01", {}, "p_a p_b p_c"),
        # logits have no sum
        ("label logit_a logit_b logit_c; a .9 .1 .9; b .2 .8 .8", {}, "logit_a logit_b logit_c"),
        # who names the columns means them
        ("label p_a p_b p_c; a .9 .1 .9; b .2 .8 .8", {"scores": "p_"}, "p_a p_b p_c"),
        ("label p_a p_b p_c; a 90 10 90; b 20 80 80", {"percent": 100.0}, "p_a p_b"),
        ("label p_a p_b p_c; a 80 10 10; b 20 70 10", {"percent": 100.0}, "p_a p_b p_c"),
    ],
)  # fmt: skip
def test_a_column_too_many_is_one_without_which_rows_sum_to_one(text, options, columns):
    assert of_table(text, options).columns == tuple(columns.split())
