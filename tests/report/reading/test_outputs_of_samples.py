"""Outputs of samples: names of their classes, what stands beside them, and doubts turned round."""

import numpy as np
import pytest

from calib_report.columns.samples import Samples
from calib_report.contract import Doubter, Note, ReadingError
from calib_report.options import Options
from calib_report.reading.outputs_of_samples import outputs_of

NOTE = Note("of the samples")
P = np.array([[0.7, 0.2, 0.1], [0.1, 0.7, 0.2], [0.2, 0.1, 0.7]])


def outputs(
    y, scores, columns=("p",), classes=None, side_columns=(), kind=None, **options
):
    """Outputs of samples of one task, which a hit or confidence says."""
    samples = Samples(
        np.array(y),
        np.asarray(scores),
        "correct" if options.get("pairs") else "y",
        columns,
        classes,
        kind,
        side_columns=dict(side_columns),
        task="pairs" if options.get("pairs") else "classes",
    )
    return outputs_of(samples, Options(**options), Doubter(False))[1]


def test_classes_without_names_are_counted_as_the_labels_are():
    assert outputs([0, 1, 2], P).names == ["0", "1", "2"]
    from_one = outputs([1, 2, 3], P, labels_from=1)
    assert from_one.names == ["1", "2", "3"] and from_one.y.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("classes", "n"), [(("a", "b"), 2), (("a", "b", "a"), 2), (tuple("abcc"), 3)]
)
def test_names_are_one_for_each_class(classes, n):
    with pytest.raises(ReadingError, match=f"{n} different names for 3 classes"):
        outputs([0, 1, 1], P, classes=classes)


def test_a_doubt_is_turned_round():
    """Who says that 0 is the label of the scores says that they are of being wrong."""
    sure = [0.9, 0.6, 0.7]
    stated = outputs(["yes", "no", "yes"], sure, ("confidence",), pairs=True)
    assert stated.prob[:, 1].tolist() == sure and stated.y.tolist() == [1, 0, 1]
    doubt = outputs(
        ["yes", "no", "yes"], sure, ("confidence",), pairs=True, positive="0"
    )
    assert doubt.prob[:, 0].tolist() == sure and doubt.y.tolist() == [1, 0, 1]


def test_groups_are_text_and_what_is_not_used_stays_behind():
    side_columns = {("groups", "ward"): [1, 2, 1], ("clusters", "c"): [4, 4, 5]}
    side_columns |= {("ids", "id"): ["x", "y", "z"], ("unused", "age"): [30, 40, 50]}
    arrays = {key: np.array(values) for key, values in side_columns.items()}
    outputs_ = outputs([0, 1, 2], P, side_columns=arrays)
    assert {name: a.tolist() for name, a in outputs_.groups.items()} == {
        "ward": ["1", "2", "1"]
    }
    assert outputs_.clusters.tolist() == [4, 4, 5] and outputs_.ids.tolist() == [*"xyz"]


@pytest.mark.parametrize(
    ("scores", "column", "kind", "is_kind"),
    [
        ([0.9, 0.6], "x", None, "probabilities"),
        ([1.9, -0.6], "x", "logits", "logits"),
        ([0.9, 0.6], "confidence", None, "probabilities"),
        # a confidence is a probability, unless its name says more
        ([1.9, -0.6], "confidence", None, None),
        ([1.9, -0.6], "confidence", "logits", "logits"),
    ],
)
def test_a_confidence_is_a_probability_unless_its_name_says_more(
    scores, column, kind, is_kind
):
    stated = {"columns": (column,), "kind": kind, "pairs": True}
    if is_kind is not None:
        assert outputs([1, 0], scores, **stated).kind == is_kind
        return
    with pytest.raises(ReadingError, match=r"row 0 holds 1\.9, row 1 holds -0\.6, exp"):
        outputs([1, 0], scores, **stated)


def test_what_is_of_an_event_is_not_turned_round():
    event = outputs(["no", "yes"], [0.9, 0.6], positive="no")
    assert event.names == ["yes", "no"] and event.prob[:, 1].tolist() == [0.9, 0.6]


@pytest.mark.parametrize("said", [{"classes": ("a", "b", "c")}, {"labels_from": 0}, {}])
def test_labels_that_may_count_from_1_are_asked_about_unless_it_is_said(said):
    y, p = np.tile([1, 2], 10), np.tile(P[:2], (10, 1))
    if said:
        assert outputs(y, p, **said).y.tolist() == y.tolist()
        return
    with pytest.raises(ReadingError, match="no label is 0"):
        outputs(y, p)
    # of two classes one alone is no reason for doubt
    assert outputs(np.ones(20, int), np.tile([0.9, 0.1], (20, 1))).y.all()


def test_a_confidence_of_a_class_may_be_log_odds_and_is_asked_about():
    with pytest.raises(ReadingError, match="if it is so: --kind logits"):
        outputs([0, 1], [1.9, -0.6], ("confidence",), positive="1")


def test_what_is_noted_of_scores_stands_behind_what_was_noted_of_samples():
    p = np.full((3, 3), 0.333)
    read = Samples(np.arange(3), p, "y", ("a", "b", "c"), None, None, notes=(NOTE,))
    samples, _ = outputs_of(read, Options(), Doubter(False))
    assert samples.notes[0] == NOTE and "divided by their sums" in samples.notes[1].text
