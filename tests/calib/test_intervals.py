"""Intervals cover, and the fast ways agree with literal loops."""

from functools import partial

import numpy as np
import pytest
from draws import draw
from resampled import RESAMPLED, loop, own_metric, rng
from scipy import stats
from worlds import DistortedScores, NoisyLabels

import calib
from calib import bootstrap, equal_mass, equal_width, top_label
from calib.intervals import within_possible


@pytest.mark.parametrize(
    "case", [{}, {"ties": True, "saturated": True}], ids=["plain", "ties"]
)
@pytest.mark.parametrize(("metric", "options"), RESAMPLED)
def test_bootstrap_agrees_with_a_loop(metric, options, case):
    y, p = draw(120, 4, sharp=1.0, **case)
    if metric is calib.nll:
        p = (p + 0.25) / 2
    resampled = loop(metric, y, p, n_resamples=20, seed=3, **options)[:, 0]
    interval = bootstrap(
        metric, y, p, n_resamples=20, method="percentile", rng=rng(3), **options
    )
    expected = np.quantile(resampled, [0.025, 0.975])
    np.testing.assert_allclose([interval.low, interval.high], expected, atol=1e-12)
    assert interval.standard_error == pytest.approx(
        np.std(resampled, ddof=1), abs=1e-12
    )
    assert interval.value == metric(y, p, **options)
    np.testing.assert_allclose(interval.resampled, resampled, atol=1e-12)


def test_kinds_of_intervals():
    y, p = draw(200, 3)
    basic, percentile = (
        bootstrap(calib.ece, y, p, n_resamples=200, method=method, rng=rng())
        for method in ("basic", "percentile")
    )
    assert basic.low == pytest.approx(2 * basic.value - percentile.high)
    assert basic.high == pytest.approx(2 * basic.value - percentile.low)
    assert (basic.method, percentile.method) == (
        "basic bootstrap",
        "percentile bootstrap",
    )
    assert basic.n_resamples == 200
    assert (
        bootstrap(calib.brier, y, p, n_resamples=5, rng=0).method == "basic bootstrap"
    )
    same = calib.paired_difference(calib.ece, y, p, p, n_resamples=20, rng=0)
    assert (same.value, same.low, same.high, same.standard_error) == (0, 0, 0, 0)
    assert str(basic) == f"{basic.value:.4f} ({basic.low:.4f} to {basic.high:.4f})"
    first, again, reseeded = (
        bootstrap(calib.ece, y, p, rng=rng(seed)) for seed in (1, 1, 2)
    )
    assert first == again != reseeded
    interval = bootstrap(
        calib.ece, [1], [[0.3, 0.7]], method="basic", n_resamples=5, rng=rng()
    )
    assert (interval.low, interval.high, interval.standard_error) == (
        interval.value,
        interval.value,
        0,
    )


@pytest.mark.parametrize("method", ["basic", "percentile"])
def test_an_infinite_loss_has_an_infinite_interval(method):
    y, p = draw(200, 3)
    p[3] = np.eye(3)[(y[3] + 1) % 3]
    interval = bootstrap(
        calib.nll, y, p, n_resamples=50, method=method, rng=0, sample_weight=None
    )
    assert (interval.value, interval.low, interval.high) == (np.inf, np.inf, np.inf)
    assert np.isnan(interval.standard_error)


OF_MASS = partial(calib.calibration_error, bins=equal_mass(15))


OTHERS = [
    pytest.param(m, marks=pytest.mark.slow) for m in (calib.rmsce, calib.mce, OF_MASS)
]


@pytest.mark.parametrize("metric", [calib.ece, *OTHERS])
@pytest.mark.parametrize(
    "model", [NoisyLabels(4, 1.0, 0.0), DistortedScores(a=0.7)], ids=repr
)
def test_corrected_intervals_cover(model, metric):
    calibrated = isinstance(model, NoisyLabels)
    truth = 0.0 if calibrated else metric(*model.sample(400_000, rng()))
    covered, generator = {"corrected": 0, "basic": 0}, rng(1)
    for _ in range(60):
        samples = model.sample(500, generator)
        for method in covered if calibrated else ["corrected"]:
            interval = bootstrap(
                metric, *samples, method=method, n_resamples=100, rng=generator
            )
            covered[method] += interval.low <= truth <= interval.high
    assert covered["corrected"] >= 52
    assert not calibrated or covered["basic"] < 48


