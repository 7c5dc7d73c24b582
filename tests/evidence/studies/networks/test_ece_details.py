"""How an ECE comes about: gaps of classes, bins and chance, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import chi2

import calib
from evidence import Outputs
from evidence.data import generator
from evidence.studies.networks import ece_details


def two_classes(score, hit, predicted):
    """Outputs that predict a class with a score, and are right where there is a hit."""
    p = np.stack([score, 1 - score], axis=1)
    p = np.where(predicted[:, None] == 0, p, p[:, ::-1])
    return Outputs(np.where(hit == 1, predicted, 1 - predicted), probabilities=p)


def test_a_gap_of_one_class_is_found():
    rng = np.random.default_rng(0)
    prob = np.tile([[0.8, 0.2], [0.2, 0.8]], (5000, 1))
    even = np.where(rng.random(10_000) < 0.8, prob.argmax(axis=1), prob.argmin(axis=1))
    uneven = np.where(prob.argmax(axis=1) == 0, 0, even)
    p = [
        ece_details.class_gap_p(Outputs(y, probabilities=prob)) for y in (even, uneven)
    ]
    assert p[0] > 0.01 and p[1] < 1e-6


@pytest.mark.parametrize("n_rare", [19, 20])
def test_gaps_of_classes_of_at_least_twenty_are_judged_by_cochrans_q(n_rare):
    predicted = np.repeat([0, 1, 2], [40, 30, n_rare])
    hit = (np.arange(len(predicted)) % 7 < 5).astype(int)
    score = np.linspace(0.6, 0.9, len(predicted))
    p = np.full((len(predicted), 3), 0.0)
    p[np.arange(len(predicted)), predicted] = score
    p[np.arange(len(predicted)), (predicted + 1) % 3] = 1 - score
    y = np.where(hit == 1, predicted, (predicted + 1) % 3)
    weights, gaps = [], []
    for label in (0, 1, 2)[: 2 + (n_rare == 20)]:
        rows = [i for i in range(len(predicted)) if predicted[i] == label]
        share = (sum(hit[i] for i in rows) + 1) / (len(rows) + 2)
        weights.append(len(rows) / (share * (1 - share)))
        gaps.append(sum(score[i] - hit[i] for i in rows) / len(rows))
    mean = np.dot(weights, gaps) / sum(weights)
    q = sum(w * (g - mean) ** 2 for w, g in zip(weights, gaps, strict=True))
    found = ece_details.class_gap_p(Outputs(y, probabilities=p))
    assert found == pytest.approx(chi2.sf(q, len(gaps) - 1)) and 0.001 < found < 0.999


def test_a_row_of_a_network_by_hand(monkeypatch):
    """Sums of gaps 6, -4 and 2 in bins of 12, 20 and 8; five bins, and no more, hold
    the last two in one.
    """
    monkeypatch.setattr(ece_details, "N_RESAMPLES", 20)
    score = np.repeat([0.5, 0.65, 0.75], [12, 20, 8])
    hit = np.r_[np.zeros(12), np.ones(17), np.zeros(3), np.ones(4), np.zeros(4)]
    test = two_classes(score, hit, np.zeros(40, int))
    row = ece_details.network_row("name", "kind", SimpleNamespace(test=test))
    assert (row["name"], row["evidence"], row["n"]) == ("name", "kind", 40)
    expected = {
        "accuracy": 21 / 40,
        "confidence": 25 / 40,
        "ece": 12 / 40,
        "ece_lowest": 8 / 40,
        "ece_highest": 12 / 40,
        "two_fullest_bins": 32 / 40,
        "two_heaviest_bins": 10 / 12,
    }
    for name, value in expected.items():
        assert row[name] == pytest.approx(value), name
    assert row["ece_low"] < row["ece"] < row["ece_high"]
    assert row["ks_top_3_chance"] == ""  # of two classes there is no third


def test_bins_of_a_calibrated_network_are_those_of_hits_that_are_drawn():
    score = np.linspace(0.5, 1, 200)
    found = ece_details.over_bins_by_chance(score, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    for errors in found[:3]:
        hit = rng.random(200) < score
        assert errors == [calib.ece(hit, score, n_bins=n) for n in range(5, 51, 5)]
    assert len(found) == 50


def test_the_third_choice_has_a_ks_error_by_chance():
    """Of scores .25 the running sums have a standard deviation of sqrt(.1875 / n) in the end."""
    p = np.tile([0.4, 0.35, 0.25], (900, 1))
    found = ece_details.third_by_chance(Outputs(np.zeros(900, int), probabilities=p))
    rng = np.random.default_rng(0)
    sums = np.cumsum(0.25 - (rng.random((400, 900)) < 0.25), axis=1) / 900
    drawn = np.abs(sums).max(axis=1)
    assert found == pytest.approx(drawn.mean(), rel=0.06)


def test_the_range_by_chance_is_a_mean_over_samples_of_a_generator_of_its_own(
    monkeypatch,
):
    draws = []

    def over_bins(score, rng):
        draws.append(rng.random())
        return [[0.5, 0.25, 0.375], [0.0, 1.0, 0.5]]

    monkeypatch.setattr(ece_details, "N_RESAMPLES", 2)
    monkeypatch.setattr(ece_details, "over_bins_by_chance", over_bins)
    p = np.tile([0.75, 0.25], (40, 1))
    test = Outputs(np.arange(40) % 2, probabilities=p)
    row = ece_details.network_row("name", "kind", SimpleNamespace(test=test))
    assert row["ece_range_chance"] == (0.25 + 1) / 2
    assert draws == [generator("name", "chance", seed=2021).random()]
