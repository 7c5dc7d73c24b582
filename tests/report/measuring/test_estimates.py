"""Means, shares and areas with intervals, of samples and of clusters."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from tempered_models import of_pairs

import calib
from calib_report import read
from calib_report.measuring import estimates, measure
from calib_report.measuring.estimates import mean_probability


def test_binomial_deviation_by_hand():
    for n, p in ((1, 0.3), (5, 0.2), (10, 0.95), (7, 0.0), (7, 1.0)):
        mass = calib.bands.poisson_binomial(np.full(n, p))
        by_hand = np.array(mass) @ np.abs(np.arange(n + 1) - n * p)
        deviation = estimates.mean_deviation(np.array([float(n)]), np.array([n * p]))
        assert deviation[0] == pytest.approx(by_hand, abs=1e-12)


def test_intervals_of_clusters_are_wider_where_samples_repeat():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    repeated, cluster = np.repeat(x, 10), np.repeat(np.arange(300), 10)
    alone = estimates.mean_with_interval(x)
    together = estimates.mean_with_interval(repeated, cluster)
    assert together["low"] == pytest.approx(alone["low"], abs=2e-3)
    score = np.repeat(rng.random(300), 10)
    hit = np.repeat(rng.random(300) < score[::10], 10).astype(int)
    wide = measure.ece_with_interval(of_pairs(score, hit, cluster), rng=rng)
    narrow = measure.ece_with_interval(of_pairs(score, hit), rng=rng)
    assert wide["p_value"] > 0.01 > narrow["p_value"]
    assert wide["chance"] > 2 * narrow["chance"]


def test_the_error_of_a_mean_is_that_of_the_sums_of_its_clusters():
    alone = estimates.mean_with_standard_error([0.0, 1.0, 1.0, 4.0])
    assert alone == (1.5, pytest.approx((9 / 3) ** 0.5 / 2), np.inf)
    # two clusters, whose sums of deviations are -2 and 2
    together = estimates.mean_with_standard_error([0.0, 1.0, 1.0, 4.0], [0, 0, 1, 1])
    assert together == (1.5, pytest.approx((2 * (4 + 4)) ** 0.5 / 4), 1)
    # of one sample, or one cluster, nothing is known
    assert estimates.mean_with_standard_error([2.0]) == (2.0, np.inf, np.inf)
    assert estimates.mean_with_standard_error([2.0, 3.0], [0, 0]) == (2.5, np.inf, 1)
    assert estimates.mean_with_interval([2.0]) == {"value": 2.0}


def test_the_interval_over_few_clusters_holds_the_truth():
    """Fourteen subjects, each with an error of its own."""
    rng, covered = np.random.default_rng(0), []
    cluster = np.repeat(np.arange(14), 30)
    for _ in range(600):
        values = rng.normal(size=14)[cluster] + rng.normal(size=len(cluster))
        interval = estimates.mean_with_interval(values, cluster)
        covered.append(interval["low"] < 0 < interval["high"])
    assert 0.93 < np.mean(covered) < 0.98


def test_intervals_of_skill_and_order_hold_the_truth():
    rng = np.random.default_rng(0)
    p = ((np.arange(200_000) + 0.5) / 200_000) ** 0.5  # quantiles of beta(2, 1)
    q = p**1.5
    a, brier = q.mean(), (p**2 - 2 * p * q + q).mean()
    skill, below = 1 - brier / (a * (1 - a)), np.cumsum(1 - q) - (1 - q) / 2
    order, held = (q @ below) / (q.sum() * (1 - q).sum()), []
    for _ in range(300):
        p = rng.beta(2, 1, 400)
        hit = (rng.random(400) < p**1.5).astype(int)
        found, auroc = (
            estimates.skill_with_interval(p, hit),
            estimates.auroc_with_interval(p, hit),
        )
        held.append(
            [found["low"] < skill < found["high"], auroc["low"] < order < auroc["high"]]
        )
    assert auroc["value"] == pytest.approx(roc_auc_score(hit, p))
    assert (np.mean(held, axis=0) > 0.92).all() and (np.mean(held, axis=0) < 0.98).all()


def test_auroc_of_a_perfect_order_leaves_room_for_the_rarer_side():
    score, hit = np.linspace(0, 1, 40), np.arange(40) >= 36
    auroc = estimates.auroc_with_interval(score, hit)
    assert auroc["value"] == 1 and auroc["high"] == 1
    assert auroc["low"] == pytest.approx(calib.wilson_interval(4, 4)[0])


def test_the_interval_of_a_mean_probability_ends_at_0_and_1():
    """Of two rows the normal interval would go beyond both."""
    number = read({"y": [0, 1], "p": [[0.98, 0.02], [0.02, 0.98]]})
    ends = mean_probability(number.prob[:, 1])
    assert ends == {"value": 0.5, "low": 0.0, "high": 1.0}


def test_ranks_of_ties_are_their_mean():
    assert estimates.ranks(np.array([3, 1, 3, 7])).tolist() == [2.5, 1, 2.5, 4]


def test_an_interval_says_something_where_it_has_a_width_and_leaves_zero_out():
    for low, high, is_beyond in (
        (0.0, 0.1, False),
        (0.01, 0.1, True),
        (-0.1, 0.0, False),
        (-0.1, -0.01, True),
    ):
        interval = {"low": low, "high": high}
        assert estimates.is_beyond_chance(interval) == is_beyond
        assert not estimates.is_of_equal_values(interval)
    assert not estimates.is_beyond_chance({"value": 1.0})
    assert estimates.is_of_equal_values({"value": 1.0})
    assert estimates.is_of_equal_values({"low": 0.1, "high": 0.1})


def test_the_skill_by_hand():
    """One half has a Brier score of 1/4; with three of four right the best constant has 3/16."""
    score, hit = np.full(4, 0.5), np.array([1, 1, 1, 0])
    number = estimates.skill_with_interval(score, hit)
    assert number["value"] == pytest.approx(-1 / 3)
    assert np.isnan(estimates.skill_with_interval(score, np.ones(4))["value"])


def test_the_order_of_pairs_by_hand():
    """Of two hits and two misses three pairs of four are in order; a tie counts half."""
    score, hit = np.array([0.9, 0.4, 0.6, 0.1]), np.array([1, 1, 0, 0])
    assert estimates.auroc_with_interval(score, hit)["value"] == 0.75
    score[2] = 0.4
    assert estimates.auroc_with_interval(score, hit)["value"] == 0.875


def test_the_interval_of_a_skill_is_as_wide_as_leaving_samples_out_says():
    """A rare event: how frequent it is moves the best constant, and so the skill."""
    rng = np.random.default_rng(4)
    score = rng.beta(1, 9, 500)
    hit = (rng.random(500) < score).astype(int)
    number = estimates.skill_with_interval(score, hit)
    rows = np.arange(500)
    without = [
        estimates.skill_with_interval(score[rows != row], hit[rows != row])["value"]
        for row in rows
    ]
    standard_error = np.std(without) * 499**0.5  # of the jackknife
    half = number["high"] - number["value"]
    assert half == pytest.approx(1.96 * standard_error, rel=0.03)
