"""Differences of two models: they agree with a loop, hold what a repair gains, or are refused."""

import numpy as np
import pytest
from draws import draw
from resampled import RESAMPLED, loop, rng
from scipy import stats

import calib
from calib.split_errors import Gaps, split_difference


@pytest.mark.parametrize(
    ("metric", "options"), RESAMPLED[:4] + RESAMPLED[6:7] + RESAMPLED[11:]
)
def test_paired_difference_agrees_with_a_loop(metric, options):
    y, p = draw(90, 4, sharp=1.0)
    q = (p + 0.25) / 2
    pairs = loop(metric, y, p, q, n_resamples=15, seed=5, **options)
    arguments = {"n_resamples": 15, "method": "basic", "rng": rng(5)} | options
    interval = calib.paired_difference(metric, y, p, q, **arguments)
    value = metric(y, p, **options) - metric(y, q, **options)
    low, high = np.quantile(pairs[:, 0] - pairs[:, 1], [0.025, 0.975])
    expected = [value, 2 * value - high, 2 * value - low]
    np.testing.assert_allclose(
        [interval.value, interval.low, interval.high], expected, atol=1e-12
    )
    assert interval.method == "basic paired bootstrap"


def before_and_after(n, generator):
    """A network that is sure by a factor of 1.6 too much, and after exactly that temperature."""
    z = 6 * generator.normal(size=(n, 10))
    after = calib.softmax(z)
    y = (after.cumsum(axis=1) < generator.random((n, 1))).sum(axis=1)
    return np.minimum(y, 9), calib.softmax(1.6 * z), after


def two_calibrated(n, generator):
    """A calibrated forecast of heads, and one that knows nothing: hits of both, and scores."""
    score = generator.uniform(0.5, 1, n)
    heads = generator.random(n) < 0.5
    hit = generator.random(n) < score
    return hit, score, np.full(n, 0.5), hit == heads


def gain(metric, method, n=1000, trials=60):
    """How many intervals of what the temperature gains hold it."""
    y, *forecasts = before_and_after(300_000, rng(0))
    score, hit = calib.top_label(y, forecasts[0])
    truth, generator, n_covered = metric(hit, score), rng(1), 0
    for _ in range(trials):
        samples = before_and_after(n, generator)
        arguments = {"n_resamples": 100, "method": method, "rng": generator}
        interval = calib.paired_difference(metric, *samples, **arguments)
        n_covered += interval.low <= truth <= interval.high
    return n_covered


def test_what_a_repair_gains_is_held():
    assert gain(calib.ece, None) >= 52  # 57 of 60 are promised


def test_the_basic_interval_would_miss_the_bound_of_a_repair():
    assert gain(calib.ece, "basic") < 48


@pytest.mark.parametrize("n", [300, 3000])
def test_two_calibrated_forecasts_are_seldom_called_different(n):
    generator, different = rng(2), 0
    for _ in range(100):
        hit, score, blunt, coin = two_calibrated(n, generator)
        arguments = {"y_true_b": coin, "n_resamples": 100, "rng": generator}
        interval = calib.paired_difference(calib.ece, hit, score, blunt, **arguments)
        different += not interval.low <= 0 <= interval.high
    assert different <= 11  # five are promised at most


def test_models_that_say_the_same_differ_by_nothing():
    y, p = draw(80, 3)
    for metric in (calib.ece, calib.nll, calib.accuracy):
        same = calib.paired_difference(
            metric, y, (p + 1) / 4, (p + 1) / 4, n_resamples=9, rng=0
        )
        assert (same.value, same.low, same.high) == (0, 0, 0)


REFUSED_DIFFERENCES = [
    m.function
    for m in calib.METRICS.values()
    if m.kind in ("error", "errors of classes")
    and (m.in_bins({}) or ("", ""))[1] != "l1"
]