ALL = [m.function for m in calib.METRICS.values()]


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.__name__)
@pytest.mark.parametrize("sure", [0.9, 1.0])
def test_no_interval_has_no_width_or_goes_beyond_what_is_possible(metric, sure):
    n, largest = 40, calib.METRICS[metric.__name__].largest
    y, p = (
        np.arange(n) % 2,
        np.where(np.arange(2) == (np.arange(n) % 2)[:, None], sure, 1 - sure),
    )
    swapped = p.copy()
    swapped[:2] = swapped[:2, ::-1]
    for q in (p, swapped) if sure < 1 else (p,):
        interval = bootstrap(metric, y, q, n_resamples=30, rng=0)
        assert 0 <= interval.low < interval.high <= largest
        assert (
            interval.low <= interval.value <= interval.high
            or metric is calib.debiased_ece
        )


@pytest.mark.slow
@pytest.mark.parametrize("calibrated", [False, True])
@pytest.mark.parametrize(
    "metric",
    [
        m.function
        for m in calib.METRICS.values()
        if m.kind in ("error", "errors of classes")
    ],
    ids=lambda metric: metric.__name__,
)
def test_every_error_of_calibration_is_held_by_its_own_interval(metric, calibrated):
    """Near calibration, where intervals are hardest, and at it; `basic` holds 0 to 90 % there."""
    generator, n_covered, n = rng(5), 0, 600
    model = NoisyLabels(4, 1.0, 0.0 if calibrated else 0.08)
    goal = partial(calib.calibration_error, bins=equal_mass(15), norm="l2")
    goal = goal if metric is calib.debiased_ece else metric
    truth = 0.0 if calibrated else goal(*model.sample(200_000, rng()))
    for _ in range(40):
        interval = bootstrap(
            metric, *model.sample(n, generator), n_resamples=60, rng=generator
        )
        n_covered += interval.low <= truth <= interval.high
    assert n_covered >= 33


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("distorted", [False, True])
def test_corrected_interval_by_its_definition(clustered, distorted):
    y, p = draw(150, 3, sharp=1.5)
    score, hit = top_label(
        y, p**3 / (p**3).sum(axis=1, keepdims=True) if distorted else p
    )
    y, p = hit, score
    cluster = np.arange(150) // 5
    options = {"clusters": cluster} if clustered else {}
    interval = bootstrap(calib.ece, y, p, n_resamples=60, rng=3, **options)
    bins, generator, null, resampled = equal_width(15)(score, hit), rng(3), [], []
    for _ in range(60):
        gap = (
            (hit - score) * (generator.integers(0, 2, 30) * 2 - 1)[cluster]
            if clustered
            else (generator.random(150) < score) - score
        )
        null.append(np.abs(np.bincount(bins.assign(score), gap)).sum() / 150)
    members = np.arange(150).reshape(30 if clustered else 150, -1)
    for _ in range(60):
        rows = members[generator.integers(len(members), size=len(members))].ravel()
        resampled.append(calib.ece(hit[rows], score[rows]))
    np.testing.assert_allclose(interval.null, null, atol=1e-12)
    np.testing.assert_allclose(interval.resampled, resampled, atol=1e-12)
    assert interval.high == pytest.approx(
        interval.value + 1.959963984540054 * np.std(resampled, ddof=1)
    )
    basic, chance = (
        2 * interval.value - np.quantile(resampled, 0.975),
        np.quantile(null, 0.95),
    )
    low = basic if basic > chance else max(interval.value - chance, 0)
    assert interval.low == pytest.approx(low)
    assert (interval.value <= chance) == (interval.low == 0) == (not distorted)


CLUSTERED = [
    calib.ece,
    calib.classwise_ece,
    calib.ks_error,
    calib.aurc,
    calib.nll,
    own_metric,
]


