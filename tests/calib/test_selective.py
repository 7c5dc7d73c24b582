"""Declining to answer: the area by brute force, its optimum, and what leaves it unchanged."""

import numpy as np
import pytest
from scipy.integrate import quad

import calib
from calib.selective import best_area


def draw(n, seed=0, power=1.5):
    rng = np.random.default_rng(seed)
    score = rng.random(n)
    return rng.random(n) < score**power, score


def brute_force(hit, score):
    """The curve integrated from one sample to the next, ties in the mean of all orders."""
    _, place, count = np.unique(-score, return_inverse=True, return_counts=True)
    share = np.bincount(place, 1 - hit) / count
    error = np.repeat(share, count)
    cumulative, n = np.append(0, np.cumsum(error)), len(hit)
    return sum(
        quad(lambda k, i=i: (cumulative[i] + (k - i) * error[i]) / k, i, i + 1)[0] for i in range(n)
    ) / n  # fmt: skip


@pytest.mark.parametrize("digits", [12, 1])
def test_area_by_brute_force(digits):
    hit, score = draw(60)
    score = score.round(digits)
    assert calib.aurc(hit, score) == pytest.approx(brute_force(hit, score), abs=1e-8)


def test_no_order_beats_the_optimum():
    hit, _ = draw(300)
    rng = np.random.default_rng(1)
    assert calib.aurc(hit, hit + 0.0) == pytest.approx(best_area(1 - hit.mean()))
    for _ in range(200):
        assert calib.aurc(hit, rng.random(300)) > best_area(1 - hit.mean())
        assert calib.excess_aurc(hit, (hit + rng.random(300)) / 3) == pytest.approx(
            0, abs=1e-12
        )


def test_a_rising_map_of_the_score_changes_nothing():
    hit, score = draw(500)
    fitted = calib.PlattScaling().fit(score, hit)
    for rising in (np.sqrt, np.log1p, fitted.predict):
        assert calib.aurc(hit, rising(score)) == calib.aurc(hit, score)


def test_curve_by_hand():
    curve = calib.risk_coverage([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1])
    assert curve.threshold.tolist() == [0.9, 0.8, 0.1]
    assert curve.coverage.tolist() == [0.25, 0.75, 1.0]
    assert curve.risk.tolist() == [0.0, pytest.approx(1 / 3), 0.5]
    assert curve.risk_at(0.5) == pytest.approx(0.25)


def test_thresholds_keep_what_they_say():
    curve = calib.risk_coverage([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.2])
    assert curve.threshold_at(1) == 0.2 and curve.threshold_at(0.3) == 0.8
    assert curve.threshold_at(0.8) == curve.threshold_at(0.5) == 0.7  # these tie
    assert curve.threshold_for(0.0) == 0.8 and curve.threshold_for(0.25) == 0.7
    assert curve.threshold_for(0.4) == 0.2
    assert calib.risk_coverage([0, 1], [0.9, 0.2]).threshold_for(0.1) == np.inf
    assert calib.risk_coverage([1, 0], [0.5, 0.4]).risk_at(1.0) == 0.5
    for method, value in (
        (curve.threshold_at, 0),
        (curve.threshold_for, 1.5),
        (curve.risk_at, -0.1),
        (curve.risk_at, "a"),
    ):
        with pytest.raises((TypeError, ValueError), match="expected a"):
            method(value)


def test_a_share_that_is_whole_but_for_rounding_keeps_no_further_answer():
    """Twice 0.1 of twenty times 0.1 is a little less than a tenth."""
    score, weight = np.linspace(0.9, 0.1, 20), np.full(20, 0.1)
    curve = calib.risk_coverage(np.ones(20, int), score, sample_weight=weight)
    assert curve.coverage[1] < 0.1
    assert curve.threshold_at(0.1) == curve.threshold[1]


@pytest.mark.parametrize("name", ["accuracy", "aurc"])
def test_scores_alone_come_with_hits_as_the_summary_says(name):
    """Of two classes both columns judge the predicted class; labels beside one are its hits."""
    y, p = np.array([0, 0, 0, 1]), np.array([0.1, 0.2, 0.3, 0.9])
    metric = calib.METRICS[name].function
    both = metric(y, np.column_stack([1 - p, p]))
    assert both == (1.0 if name == "accuracy" else 0.0)
    score, hit = np.maximum(p, 1 - p), (p > 0.5) == y
    assert metric(hit, score) == both
    assert metric(y, p) != both
    assert "both columns" in metric.__doc__.split("Parameters")[0]


@pytest.mark.parametrize("coverage", [0, 1.5])
def test_a_share_to_keep_is_above_zero_and_at_most_one(coverage):
    curve = calib.risk_coverage([1, 0], [0.9, 0.4])
    with pytest.raises(ValueError, match=f"coverage: {coverage}, expected a share"):
        curve.threshold_at(coverage)


def test_a_score_of_samples_without_weight_is_no_threshold():
    weight = [1, 0, 2]
    curve = calib.risk_coverage([1, 0, 0], [0.9, 0.95, 0.4], sample_weight=weight)
    assert curve.threshold.tolist() == [0.9, 0.4]
    assert curve.risk == pytest.approx([0, 2 / 3])
