"""Which class the name of a column bears."""

import numpy as np
import pytest
from combined_files import MARGIN
from refusals import refusal

from calib_report.columns.score_columns import (
    ScoreColumns,
    families,
    family_of,
    in_order_of_classes,
    trailing_numbers,
)


def test_columns_are_in_the_order_of_numbers_and_of_names_as_they_stand():
    numbered = in_order_of_classes({"10": "p10", "2": "p2", "1": "p1"}, None)
    assert numbered.columns == ("p1", "p2", "p10")
    named = in_order_of_classes({"dog": "p_dog", "cat": "p_cat"}, "logits")
    assert named == ScoreColumns(("p_dog", "p_cat"), ("dog", "cat"), "logits")


def test_of_two_labels_one_column_of_probabilities_will_do():
    """The label that the column bears is the second class: the score is of it."""
    one = family_of({"sick": "p_sick"}, ["sick", "well"], "probabilities")
    assert one == ScoreColumns(("p_sick",), ("well", "sick"), "probabilities")
    assert family_of({"sick": "p_sick"}, ["sick", "well"], "logits") is None
    assert family_of({"ill": "p_ill"}, ["sick", "well"], "probabilities") is None
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


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)