@pytest.mark.parametrize("metric", [calib.mce, calib.ks_error])
def test_a_skewed_error_ends_at_the_percentile_where_that_is_higher(metric):
    """Of a calibrated model a largest gap, or sum, has a long upper tail."""
    score, chance = np.random.default_rng(0).random((2, 200))
    estimate = bootstrap(metric, chance < score, score, n_resamples=400, rng=0)
    normal = estimate.value + stats.norm.ppf(0.975) * estimate.standard_error
    percentile = np.quantile(estimate.resampled, 0.975)
    assert estimate.high == percentile > normal


def test_an_error_of_pairs_reaches_as_far_as_a_sample_like_none_may_move_it():
    """All 50 answers are right and said with nearly one confidence: hardly any spread is seen."""
    score = np.linspace(0.95, 0.951, 50)
    estimate = bootstrap(calib.ece, np.ones(50, int), score, n_bins=1, rng=0)
    z = stats.norm.ppf(0.975)
    assert z * estimate.standard_error < 0.001 < z**2 / (50 + z**2)
    assert estimate.high - estimate.value == pytest.approx(z**2 / (50 + z**2))


@pytest.mark.parametrize("metric", CLUSTERED, ids=lambda metric: metric.__name__)
def test_whole_clusters_are_drawn(metric):
    y, p = draw(90, 4, sharp=1.0)
    q, names = (p + 0.25) / 2, np.array([*"abcdefghi"])[np.arange(90) % 9]
    generator, expected = rng(2), []
    for _ in range(20):
        chosen = generator.integers(9, size=9)
        rows = np.concatenate([np.flatnonzero(names == "abcdefghi"[c]) for c in chosen])
        expected.append((metric(y[rows], p[rows]), metric(y[rows], q[rows])))
    options = {"n_resamples": 20, "clusters": names.tolist(), "rng": 2}
    interval = bootstrap(metric, y, p, method="basic", **options)
    np.testing.assert_allclose(interval.resampled, np.array(expected)[:, 0], atol=1e-12)
    paired = calib.paired_difference(metric, y, p, q, method="basic", **options)
    np.testing.assert_allclose(paired.resampled, -np.diff(expected)[:, 0], atol=1e-12)


def test_a_statistic_may_be_an_array():
    x = rng(0).normal(size=(40, 2))
    whole = calib.bootstrap_statistic(
        lambda i: x[i].mean(axis=0), 40, n_resamples=30, rng=1
    )
    for k in (0, 1):
        singles = calib.bootstrap_statistic(
            lambda i, k=k: x[i, k].mean(), 40, n_resamples=30, rng=1
        )
        components = [
            getattr(whole, name)[k]
            for name in ("value", "low", "high", "standard_error")
        ]
        np.testing.assert_allclose(
            components,
            [singles.value, singles.low, singles.high, singles.standard_error],
        )


def test_wilson_interval_is_where_a_test_of_the_share_does_not_reject():
    for hits, n, level in ((0, 7, 0.95), (3, 10, 0.9), (2.5, 6, 0.8), (50, 50, 0.99)):
        ends = calib.wilson_interval(hits, n, level)
        z = stats.norm.ppf((1 + level) / 2)
        for p in ends:
            if 0 < p < 1:
                assert abs(hits - n * p) == pytest.approx(z * np.sqrt(n * p * (1 - p)))
        assert (ends[0] == 0) == (hits == 0) and (ends[1] == 1) == (hits == n)
        several = calib.wilson_interval([hits, 1], [n, 2], level)
        assert [end[0] for end in several] == list(ends)


def test_hits_and_numbers_of_other_shapes_are_named():
    with pytest.raises(ValueError, match=r"n: shape \(3,\), expected \(2,\) as hits"):
        calib.wilson_interval([1, 2], [1, 2, 3])
    rows = calib.wilson_interval([[1], [2]], [3, 4, 5])
    assert rows[0].shape == rows[1].shape == (2, 3)


