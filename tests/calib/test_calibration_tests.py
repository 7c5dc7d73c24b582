"""Tests of calibration keep their size, find errors, and are what their formulas say."""

from functools import partial
from inspect import signature

import numpy as np
import pytest
from draws import draw
from resampled import rng
from scipy import stats
from worlds import DistortedScores, NoisyLabels

import calib
from calib import (
    consistency_test,
    one_vs_rest,
    top_label,
)


def test_holm_rejects_step_by_step():
    p = rng(0).random(12) ** 3
    for level in (0.01, 0.05, 0.3):
        rejected = np.zeros(12, bool)
        for step, i in enumerate(np.argsort(p)):
            if p[i] * (12 - step) > level:
                break
            rejected[i] = True
        np.testing.assert_array_equal(calib.holm(p) <= level, rejected)


OF_VIEWS = [
    metric.function
    for metric in calib.METRICS.values()
    if metric.reads == "pairs"
    and not metric.smooth
    and "view" in signature(metric.function).parameters
]
SMOOTH = [metric.function for metric in calib.METRICS.values() if metric.smooth]


@pytest.mark.parametrize("metric", OF_VIEWS, ids=lambda metric: metric.__name__)
@pytest.mark.parametrize("view", [top_label, one_vs_rest(2), calib.within_top_r(2)])
def test_consistency_test_of_any_view(metric, view):
    y, p = draw(30, 3)
    score, _ = view(y, p)
    test = consistency_test(metric, y, p, n_resamples=5, rng=rng(4), view=view)
    generator = rng(4)
    null = [metric(generator.random(30) < score, score) for _ in range(5)]
    np.testing.assert_allclose(test.null, null, atol=1e-12)
    assert test.statistic == metric(y, p, view=view)
    assert test.p_value == (1 + sum(m >= test.statistic - 1e-12 for m in null)) / 6


@pytest.mark.parametrize("metric", [calib.ks_error, calib.kde_ece, calib.classwise_ece])
def test_a_consistency_test_of_clusters_draws_as_the_bootstrap(metric):
    y, p = draw(60, 3)
    options = {"clusters": np.arange(60) // 5, "n_resamples": 20}
    test = consistency_test(metric, y, p, rng=rng(3), **options)
    estimate = calib.bootstrap(metric, y, p, rng=rng(3), **options)
    np.testing.assert_array_equal(test.null, estimate.null)
    alone = consistency_test(metric, y, p, n_resamples=20, rng=rng(3))
    assert not np.array_equal(test.null, alone.null)


def test_an_own_metric_of_clusters_draws_all_rows_of_one_alike():
    def spread(y_true, y_prob):
        return float(np.ptp(y_true.reshape(-1, 4), axis=1).max())

    options = {"n_resamples": 9, "rng": rng()}
    y, p = np.tile([0, 1], 20), np.full((40, 2), 0.5)
    test = consistency_test(spread, y, p, clusters=np.arange(40) // 4, **options)
    assert test.statistic == 1 and not test.null.any()
    assert consistency_test(spread, y, p, **options).null.all()
    with pytest.raises(ValueError, match=r"clusters: shape \(3,\), expected \(40,\)"):
        consistency_test(spread, y, p, clusters=[1, 2, 3], **options)


@pytest.mark.parametrize("metric", [calib.ece, calib.ks_error, calib.ace])
def test_draws_that_tie_but_for_rounding_count(metric):
    p = np.tile([0.1, 0.2, 0.7], (5, 1))
    test = consistency_test(metric, [0, 1, 2, 2, 2], p, n_resamples=200, rng=rng())
    as_large = (test.null > test.statistic) | np.isclose(
        test.null, test.statistic, atol=1e-9
    )
    assert test.p_value == (1 + as_large.sum()) / 201


@pytest.mark.parametrize("metric", SMOOTH, ids=lambda metric: metric.__name__)
def test_what_is_not_larger_where_calibration_is_worse_is_refused(metric):
    """Stated .6 and always right: far from calibrated, with a small loss and many hits."""
    y, p = np.zeros(40, int), np.tile([0.6, 0.4], (40, 1))
    with pytest.raises(ValueError, match=f"metric: {metric.__name__} need not grow"):
        consistency_test(metric, y, p, rng=rng())
    with pytest.raises(ValueError, match=f"metric: {metric.__name__} need not grow"):
        consistency_test(partial(metric), y, p, rng=rng())
    assert consistency_test(calib.ece, y, p, n_resamples=99, rng=rng()).p_value == 0.01


def test_consistency_test_draws_labels_from_the_rows():
    p = np.tile([0.5, 0.3, 0.2], (4000, 1))
    samples = []

    def own(y_true, y_prob):
        samples.append(np.bincount(y_true, minlength=3) / len(y_true))
        return 0.0

    test = consistency_test(own, np.zeros(4000, int), p, n_resamples=9, rng=rng())
    np.testing.assert_allclose(np.mean(samples[1:], axis=0), [0.5, 0.3, 0.2], atol=0.01)
    assert test.p_value == 1


def p_values(test, model, n, repeats, seed=0):
    generator = rng(seed)
    samples = (model.sample(n, generator) for _ in range(repeats))
    return np.array([test(y, p, rng=generator).p_value for y, p in samples])


TESTS = {
    "ece": partial(consistency_test, calib.ece, n_resamples=99),
    "ks": partial(consistency_test, calib.ks_error, n_resamples=99),
    "classwise": partial(
        consistency_test, calib.classwise_ece, n_resamples=49, n_bins=5
    ),
    "spiegelhalter": lambda y, p, rng: calib.spiegelhalter_test(y, p),
}


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_p_values_are_uniform_and_a_distorted_model_is_found(test):
    model = NoisyLabels(n_classes=3, concentration=1.0, noise=0.0)
    values = p_values(test, model, 200, 200)
    assert stats.kstest(values, "uniform").pvalue > 0.001
    assert np.mean(values <= 0.05) < 0.11
    model = NoisyLabels(n_classes=3, concentration=0.3, noise=0.35)
    assert np.mean(p_values(test, model, 300, 20) <= 0.05) >= 0.9


def test_spiegelhalter_is_the_standardised_brier_score():
    # (0.1)(-0.8) + (0.4)(-0.2) + (-0.2)(0.6) = -0.28; 0.0576 + 0.0096 + 0.0576 = 0.1248
    test = calib.spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2])
    assert test.statistic == pytest.approx(-0.28 / np.sqrt(0.1248))
    assert test.p_value == pytest.approx(2 * stats.norm.cdf(-0.28 / np.sqrt(0.1248)))
    hit, score = DistortedScores().sample(500, rng())
    deviation = np.sqrt(np.sum((1 - 2 * score) ** 2 * score * (1 - score))) / len(score)
    z = (np.mean((hit - score) ** 2) - np.mean(score * (1 - score))) / deviation
    assert calib.spiegelhalter_test(hit, score).statistic == pytest.approx(z)


