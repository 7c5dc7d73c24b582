"""Tables of a report: ranges of the score, classes, confidences kept with a map."""

import numpy as np
import pytest
from scipy.special import expit

from calib_report import ModelOutputs
from calib_report.measuring.outcome import outcome_as_is
from calib_report.measuring.tables import bin_table, class_table, confidences

P = np.array([[0.9, 0.1], [0.9, 0.1], [0.4, 0.6], [0.4, 0.6]])
OUTCOME = outcome_as_is(ModelOutputs([0, 1, 1, 1], probabilities=P))


def test_ranges_that_hold_samples_with_their_part_of_the_error():
    """Two of .9, half of them right, and two of .6, all right: the error is .2 and .2."""
    low, high = bin_table(OUTCOME)
    assert (low["samples"], high["samples"]) == (2, 2)
    assert (low["accuracy"], high["accuracy"]) == (1, 0.5)
    assert low["confidence"] == pytest.approx(0.6)
    assert [low["part_of_ece"], high["part_of_ece"]] == pytest.approx([0.2, 0.2])
    assert low["says_little"] and low["from"] < 0.6 <= low["to"]


def test_of_ten_samples_a_range_says_something():
    outputs = ModelOutputs([0] * 10, probabilities=np.tile([[0.9, 0.1]], (10, 1)))
    (row,) = bin_table(outcome_as_is(outputs))
    assert row["samples"] == 10 and not row["says_little"]


def test_classes_are_told_with_their_frequency_the_worst_first():
    """Of the first class .9 is said twice and .4 twice, and it is one of four."""
    p = np.array([[0.9, 0.1, 0], [0.9, 0.1, 0], [0.4, 0.6, 0], [0.4, 0.6, 0]])
    outputs = ModelOutputs([0, 1, 1, 1], probabilities=p)
    rows = class_table(["a", "b", "c"], outcome_as_is(outputs))
    assert [row["class"] for row in rows][-1] == "c"
    a = next(row for row in rows if row["class"] == "a")
    assert (a["samples"], a["frequency"]) == (1, 0.25)
    assert a["mean_probability"] == pytest.approx(0.65)
    assert a["one_vs_rest_ece"] == pytest.approx((0.8 + 0.8) / 4)


def test_confidences_are_counted_in_ranges():
    scores = confidences(P)
    assert scores["mean"] == pytest.approx(0.75)
    assert sum(scores["counts"]) == 4 and sorted(scores["counts"])[-2:] == [2, 2]


def test_a_confidence_on_an_end_of_a_range_is_counted_below_it():
    """The first range ends at expit(-4), each next a quarter of a log odds on; the last is open."""
    ends = expit(-4 + np.arange(81) / 4)
    counts = np.array(confidences(np.array([[ends[16]], [ends[20]], [1.0]]))["counts"])
    assert np.flatnonzero(counts).tolist() == [16, 20, 81] and len(counts) == 82
