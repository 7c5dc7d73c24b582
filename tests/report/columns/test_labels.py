"""Labels as numbers: names, numbers, and what looks like either."""

import numpy as np
import pytest
from combined_files import EVENT, P_EVENT
from refusals import refuses

from calib_report.columns.labels import (
    n_classes_counted,
    numbered_labels,
    refuse_regression,
    refuse_shifted,
)
from calib_report.contract import NotJudgedError, ReadingError
from calib_report.reading.reader import read
from calib_report.values import Column, texts
from evidence.files_with_truth.samples import NAMES, P, Y


def test_labels_are_names_or_numbers_of_classes():
    assert numbered_labels(np.array(["1", "0"]), None, 2, None, "y").tolist() == [1, 0]
    assert numbered_labels(
        np.array([1.0, 3.0]), ["1", "2", "3"], 3, None, "y"
    ).tolist() == [0, 2]
    assert numbered_labels(np.array([True, False]), None, 2, None, "y").tolist() == [
        1,
        0,
    ]
    assert texts(np.array([1.5, 2.0])).tolist() == ["1.5", "2.0"]
    with pytest.raises(
        ReadingError, match="row 0 is 'apple', the name of a class: leave out"
    ):
        numbered_labels(np.array(["apple", "pear"]), ["apple", "pear"], 2, 1, "y")


@pytest.mark.parametrize("labels", [np.array(["true", "false"])[1 - EVENT], EVENT == 1])
@pytest.mark.parametrize("classes", [["true", "false"], ["false", "true"]])
def test_classes_true_and_false_are_no_numbers(labels, classes):
    p = np.column_stack(
        [P_EVENT, 1 - P_EVENT] if classes[0] == "true" else [1 - P_EVENT, P_EVENT]
    )
    outputs = read({"y": labels, "probs": p, "classes": np.array(classes)})
    assert np.mean(outputs.prob.argmax(axis=1) == outputs.y) == np.mean(
        (P_EVENT > 0.5) == EVENT
    )


@pytest.mark.parametrize(
    ("codes", "n"),
    [([0, 3], 4), ([3, 1], 3), ([2, 5], 6), ([-1, 1], 3), ([0], 1), ([1], 1)],
)
def test_labels_count_from_the_least_of_them_up_to_one_else_from_zero(codes, n):
    assert n_classes_counted(codes) == n


REFUSED = {
    "an unknown name": ({"y": ["cow"] * 120, "p": P}, {"classes": NAMES}, "row 0 is 'cow'"),
    "labels 0 and 2": ({"y": [0, 2] * 60, "p": P}, {"labels_from": 1}, "row 0 is 0, expected"),
    "numbers as names": ({"y": Y, "p": P}, {"classes": ["3", "4", "5"]}, "--labels-from 0"),
    "a large label": (
        {"y": ["100000000000000000000"] * len(Y), "p": P.tolist()},
        {},
        "a name",
    ),
}  # fmt: skip
test_labels_that_are_not_clear_are_refused = refuses(REFUSED)


@pytest.mark.parametrize(
    ("labels", "labels_from", "way"),
    [
        ([1, 2, 3], None, "--labels-from 1"),
        ([0, 2, 7], None, "--ignore-index 7"),
        ([1, 2, 7], None, "--ignore-index 7"),
        ([1, 2, 0], 1, "--ignore-index 0"),
    ],
)
def test_a_number_of_no_class_has_a_way_out(labels, labels_from, way):
    with pytest.raises(ReadingError, match=way):
        numbered_labels(np.array(labels), None, 3, labels_from, "y")


def test_minus_one_and_one_are_two_classes_if_somebody_says_so():
    with pytest.raises(ReadingError, match="--classes=-1,1"):
        numbered_labels(np.array([-1, 1]), None, 2, None, "y")
    numbers = numbered_labels(np.array([-1, 1]), ["-1", "1"], 2, None, "y")
    assert numbers.tolist() == [0, 1]


@pytest.mark.parametrize(("n", "is_shifted"), [(5, False), (6, True), (40, True)])
def test_labels_without_a_0_that_fit_better_one_lower_are_asked_about(n, is_shifted):
    y = 1 + np.arange(n) % 2
    fits, one_lower = (0.7 * np.eye(3)[y - shift] + 0.1 for shift in (0, 1))
    refuse_shifted(y, fits)
    refuse_shifted(y - 1, one_lower)
    if not is_shifted:
        refuse_shifted(y, one_lower)
        return
    with pytest.raises(ReadingError, match="no label is 0"):
        refuse_shifted(y, one_lower)


@pytest.mark.parametrize(("n", "is_shifted"), [(19, False), (20, True)])
def test_a_gain_that_chance_may_give_is_asked_about_from_twenty_rows_on(n, is_shifted):
    """The mean gain of the labels as they are is 0.1, less than two standard errors of it."""
    y = np.full(n, 2)
    gain = np.where(np.arange(n) % 2, 1.0, -0.8)
    p = np.column_stack([np.zeros(n), 0.5 - gain / 2, 0.5 + gain / 2])
    if is_shifted:
        with pytest.raises(ReadingError, match="--labels-from 1, or --labels-from 0"):
            refuse_shifted(y, p)
    else:
        refuse_shifted(y, p)


def test_labels_of_which_one_is_0_count_from_0():
    refuse_shifted(np.array([0, 2, 2, 2, 2, 2]), np.eye(3)[[0, 1, 1, 1, 1, 1]])


def test_numbers_that_are_not_whole_are_no_classes():
    refuse_regression(Column("y", np.array([1.0, np.nan])))
    with pytest.raises(NotJudgedError, match=r"y: row 1 is '0\.5': no class"):
        refuse_regression(Column("y", np.array([1.0, 0.5])))
