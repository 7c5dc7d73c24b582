"""What in a file may be labels or scores, by names and values."""

import numpy as np
import pytest

from calib_report.columns.second_file import SECOND_LABELS
from calib_report.options import Options
from calib_report.proposing.clues import Clues

WORDS = np.array(["a", "b", "a", "b"])


def clues(options=None, **named):
    return Clues({name: np.array(a) for name, a in named.items()}, options or Options())


def test_scores_are_columns_of_numbers_that_name_no_sample():
    file = clues(
        margin=[0.1, 2, -1, 3],
        count=[3, 1, 2, 5],
        case_id=[7, 8, 9, 4],
        item_id=[0.5, 0.25, 1, 2],  # fractions number nothing
        answer=WORDS,
        right=[True, False, True, True],
        logits=np.eye(4),
    )
    assert file.columns_of_scores() == ["margin", "count", "item_id"]
    assert file.columns_of_scores("count") == ["margin", "item_id"]


def test_labels_are_told_by_the_contract_then_by_their_names_then_by_their_values():
    file = clues(kind=WORDS, test_gold=WORDS, gold=WORDS, label=WORDS, prediction=WORDS)
    assert file.columns_of_labels() == ["label", "test_gold", "gold", "kind"]


def test_few_words_or_small_whole_numbers_may_be_labels():
    """Of eight rows four different values at most; of three or fewer rows two."""
    file = clues(
        four=[0, 1, 2, 3] * 2,
        five=[0, 1, 2, 3, 4, 0, 1, 2],
        whole=[1.0, 2.0] * 4,
        large=[1000.0, 2.0] * 4,
        broken=[0.5, 1.0] * 4,
        row_id=[0, 1] * 4,
    )
    assert file.columns_of_labels() == ["four", "whole"]
    assert clues(two=[0, 1, 0]).columns_of_labels() == ["two"]
    assert clues(three=[0, 1, 2]).columns_of_labels() == []


def test_what_is_said_or_stands_in_a_second_file_is_the_label_alone():
    assert clues(Options(y="kind"), kind=WORDS, label=WORDS).columns_of_labels() == [
        "kind"
    ]
    assert clues(Options(y="gone"), label=WORDS).columns_of_labels() == []
    assert clues(label=WORDS, **{SECOND_LABELS: WORDS}).columns_of_labels() == [
        SECOND_LABELS
    ]


def test_labels_with_a_column_a_class_are_an_array():
    file = clues(labels=np.eye(4), label=WORDS, logits=np.eye(4))
    assert file.arrays_of_labels() == ["labels"]
    assert file.labels_occurring("label") == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "is_label"),
    [
        ("test_labels", True),
        ("labels_test", True),
        ("val.y", True),
        ("labels_val", True),
        ("y_train", False),  # a model was fitted on these
        ("odd_labels", False),
        ("labels_odd", False),
        ("test_odd", False),
        ("odd_test", False),
    ],
)
def test_labels_are_called_so_alone_or_with_the_word_of_a_set(name, is_label):
    """Of as many values as rows nothing looks like labels."""
    file = clues(**{name: [0.1, 0.2, 0.3, 0.4]})
    assert file.columns_of_labels() == ([name] if is_label else [])


def test_an_empty_column_is_no_label():
    assert clues(a=np.array([], int)).columns_of_labels() == []
