"""Which class the name of a column bears."""

import numpy as np
import pytest
from combined_files import MARGIN
from refusals import refuses

from calib_report.columns.score_columns import (
    ScoreColumns,
    columns_with_classes,
    families,
    family_of,
    in_order_of_classes,
    trailing_numbers,
)
from calib_report.contract import ReadingError


def test_columns_are_in_the_order_of_numbers_and_of_names_as_they_stand():
    numbered = in_order_of_classes({"10": "p10", "2": "p2", "1": "p1"}, None)
    assert numbered.columns == ("p1", "p2", "p10")
    scores = in_order_of_classes({"dog": "p_dog", "cat": "p_cat"}, "logits")
    assert scores == ScoreColumns(("p_dog", "p_cat"), ("dog", "cat"), "logits")


def test_of_two_labels_one_column_of_probabilities_will_do():
    """The label that the column bears is the second class: the score is of it."""
    one = family_of({"sick": "p_sick"}, ["sick", "well"], "probabilities")
    assert one == ScoreColumns(("p_sick",), ("well", "sick"), "probabilities")
    assert family_of({"sick": "p_sick"}, ["sick", "well"], "logits") is None
    assert family_of({"ill": "p_ill"}, ["sick", "well"], "probabilities") is None
    two = {"sick": "p_sick", "ill": "p_ill"}
    assert family_of(two, ["sick", "well"], "probabilities") is None
    # which of two labels that differ in case alone is meant is not said
    assert family_of({"a": "p_a"}, ["a", "A"], "probabilities") is None


@pytest.mark.parametrize(
    ("names", "family"),
    [
        (["P (label=cat)", "P (label=dog)"], {"cat": "P (label=cat)", "dog": None}),
        (["cat_score", "dog_score", "hen_score"], {"hen": "hen_score"}),
        (["concat_1", "condog_1"], None),
    ],
)
def test_a_label_is_a_word_of_a_name_wherever_it_stands(names, family):
    found = families(names, ["cat", "dog"])
    if family is None:
        assert found == []
        return
    assert {*found[0].values()} == {*names} and {*family} <= {*found[0]}


def test_what_bears_no_label_is_left_out_of_columns_by_their_labels():
    scores = ScoreColumns(("p_a", "p_b", "p_max"), ("a", "b", "max"), "probabilities")
    assert scores.bearing(["b", "a"]).columns == ("p_a", "p_b")


def test_numbers_at_the_end_of_names_are_all_or_none():
    assert trailing_numbers(["x_3", "x_11"]) == [3, 11]
    assert trailing_numbers(["x_3", "x_max"]) == []


AB = ["a", "b"]


@pytest.mark.parametrize(
    ("names", "labels", "found"),
    [
        # numbers may stand between letters, and not beside another digit
        ("P1BAD P0BAD", "0 1", ["0=P0BAD 1=P1BAD"]),
        ("p_11 p_10", "1 0", []),
        ("p11 p01 p1 p0", "1 0", ["1=p1 0=p0 11=p11 01=p01"]),
        # words stand apart from letters
        ("pa pb", "a b", []),
        ("p.a.x p.b.x p.max.x", "a b", ["a=p.a.x b=p.b.x"]),
        # columns called as the labels are, whatever else there is
        ("a b c", "a b", ["a=a b=b"]),
        # each label has a column
        ("p_a p_c", "a b", []),
        ("p_a p_b q_a q_b", "a b", ["a=p_a b=p_b", "a=q_a b=q_b"]),
        ("p_a_1 p_b_1 p_c_2", "a b", ["a=p_a_1 b=p_b_1"]),
    ],
)
def test_a_family_begins_and_ends_alike_around_all_labels(names, labels, found):
    of_labels = families(names.split(), labels.split())
    assert [" ".join(f"{k}={v}" for k, v in one.items()) for one in of_labels] == found


@pytest.mark.parametrize(
    ("columns", "labels", "classes", "found"),
    [
        # as the names bear the classes that an option gives, else as they stand
        ("q_b q_a", AB, ["a", "b"], "q_a=a q_b=b"),
        ("u v", AB, ["a", "b"], "u=a v=b"),
        ("x_ab x_b", AB, ["b", "ab"], "x_b=b x_ab=ab"),
        ("x_a y_a", AB, ["a", "b"], "x_a=a y_a=b"),
        ("x_ab z", AB, ["b", "ab"], "x_ab=b z=ab"),
        # names of another number of classes are left to an error
        ("q_b q_a", AB, ["a", "b", "c"], "q_b=b q_a=a"),
        ("q_b q_a q_c", AB, None, "q_b=b q_a=a q_c=c"),
        ("u v", AB, None, "u=u v=v"),
        ("u v", ["0", "1"], None, "u=u v=v"),
        ("u v", ["1"], None, "u=u v=v"),
        ("c5 c7", ["5", "7"], None, "c5=5 c7=7"),
        ("u v w", ["1", "2"], None, None),
        ("u v w", ["2", "3"], None, "u=u v=v w=w"),
        ("u v w", ["1", "3"], None, "u=u v=v w=w"),
        ("u v w", ["0", "2"], None, "u=u v=v w=w"),
        ("u v w x", ["1", "3"], None, None),
        ("c_4 c_6 c_9", ["0", "2"], None, None),
        ("c_4 c_5 c_6", ["0", "2"], None, "c_4=c_4 c_5=c_5 c_6=c_6"),
    ],
)
def test_columns_that_are_named_bear_the_classes_of_their_names(
    columns, labels, classes, found
):
    columns = tuple(columns.split())
    if found is None:
        with pytest.raises(ReadingError, match="--classes A,B,C"):
            columns_with_classes(columns, labels, classes)
        return
    scores = columns_with_classes(columns, labels, classes)
    pairs = zip(scores.columns, scores.classes, strict=True)
    assert " ".join(map("=".join, pairs)) == found


def test_one_column_of_no_label_has_no_class_and_a_kind_is_what_all_say():
    assert columns_with_classes(("prob",), AB, None) == ScoreColumns(
        ("prob",), None, "probabilities"
    )
    assert columns_with_classes(("prob_a", "logit_b"), AB, None).kind is None
    assert columns_with_classes(("logit_a", "logit_b"), AB, None).kind == "logits"


@pytest.mark.parametrize(
    ("labels", "n_most"),
    [((0, 3), 4), ((1, 3), 3), ((2, 5), 6), ((-1, 1), 3), ((0, 1), 2)],
)
def test_columns_are_as_many_as_the_classes_that_labels_count(labels, n_most):
    """From 0 or 1, of which neither need occur: of 2 to 5 there are six classes."""
    codes = [*map(str, range(labels[0], labels[1] + 1))]
    columns = tuple("abcdefg"[: n_most + 1])
    scores = columns_with_classes(columns[:-1], codes, None)
    assert scores.columns == columns[:-1]
    with pytest.raises(ReadingError, match=f"--scores with {n_most} of them"):
        columns_with_classes(columns, codes, None)


REFUSED = {
    "more columns": (
        {
            "label": np.arange(len(MARGIN)) % 3,
            "a": MARGIN,
            "b": MARGIN,
            "c": MARGIN,
            "margin": MARGIN,
            "bias": MARGIN,
        },
        {"scores": "a,b,c,margin,bias"},
        "5 columns of scores, and labels from 0",
    ),
}
test_columns_of_scores_that_are_not_clear_are_refused = refuses(REFUSED)