@pytest.mark.parametrize(
    "metric", REFUSED_DIFFERENCES, ids=lambda metric: metric.__name__
)
def test_a_difference_without_an_interval_is_refused_and_says_who_answers(metric):
    y, p = draw(60, 3)
    with pytest.raises(calib.NoIntervalError, match="nll, brier and ece have one"):
        calib.paired_difference(metric, y, p, p[:, ::-1], n_resamples=5, rng=0)
    arguments = {"method": "basic", "n_resamples": 5, "rng": 0}
    assert np.isfinite(
        calib.paired_difference(metric, y, p, p[:, ::-1], **arguments).value
    )


def test_a_difference_of_too_many_bins_or_of_one_sample_is_refused():
    hit, score = rng(0).random(5000) < 0.5, rng(1).random(5000)
    with pytest.raises(
        ValueError, match="y_prob_a: scores in 100 bins, expected at most 60"
    ):
        calib.paired_difference(calib.ece, hit, score, score**2, n_bins=100, rng=0)
    with pytest.raises(
        calib.NoIntervalError, match="y_true: one cluster, expected two"
    ):
        calib.paired_difference(
            calib.ece, hit, score, score**2, clusters=hit * 0, rng=0
        )


def test_a_difference_of_models_with_their_own_hits():
    hits, hits_b = rng(0).random((2, 80)) < 0.7
    score = rng(1).random((2, 80))
    arguments = {"y_true_b": hits_b, "n_resamples": 25, "method": "basic", "rng": 4}
    interval = calib.paired_difference(calib.ece, hits, *score, **arguments)
    again = calib.bootstrap_statistic(
        lambda i: calib.ece(hits[i], score[0, i]) - calib.ece(hits_b[i], score[1, i]),
        80, n_resamples=25, rng=4,
    )  # fmt: skip
    np.testing.assert_allclose(interval.resampled, again.resampled, atol=1e-12)
    ends = [(e.value, e.low, e.high, e.standard_error) for e in (interval, again)]
    np.testing.assert_allclose(*ends, atol=1e-12)


def test_a_split_interval_is_students_and_wider_by_what_each_model_is_short_of():
    """By the error of b that is missing downwards, by that of a upwards; of m clusters m - 1."""
    generator = rng(0)
    score, chance = generator.random((2, 600))
    hit, cluster = chance < score, np.arange(600) // 100
    arguments = {"n_resamples": 200, "clusters": cluster, "rng": rng(3)}
    interval = calib.paired_difference(calib.ece, hit, score**2, score, **arguments)
    gaps = [
        Gaps.of(calib.Pairs(s, hit), calib.equal_width(15)) for s in (score**2, score)
    ]
    value, drawn, (short_a, short_b) = split_difference(
        *gaps, cluster=cluster, n_resamples=200, rng=rng(3)
    )
    half = stats.t.ppf(0.975, 5) * np.std(drawn, ddof=1)
    assert short_a < short_b / 1.2 or short_b < short_a / 1.2
    assert interval.value == value
    assert interval.low == pytest.approx(value - half - short_b)
    assert interval.high == pytest.approx(value + half + short_a)


def test_a_difference_of_two_infinite_losses_is_refused():
    y, p = [0, 1], np.array([[0.0, 1.0], [0.5, 0.5]])
    with pytest.raises(calib.NoIntervalError, match="metric: nll is infinite for both"):
        calib.paired_difference(calib.nll, y, p, p, rng=rng())


def test_where_all_resamples_agree_the_difference_of_shares_has_what_is_unseen():
    """Of twenty hits and twenty misses: 1, and less by Wilson's bound of none of twenty."""
    p = np.full(20, 0.9)
    right, wrong = np.ones(20, int), np.zeros(20, int)
    found = calib.paired_difference(calib.accuracy, right, p, p, y_true_b=wrong, rng=0)
    unseen = calib.wilson_interval(0, 20)[1]
    assert (found.value, found.low, found.high) == pytest.approx((1, 1 - unseen, 1))
