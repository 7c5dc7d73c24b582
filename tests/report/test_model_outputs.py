"""Outputs are checked once, and hold arrays."""

import numpy as np
import pytest

from calib_report import read
from calib_report.contract import Note
from calib_report.model_outputs import ModelOutputs

TWO = [0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "give either logits or probabilities"),
        ({"logits": np.eye(2), "probabilities": np.eye(2)}, "give either logits or"),
        ({"logits": np.eye(3)[:, :2]}, r"y: shape \(2,\), expected \(3,\)"),
        ({"logits": [[0, np.nan], [0, 0]]}, "logits: row 0 holds nan in column 1"),
        ({"logits": [[0, 1], [-np.inf, -1e31]]}, "row 1 has only masked classes"),
        ({"logits": np.ma.masked_array(np.eye(2))}, "a masked array"),
        ({"logits": [[0], [1]]}, r"shape \(2, 1\), expected \(n >= 1, K >= 2\)"),
        ({"probabilities": [["a", "b"]] * 2}, "expected numbers"),
        ({"probabilities": [[0.5, 0.6], [1, 0]]}, "row 0 sums to 1.1"),
        ({"probabilities": [[1, 0], [1.5, -0.5]]}, "row 1 holds -0.5 in column 1"),
        ({"logits": np.eye(2), "task": "l1"}, "task: 'l1', expected one of"),
        (
            {"logits": np.eye(3), "y": [0, 1, 1], "task": "pairs"},
            "task: 'pairs', expected 'class",
        ),
        (
            {"logits": np.eye(2), "groups": {"ward": [1]}},
            r"ward: shape \(1,\), expected \(2,\)",
        ),
        ({"logits": np.eye(2), "class_names": ["a"]}, "expected one for each class"),
        ({"logits": np.eye(2), "notes": "a"}, "notes: 'a', expected a sentence each"),
        (
            {"logits": np.eye(2), "y": [0, 2]},
            "y: row 1 is 2, expected an integer from 0 to 1",
        ),
        ({"logits": np.eye(2), "y": [0, 0.5]}, "y: row 1 is 0.5"),
        ({"probabilities": [0.5, 0.5]}, r"probabilities: shape \(2,\), expected"),
    ],
)
def test_what_is_not_as_described_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        ModelOutputs(**({"y": TWO} | arguments))


def test_what_stands_beside_is_arrays_of_the_samples_taken():
    """Lists of groups, clusters and ids, which are allowed, become arrays."""
    beside = {"groups": {"ward": ["a", "b"]}, "clusters": [4, 5], "ids": ["x", "y"]}
    outputs = ModelOutputs(TWO, logits=np.eye(2), **beside).take(np.array([1]))
    assert outputs.groups["ward"].tolist() == ["b"] and outputs.ids.tolist() == ["y"]
    assert outputs.clusters.tolist() == [5] and outputs.y.tolist() == [1]


def test_masked_logits_have_probability_zero():
    outputs = ModelOutputs(TWO, logits=[[1.0, 0], [-1e31, 0]])
    assert outputs.logits[1, 0] == -np.inf and outputs.prob[1].tolist() == [0, 1]


def test_zeros_count_as_half_of_the_smallest_probability():
    assert ModelOutputs(TWO, probabilities=[[0.96, 0.04], [1, 0]]).floor == 0.02
    assert ModelOutputs(TWO, probabilities=[[0.996, 0.004], [1, 0]]).floor == 0.002
    assert ModelOutputs(TWO, probabilities=[[0.5, 0.5]] * 2).floor == 1e-16
    # at most
    assert ModelOutputs(TWO, probabilities=[[0.5, 0.5], [1, 0]]).floor == 0.05


def test_a_calibration_set_that_is_added_has_its_say_in_what_zero_counts_as():
    outputs = ModelOutputs(TWO, probabilities=[[0.7, 0.3], [0.4, 0.6]])
    with_zeros = ModelOutputs(TWO, probabilities=[[0.98, 0.02], [1, 0]])
    assert outputs.floor == 1e-16  # looked at, before the other set is known
    assert outputs.annotated(calibration=with_zeros).floor == 0.01
    with pytest.raises(TypeError, match="use dataclasses"):
        outputs.annotated(y=np.array([1, 1]))


def test_sentences_of_a_user_are_notes_on_the_file():
    outputs = ModelOutputs(TWO, logits=np.eye(2), notes=["by hand"])
    assert outputs.notes == (Note("by hand", about="file"),)


def test_groups_of_fewer_samples_are_refused_by_the_door_as_well():
    source = {"y": np.arange(120) % 3, "p": np.full((120, 3), 1 / 3), "a": np.arange(2)}
    with pytest.raises(ValueError, match=r"a: shape \(2,\), expected"):
        read(source, groups="a")


P = np.array([[0.7, 0.3], [0.4, 0.6], [0.8, 0.2]])


@pytest.mark.parametrize(
    ("task", "scores", "hits"),
    [
        ("classes", [0.7, 0.6, 0.8], [True, True, False]),
        ("pairs", [0.3, 0.6, 0.2], [False, True, True]),
        ("labels", [0.3, 0.6, 0.2], [False, True, True]),
    ],
)
def test_scores_and_hits_are_of_the_top_label_or_of_a_yes(task, scores, hits):
    outputs = ModelOutputs([0, 1, 1], probabilities=P, task=task)
    assert outputs.pairs[0].tolist() == scores and outputs.pairs[1].tolist() == hits


@pytest.mark.parametrize(
    ("kind", "dtype", "n", "kept"),
    [
        ("probabilities", np.float16, 2, np.float16),
        ("logits", np.float16, 2, np.float64),
        ("logits", np.float32, 2, np.float64),
        ("logits", np.float32, 4, np.float64),
        ("logits", np.float32, 5, np.float32),
        ("logits", int, 2, np.float64),
    ],
)
def test_arrays_are_kept_as_float64_where_that_is_no_waste(
    kind, dtype, n, kept, monkeypatch
):
    """A large array is one of ten numbers here."""
    monkeypatch.setattr("calib_report.model_outputs.LARGE_ARRAY", 10)
    array = np.tile(np.array([[1, 0]], dtype), (n, 1))
    outputs = ModelOutputs(np.zeros(n, int), **{kind: array})
    assert outputs.scores.dtype == kept and outputs.kind == kind


def test_probabilities_and_logits_are_made_of_whichever_are_given():
    stated = ModelOutputs([0, 1, 1], probabilities=P)
    assert stated.prob is stated.scores
    np.testing.assert_allclose(stated.as_logits, np.log(P))
    raw = ModelOutputs([0, 1, 1], logits=np.log(P))
    assert raw.as_logits is raw.scores
    np.testing.assert_allclose(raw.prob, P)
    # maps are fitted to the calibration set, where there is one
    assert raw.to_fit[1] is raw.y
    with_set = raw.annotated(calibration=ModelOutputs([1, 0], logits=np.eye(2)))
    assert with_set.to_fit[1].tolist() == [1, 0] and with_set.to_fit[0].shape == (2, 2)


def test_clusters_are_as_many_units_as_they_are():
    outputs = ModelOutputs([0, 1, 1], probabilities=P)
    assert outputs.n_units == 3 and outputs.names == ["0", "1"]
    assert outputs.annotated(clusters=np.array([5, 5, 7])).n_units == 2
