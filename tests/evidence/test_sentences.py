"""Sentences of the chapters that a simulation with known truth can break."""

import numpy as np
from scipy import stats

import calib


def test_a_calibrated_network_may_be_calibrated_given_the_label_too():
    rng = np.random.default_rng(0)
    label = rng.integers(2, size=200_000)
    signal = rng.normal(2 * label - 1, 1.4)
    p = 1 / (1 + np.exp(-2 * signal / 1.4**2))
    y_prob = np.column_stack([1 - p, p])
    score, hit = calib.top_label(label, y_prob)
    for k in (0, 1):
        of_class = label == k
        assert abs(hit[of_class].mean() - score[of_class].mean()) < 0.004
        assert y_prob[of_class, k].mean() < 0.9  # while the event happens every time


def test_two_independent_calibrated_members_who_agree_are_worth_more():
    rng = np.random.default_rng(1)
    y = rng.integers(2, size=400_000)
    # a signal that is right in 80 % of the cases says 80 %, and is calibrated
    is_right = rng.random((2, len(y))) < 0.8
    votes = np.where(is_right, y, 1 - y)
    agree = votes[0] == votes[1]
    expected = 0.8**2 / (0.8**2 + 0.2**2)
    assert abs((votes[0] == y)[agree].mean() - expected) < 0.003


def test_one_forecast_has_two_ks_errors():
    score = np.repeat([0.25, 0.75], 1000)
    hit = np.concatenate([np.arange(1000) < 350, np.arange(1000) < 550]).astype(int)
    of_event, of_complement = (
        calib.ks_error(hit, score),
        calib.ks_error(1 - hit, 1 - score),
    )
    np.testing.assert_allclose([of_event, of_complement], [0.05, 0.10])
    np.testing.assert_allclose(calib.ece(hit, score), 0.15)


def test_choosing_the_lowest_of_many_thresholds_breaks_the_promise():
    """A score without order, 10 % errors everywhere: some upper end lies below 10 % too often."""
    rng = np.random.default_rng(2)
    n, repeats = 2000, 400
    sizes = np.arange(n // 20, n + 1)
    broken_by_choice = broken_when_fixed = 0
    for _ in range(repeats):
        errors = np.cumsum(rng.random(n) < 0.1)[sizes - 1]
        upper = stats.beta.ppf(0.975, errors + 1, sizes - errors)
        broken_by_choice += upper.min() <= 0.1
        broken_when_fixed += upper[len(sizes) // 2] <= 0.1
    assert broken_when_fixed / repeats < 0.05 < 0.1 < broken_by_choice / repeats


def test_the_loss_has_three_parts():
    rng = np.random.default_rng(3)
    q = rng.beta(2, 2, size=1_000_000)  # what somebody with everything would say
    s = np.where(q > 0.5, 0.9, 0.2)  # what the score keeps of it, and its fault
    hit = rng.random(len(q)) < q
    c = np.where(q > 0.5, q[q > 0.5].mean(), q[q <= 0.5].mean())
    total = np.mean((s - c) ** 2) + np.mean((c - q) ** 2) + np.mean(q * (1 - q))
    assert abs(np.mean((s - hit) ** 2) - total) < 0.001
