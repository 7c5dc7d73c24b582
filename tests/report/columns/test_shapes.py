"""Samples of any shape with one label and one row of scores each."""

import numpy as np
import pytest

from calib_report.columns.samples import Samples
from calib_report.columns.shapes import classes_last, one_a_row
from calib_report.contract import ReadingError
from calib_report.options import Options


def rows(y, scores, **options):
    samples = Samples(np.array(y), np.asarray(scores, float), "y", ("logits",))
    return one_a_row(samples, Options(**options))


def test_the_axis_of_classes_goes_last():
    assert classes_last(np.zeros((4, 3, 2)), 1).shape == (4, 2, 3)
    assert classes_last(np.zeros((4, 3, 2)), None).shape == (4, 3, 2)
    with pytest.raises(ReadingError, match="class-axis"):
        classes_last(np.zeros((4, 3)), 2)


def test_places_of_a_sample_are_rows_in_one_cluster():
    scores = np.arange(24).reshape(2, 4, 3)
    samples = rows([[0, 1, 2, 0], [1, 1, 2, 2]], scores)
    assert samples.y.tolist() == [0, 1, 2, 0, 1, 1, 2, 2]
    assert samples.scores[5].tolist() == scores[1, 1].tolist()
    assert samples.beside["clusters", ""].tolist() == [0] * 4 + [1] * 4


@pytest.mark.parametrize(
    ("y", "scores", "message"),
    [
        ([0, 1], np.zeros((3, 2)), "if classes are on the first axis"),
        ([[0, 1], [1, 0]], np.zeros((2, 2, 2)), "on which axis are the classes"),
        ([0, 1], np.zeros((4, 3)), "2 labels, expected 4"),
    ],
)
def test_axes_that_may_be_read_in_two_ways_are_asked_about(y, scores, message):
    with pytest.raises(ReadingError, match=message):
        rows(y, scores)


def test_labels_in_columns_are_one_of_classes_or_a_question_each():
    scores = np.arange(6).reshape(2, 3)
    assert rows([[0, 1, 0], [1, 0, 0]], scores).y.tolist() == [1, 0]
    questions = rows([[0, 1, 1], [1, 0, 0]], scores)
    assert questions.task == "labels" and questions.y.tolist() == [0, 1, 1, 1, 0, 0]
    assert questions.scores.tolist() == [0, 1, 2, 3, 4, 5]
    assert questions.beside["groups", "label"].tolist() == ["0", "1", "2"] * 2
    assert questions.beside["clusters", ""].tolist() == [0, 0, 0, 1, 1, 1]
    said = rows([[0, 1, 0], [1, 0, 0]], scores, multilabel=True)
    assert said.task == "labels"
    with pytest.raises(ReadingError, match="row 1 holds 2, expected 0 or 1"):
        rows([[0, 1, 0], [2, 0, 0]], scores)


def test_samples_with_a_label_to_leave_out_go_with_their_scores():
    samples = rows([0, -1, 1], [[1, 2], [3, 4], [5, 6]], ignore_index=(-1,))
    assert samples.y.tolist() == [0, 1] and samples.scores.tolist() == [[1, 2], [5, 6]]
    assert "1 samples with the label -1 are left out" in samples.notes[-1].text