@pytest.mark.parametrize("statistic", ["ks", "kuiper"])
def test_cumulative_tests_keep_their_size_and_find_errors(statistic):
    generator, results = rng(3), []
    for _ in range(600):
        score = generator.random(400)
        hit = generator.random(400) < score
        results.append(calib.cumulative_test(hit, score, statistic=statistic).p_value)
    for level in (0.01, 0.05, 0.2, 0.5):
        noise = 4 * np.sqrt(level * (1 - level) / 600)
        assert np.mean(np.array(results) < level) == pytest.approx(level, abs=noise)
    score = generator.random(2000)
    hit = generator.random(2000) < score**1.3
    assert calib.cumulative_test(hit, score, statistic=statistic).p_value < 1e-4


def test_kuiper_sees_what_ks_half_sees():
    """Gaps that rise and fall back leave a range of twice the largest sum."""
    score, hit = np.repeat([0.2, 0.8], 100), np.tile([1, 0], 100)
    ks, kuiper = (
        calib.cumulative_test(hit, score, statistic=s).statistic
        for s in ("ks", "kuiper")
    )
    assert ks == pytest.approx(30 / np.sqrt(200 * 0.16)) == kuiper
    rising = calib.cumulative_test(hit, np.repeat([0.8, 0.2], 100), statistic="kuiper")
    assert rising.statistic == pytest.approx(ks)


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (calib.spiegelhalter_test, [[1, 0], [1.0, 0.5]], "y_prob: every score"),
        (calib.cumulative_test, [[0, 1], [0.0, 1.0]], "y_prob: every score is 0 or 1"),
    ],
)
def test_scores_without_a_variance_are_named(call, arguments, message):
    with pytest.raises(ValueError, match=message):
        call(*arguments)


def test_the_range_of_cumulative_gaps_counts_the_zero_before_the_first():
    """Two answers, both right: the gaps .5 and .4 sum to .9, with the variance .25 + .24."""
    for statistic in ("ks", "kuiper"):
        test = calib.cumulative_test([1, 1], [0.5, 0.6], statistic=statistic)
        assert test.statistic == pytest.approx(0.9 / 0.7)
