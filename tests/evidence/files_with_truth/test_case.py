"""Whether what was read is the truth of a file."""

import numpy as np
import pytest

from calib_report import ModelOutputs
from evidence.files_with_truth.case import Case, in_folder, is_right
from evidence.files_with_truth.writers import columns

Y = np.array([0, 1, 2, 1])
P = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.1, 0.1, 0.8], [0.25, 0.5, 0.25]])
ORDER = np.array([2, 0, 1])


def of_truth(truth):
    return Case("x.csv", "somebody", columns(), truth)


# labels and probabilities that are read, and whether they are the truth
READ = {
    "the truth": (Y, P, True),
    "classes in another order": (np.argsort(ORDER)[Y], P[:, ORDER], True),
    "columns alone in another order": (Y, P[:, ORDER], False),
    "a label": ([0, 1, 2, 2], P, False),
    "a probability": (Y, np.vstack([P[1:2], P[1:]]), False),
    "a rounded probability": (Y, np.vstack([[[0.699, 0.2, 0.101]], P[1:]]), False),
}


@pytest.mark.parametrize("name", READ)
def test_what_is_read_is_the_truth_in_some_order_of_the_classes(name):
    y, p, right = READ[name]
    assert is_right(of_truth((Y, P)), ModelOutputs(y, probabilities=p)) == right


def test_a_class_less_is_not_the_truth_although_the_labels_agree():
    y, two = np.minimum(Y, 1), np.column_stack([P[:, 0], 1 - P[:, 0]])
    assert not is_right(of_truth((y, P)), ModelOutputs(y, probabilities=two))


def test_labels_alone_are_right_where_nobody_knows_the_scores():
    p = np.column_stack([1 - P[:, 0], P[:, 0]])
    hit = np.array([1, 0, 0, 0])
    assert is_right(of_truth((hit, None)), ModelOutputs(hit, probabilities=p))
    other = ModelOutputs([1, 1, 0, 0], probabilities=p)
    assert not is_right(of_truth((hit, None)), other)


def test_what_is_to_be_refused_is_never_right():
    assert not is_right(of_truth(None), ModelOutputs(Y, probabilities=P))


def test_a_file_of_labels_lies_beside_the_file(tmp_path):
    options = {"labels": "truth.csv", "ids": "case"}
    assert in_folder(options, tmp_path) == options | {"labels": tmp_path / "truth.csv"}
    assert in_folder({"ids": "case"}, tmp_path) == {"ids": "case"}
