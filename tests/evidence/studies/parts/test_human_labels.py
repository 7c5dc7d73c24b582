"""Scores judged against what many people say, by hand."""

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.parts import human_labels


def test_a_share_of_people_is_as_many_hits_and_misses():
    """Of four people three, and of four one: the same as eight labels."""
    score, share = np.array([0.9, 0.4]), np.array([0.75, 0.25])
    metrics = human_labels.metrics_against_shares(score, share)
    hit = np.array([1, 1, 1, 0, 1, 0, 0, 0])
    each = np.repeat(score, 4)
    assert metrics == pytest.approx(
        {
            "confidence": 0.65,
            "share": 0.5,
            "ece": calib.ece(hit, each),
            "ks": calib.ks_error(hit, each),
            "top1_brier": calib.top1_brier(hit, each),
        }
    )
    assert metrics["ece"] == pytest.approx((0.15 + 0.15) / 2)


def test_the_gap_has_an_interval_around_it():
    score, truth = np.linspace(0.5, 1, 50), np.linspace(0.5, 0.9, 50)
    row = human_labels.judged_row({"source": "a"}, score, truth)
    assert row["source"] == "a" and row["n"] == 50
    assert row["gap"] == pytest.approx(0.05)
    assert 0.03 < row["low"] < row["gap"] < row["high"] < 0.07


def test_who_agree_are_those_who_name_the_predicted_class():
    test = Outputs([0, 1], probabilities=[[0.75, 0.25], [0.75, 0.25]])
    shares = np.array([[0.6, 0.4], [0.1, 0.9]])
    assert human_labels.share_who_agree(test, shares).tolist() == [0.6, 0.1]
