"""Samples of any shape with one label and one row of scores each."""

import numpy as np
import pytest
from refusals import refuses

from calib_report.columns.samples import Samples
from calib_report.columns.shapes import classes_last, one_a_row
from calib_report.contract import ReadingError
from calib_report.options import Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import YES, P, Y


def rows(y, scores, **options):
    samples = Samples(np.array(y), np.asarray(scores, float), "y", ("logits",))
    return one_a_row(samples, Options(**options))


def test_the_axis_of_classes_goes_last():
    assert classes_last(np.zeros((4, 3, 2)), 1).shape == (4, 2, 3)
    assert classes_last(np.zeros((4, 3, 2)), None).shape == (4, 3, 2)
    with pytest.raises(
        ReadingError, match=r"^class_axis: 2, and scores have the shape \(4, 3\)$"
    ):
        classes_last(np.zeros((4, 3)), 2)


def test_places_of_a_sample_are_rows_in_one_cluster():
    scores = np.arange(24).reshape(2, 4, 3)
    samples = rows([[0, 1, 2, 0], [1, 1, 2, 2]], scores)
    assert samples.y.tolist() == [0, 1, 2, 0, 1, 1, 2, 2]
    assert samples.scores[5].tolist() == scores[1, 1].tolist()
    assert samples.side_columns["clusters", ""].tolist() == [0] * 4 + [1] * 4


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
    assert questions.side_columns["groups", "label"].tolist() == ["0", "1", "2"] * 2
    assert questions.side_columns["clusters", ""].tolist() == [0, 0, 0, 1, 1, 1]
    asked_each = rows([[0, 1, 0], [1, 0, 0]], scores, multilabel=True)
    assert asked_each.task == "labels"
    with pytest.raises(ReadingError, match="row 1 holds 2, expected 0 or 1"):
        rows([[0, 1, 0], [2, 0, 0]], scores)


@pytest.mark.parametrize(
    ("entry", "options", "labels"),
    [
        (-1, {"ignore_index": (-1,)}, [0, 1, 0, 0]),
        (np.nan, {"leave_out_empty": ("y",)}, [0, 1, 0, 0]),
        (np.nan, {}, r"row 0 holds nan, .*masked by: --leave-out-empty y$"),
        (np.nan, {"ignore_index": (-1,)}, r"row 0 holds nan, .*: --leave-out-empty y$"),
        (-1, {}, r"row 0 holds -1, expected 0 or 1; .*: --ignore-index=-1$"),
        (-1, {"leave_out_empty": ("y",)}, r"row 0 holds -1, .*: --ignore-index=-1$"),
    ],
)
def test_an_entry_of_labels_in_columns_is_masked_by_its_number_or_left_empty(
    entry, options, labels
):
    y, scores = [[0, entry, 1], [0, 0, entry]], np.arange(6).reshape(2, 3)
    if isinstance(labels, str):
        with pytest.raises(ReadingError, match=labels):
            rows(y, scores, **options)
        return
    questions = rows(y, scores, **options)
    assert questions.y.tolist() == labels
    assert questions.scores.tolist() == [0, 2, 3, 4]
    label = "that is empty" if np.isnan(entry) else "-1"
    assert questions.notes[-1].text == f"2 samples with the label {label} are left out."


def test_without_a_label_to_leave_out_nothing_is_noted():
    assert rows([0, 1], [[1, 2], [3, 4]]).notes == ()
    with pytest.raises(ReadingError, match=r"y: shape \(2, 3\), expected \(2, 3\) of"):
        rows([["a", "b", "c"]] * 2, np.ones((2, 3)))


def test_samples_with_a_label_to_leave_out_go_with_their_scores():
    samples = rows([0, -1, 1], [[1, 2], [3, 4], [5, 6]], ignore_index=(-1,))
    assert samples.y.tolist() == [0, 1] and samples.scores.tolist() == [[1, 2], [5, 6]]
    assert "1 samples with the label -1 are left out" in samples.notes[-1].text
    # of text by what is written
    words = rows(["a", "7", "b"], [[1, 2], [3, 4], [5, 6]], ignore_index=(7,))
    assert words.y.tolist() == ["a", "b"]


@pytest.mark.parametrize("y", [Y, np.array(list("012"))[Y], YES])
def test_a_label_to_leave_out_that_never_occurs_is_told(y):
    outputs = read({"y": y, "p": P}, ignore_index=(-100, 7))
    notes = [str(note) for note in outputs.notes if "with which" in str(note)]
    assert len(notes) == 2 and "label -100," in notes[0] and "label 7," in notes[1]
    assert len(outputs) == len(read({"y": y, "p": P}))


def test_questions_and_places_know_their_sample():
    outputs = read({"y": YES, "p": P})
    assert (
        outputs.task == "labels"
        and outputs.groups["label"].tolist() == ["0", "1", "2"] * 120
    )
    assert outputs.clusters.tolist() == np.repeat(np.arange(120), 3).tolist()
    places = np.arange(120).reshape(5, 4, 6)
    outputs = read(
        {"y": np.where(places == 7, 255, Y[places]), "probs": P[places]},
        ignore_index=255,
    )
    assert (
        outputs.clusters.tolist()
        == np.repeat(np.arange(5), 24)[np.arange(120) != 7].tolist()
    )
    assert "1 samples with the label 255 are left out" in " ".join(
        map(str, outputs.notes)
    )


REFUSED = {
    "fewer labels": ({"y": Y[1:], "p": P}, {}, "y: 119 labels, expected 120"),
    "two of three labels": ({"y": YES[:, :2], "p": P}, {}, "expected (120, 3) of 0 and 1, or"),
    "a shifted axis": ({"y": Y, "logits": np.zeros((120, 3, 2))}, {}, "numpy.moveaxis(scores, A"),
}  # fmt: skip
test_shapes_that_are_not_clear_are_refused = refuses(REFUSED)