def test_means_of_errors_of_classes_begin_at_what_exceeds_chance():
    """Also where the basic interval begins higher, as it does of a model that is far off."""
    y, p = draw(300, 3, sharp=1.5)
    distorted = p**4 / (p**4).sum(axis=1, keepdims=True)
    options = {"n_resamples": 100, "rng": 0}
    of_classes = bootstrap(calib.classwise_ece, y, distorted, **options)
    by_chance = np.quantile(of_classes.null, 0.95)
    basic = 2 * of_classes.value - np.quantile(of_classes.resampled, 0.975)
    assert of_classes.low == pytest.approx(of_classes.value - by_chance)
    assert min(of_classes.low, basic) > by_chance and of_classes.low != basic


def test_clusters_that_agree_leave_the_doubt_of_as_many_samples():
    """All answers of ten patients are right: what none shows is Wilson's of ten, not of 200."""
    y, cluster = np.ones(200, int), np.arange(200) // 20
    p = np.tile([0.2, 0.8], (200, 1))
    estimate = bootstrap(calib.accuracy, y, p, clusters=cluster, n_resamples=50, rng=0)
    z = stats.norm.ppf(0.975)
    assert (estimate.value, estimate.high) == (1.0, 1.0)
    assert estimate.low == pytest.approx(1 - z**2 / (10 + z**2))


@pytest.mark.parametrize(("said", "n", "n_right"), [(0.9, 50, 41), (0.95, 300, 278)])
def test_an_interval_begins_at_zero_where_chance_ties_with_the_value(said, n, n_right):
    """All say one number: draws are as far from it, but for the order of a sum."""
    hit, score = (np.arange(n) < n_right).astype(int), np.full(n, said)
    estimate = calib.bootstrap(calib.ece, hit, score, rng=np.random.default_rng(0))
    assert estimate.p_value > 0.05 and estimate.low == 0


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0.2, 0.6), (0.2, 0.6)),
        ((-0.1, 2.3), (0.0, 2.0)),
        (
            (0.5, 0.5),
            (0.3, 0.7),
        ),  # all agree: a tenth of what is possible, to both sides
        ((0.5, 0.5 + 1e-15), (0.3, 0.7)),
    ],
)
def test_an_interval_is_within_what_is_possible_and_has_a_width(ends, expected):
    estimate = calib.Estimate(0.5, *ends, 0.1, 0.95, 10, "basic bootstrap")
    within = within_possible(estimate, 0.0, 2.0, 0.1)
    assert (within.low, within.high) == pytest.approx(expected)


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (0, 0), (1, np.inf)])
def test_hits_are_from_none_to_all_of_a_positive_number(hits, n):
    with pytest.raises(ValueError, match=r"hits: .* expected a number from 0 to n"):
        calib.wilson_interval(hits, n)


def test_the_interval_of_a_square_is_that_of_its_root_squared():
    """By the definition of the corrected interval, with the draws of both."""
    score = np.linspace(0.01, 0.99, 300)
    hit = np.random.default_rng(2).random(300) < score**3
    square = bootstrap(calib.two_bin_error, hit, score, rng=0)
    root, roots = np.sqrt(square.value), np.sqrt(square.resampled)
    chance = np.sqrt(square.null)
    low = 2 * root - np.quantile(roots, 0.975)
    if low <= np.quantile(chance, 0.95):
        low = max(root - np.quantile(chance, 0.95), 0)
    unseen = calib.wilson_interval(0, 300)[1]
    high = root + max(stats.norm.ppf(0.975) * roots.std(ddof=1), unseen)
    assert low > 0 and (square.low, square.high) == pytest.approx((low**2, high**2))


def test_no_interval_of_an_error_reaches_beyond_one():
    """Twenty misses said with .98: the error is .98, and a sample unlike them adds a tenth."""
    estimate = bootstrap(calib.ece, np.zeros(20, int), np.full(20, 0.98), rng=0)
    assert (estimate.value, estimate.high) == (pytest.approx(0.98), 1)


def test_numbers_of_an_array_are_printed_in_turn():
    constant = calib.bootstrap_statistic(lambda rows: np.array([1.0, 2.0]), 5, rng=0)
    assert str(constant) == "1.0000 (1.0000 to 1.0000), 2.0000 (2.0000 to 2.0000)"
    one = calib.bootstrap_statistic(lambda rows: 0.5, 5, rng=0)
    assert str(one) == "0.5000 (0.5000 to 0.5000)"
