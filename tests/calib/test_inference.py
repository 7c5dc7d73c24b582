"""Intervals cover, tests keep their size, and the fast ways agree with literal loops."""

from functools import partial
from inspect import signature
from itertools import product

import numpy as np
import pytest
from cases import draw
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.sparse import csr_array

import calib
from calib import (
    bootstrap,
    consistency_test,
    equal_mass,
    equal_width,
    one_vs_rest,
    top_label,
)
from calib.differences import sum_of_signs
from calib.intervals import poisson_binomial
from evidence.derived.calibration_tests import hosmer_lemeshow_test, skce_test
from evidence.simulate import BetaDistorted, LabelNoise


def rng(seed=0):
    return np.random.default_rng(seed)


def loop(metric, y, *probabilities, n_resamples, seed, **options):
    """The metric of rows drawn again, one resample at a time."""
    generator, values = rng(seed), []
    for _ in range(n_resamples):
        i = generator.integers(len(y), size=len(y))
        values.append([metric(y[i], p[i], **options) for p in probabilities])
    return np.array(values)


def own_metric(y_true, y_prob):
    return float(np.mean(y_prob.argmax(axis=1) == y_true))


METRICS = [
    (calib.ece, {}),
    (calib.ece, {"n_bins": 7, "closed": "left"}),
    (calib.mce, {"n_bins": 10}),
    (calib.rmsce, {}),
    (
        calib.calibration_error,
        {"view": one_vs_rest(1), "bins": equal_width(5), "norm": "l2"},
    ),
    (calib.calibration_error, {"bins": equal_mass(6)}),
    (calib.ks_error, {}),
    (calib.ks_error, {"view": calib.within_top_r(2)}),
    (calib.smooth_ece, {}),
    (calib.debiased_ece, {"view": one_vs_rest(0)}),
    (calib.sweep_ece, {}),
    (calib.classwise_ece, {}),
    (calib.classwise_ece, {"n_bins": 4, "closed": "left"}),
    (calib.accuracy, {}),
    (calib.top1_brier, {"view": one_vs_rest(2)}),
    (calib.ace, {"n_bins": 5}),
    (calib.nll, {}),
    (calib.brier, {}),
    (partial(calib.ece, n_bins=7), {}),
    (partial(calib.kde_ece, view=one_vs_rest(1)), {}),
    (calib.aurc, {}),
    (own_metric, {}),
]


@pytest.mark.parametrize(
    "case", [{}, {"ties": True, "saturated": True}], ids=["plain", "ties"]
)
@pytest.mark.parametrize(("metric", "options"), METRICS)
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


@pytest.mark.parametrize("resample", [bootstrap, consistency_test])
def test_few_entries_are_kept_as_sums(resample, monkeypatch):
    y, p = draw(60, 4)
    summed = resample(calib.classwise_ece, y, p, n_resamples=20, rng=0)
    monkeypatch.setattr(calib.metrics, "CLASSWISE_ENTRIES", 0)
    recomputed = resample(calib.classwise_ece, y, p, n_resamples=20, rng=0)
    name = "resampled" if resample is bootstrap else "null"
    np.testing.assert_allclose(getattr(summed, name), getattr(recomputed, name))


def few_of_a_class(y_true, y_prob):
    return (
        float(y_prob[y_true == 0, 0].mean())
        if (y_true == 0).sum() > 3
        else float("nan")
    )


def test_a_metric_that_draws_leave_undefined_is_refused():
    y, p = np.repeat([0, 1], [4, 46]), np.tile([0.02, 0.98], (50, 1))
    message = r"metric: few_of_a_class is not a number for \d+ of 99 draws"
    for draws in (bootstrap, consistency_test):
        with pytest.raises(ValueError, match=message):
            draws(few_of_a_class, y, p, n_resamples=99, rng=rng())
    with pytest.raises(ValueError, match=message):
        calib.paired_difference(few_of_a_class, y, p, 1 - p, n_resamples=99, rng=rng())


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
    with pytest.raises(ValueError, match="metric: nll is infinite for both"):
        calib.paired_difference(calib.nll, y, p, p, rng=rng())


@pytest.mark.parametrize(
    ("metric", "options"), METRICS[:4] + METRICS[6:7] + METRICS[11:]
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


OF_MASS = partial(calib.calibration_error, bins=equal_mass(15))
OTHERS = [
    pytest.param(m, marks=pytest.mark.slow) for m in (calib.rmsce, calib.mce, OF_MASS)
]


@pytest.mark.parametrize("metric", [calib.ece, *OTHERS])
@pytest.mark.parametrize(
    "model", [LabelNoise(4, 1.0, 0.0), BetaDistorted(a=0.7)], ids=repr
)
def test_corrected_intervals_cover(model, metric):
    calibrated = isinstance(model, LabelNoise)
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


def test_a_split_error_by_its_definition():
    """The sign is read from one part of the evidence, the size from the other."""
    sums, spread = np.array([0.3, -0.05, 0.0]), np.array([0.1, 0.1, 0.2])
    noise = spread * rng(0).standard_normal((400_000, 3))
    products = np.sign(sums + noise / 2) * (sums - 2 * noise)
    expected, margin = (
        products.sum(axis=1).mean(),
        4 * products.sum(axis=1).std() / 400_000**0.5,
    )
    assert sum_of_signs(spread)(sums) == pytest.approx(expected, abs=margin)
    assert sum_of_signs(np.zeros(3))(sums) == pytest.approx(0.35)


def test_a_split_error_of_gaps_that_are_noise_is_zero_on_average():
    spread = np.array([0.1, 0.02, 0.3])
    errors = sum_of_signs(spread)(spread * rng(1).standard_normal((200_000, 3)))
    assert abs(errors.mean()) < 4 * errors.std() / 200_000**0.5
    sums = spread * np.array([1.0, 3.0, 0.5])
    errors = sum_of_signs(spread)(sums + spread * rng(2).standard_normal((200_000, 3)))
    assert 0 < sums.sum() - errors.mean() < 0.39 * spread.sum()


def test_models_that_say_the_same_differ_by_nothing():
    y, p = draw(80, 3)
    for metric in (calib.ece, calib.nll, calib.accuracy):
        same = calib.paired_difference(
            metric, y, (p + 1) / 4, (p + 1) / 4, n_resamples=9, rng=0
        )
        assert (same.value, same.low, same.high) == (0, 0, 0)


REFUSED_DIFFERENCES = [
    m for m in calib.METRICS.values() if m.kind in ("error", "errors of classes")
]
REFUSED_DIFFERENCES = [m.function for m in REFUSED_DIFFERENCES if m.norm != "l1"]


@pytest.mark.parametrize(
    "metric", REFUSED_DIFFERENCES, ids=lambda metric: metric.__name__
)
def test_a_difference_without_an_interval_is_refused_and_says_who_answers(metric):
    y, p = draw(60, 3)
    with pytest.raises(ValueError, match="nll, brier and ece have one"):
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
    with pytest.raises(ValueError, match="y_true: one cluster, expected two or more"):
        calib.paired_difference(
            calib.ece, hit, score, score**2, clusters=hit * 0, rng=0
        )


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
    model = LabelNoise(4, 1.0, 0.0 if calibrated else 0.08)
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


@given(st.integers(1, 60), st.integers(1, 6), st.integers(0, 9), st.booleans())
def test_folds_are_parts_with_even_classes(n, k, seed, shuffled):
    k, y = min(k, n), rng(seed).integers(3, size=n)
    for folds in (
        calib.folds(y, k, seed if shuffled else None),
        calib.folds(n, k, seed),
    ):
        assert sorted(np.concatenate(folds)) == list(range(n))
        assert np.ptp([len(rows) for rows in folds]) <= 1
    for label in range(3):
        counts = [(y[rows] == label).sum() for rows in calib.folds(y, k, seed)]
        assert np.ptp(counts) <= 1
    clusters = y * 7
    k = min(k, len(np.unique(y)))
    folds = calib.folds(n, k, seed, clusters=clusters)
    assert sorted(np.concatenate(folds)) == list(range(n))
    assert sum(len(np.unique(clusters[rows])) for rows in folds) == len(
        np.unique(clusters)
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
    if metric.of == "pairs" and "view" in signature(metric.function).parameters
]


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


def test_sums_above_one_by_rounding_are_resampled():
    p = np.array([[0.6006, 0.4004, 0.0], [0.5, 0.3, 0.2]] * 10, np.float16)
    options = {"n_resamples": 5, "rng": 0, "view": calib.within_top_r(2)}
    assert np.isfinite(bootstrap(calib.psce, [0, 2] * 10, p, **options).resampled).all()
    assert 0 < consistency_test(calib.psce, [0, 2] * 10, p, **options).p_value <= 1


@pytest.mark.parametrize("metric", [calib.ece, calib.ks_error, calib.brier, calib.ace])
def test_draws_that_tie_but_for_rounding_count(metric):
    p = np.tile([0.1, 0.2, 0.7], (5, 1))
    test = consistency_test(metric, [0, 1, 2, 2, 2], p, n_resamples=200, rng=rng())
    as_large = (test.null > test.statistic) | np.isclose(
        test.null, test.statistic, atol=1e-9
    )
    assert test.p_value == (1 + as_large.sum()) / 201


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
    "hosmer-lemeshow": lambda y, p, rng: hosmer_lemeshow_test(y, p),
    "skce": partial(skce_test, n_resamples=99),
}


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_p_values_are_uniform_and_a_distorted_model_is_found(test):
    model = LabelNoise(n_classes=3, concentration=1.0, noise=0.0)
    values = p_values(test, model, 200, 200)
    assert stats.kstest(values, "uniform").pvalue > 0.001
    assert np.mean(values <= 0.05) < 0.11
    model = LabelNoise(n_classes=3, concentration=0.3, noise=0.35)
    assert np.mean(p_values(test, model, 300, 20) <= 0.05) >= 0.9


def test_spiegelhalter_is_the_standardised_brier_score():
    # (0.1)(-0.8) + (0.4)(-0.2) + (-0.2)(0.6) = -0.28; 0.0576 + 0.0096 + 0.0576 = 0.1248
    test = calib.spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2])
    assert test.statistic == pytest.approx(-0.28 / np.sqrt(0.1248))
    assert test.p_value == pytest.approx(2 * stats.norm.cdf(-0.28 / np.sqrt(0.1248)))
    hit, score = BetaDistorted().sample(500, rng())
    deviation = np.sqrt(np.sum((1 - 2 * score) ** 2 * score * (1 - score))) / len(score)
    z = (np.mean((hit - score) ** 2) - np.mean(score * (1 - score))) / deviation
    assert calib.spiegelhalter_test(hit, score).statistic == pytest.approx(z)


def test_poisson_binomial_by_enumeration_and_of_equal_trials():
    prob = np.array([0.1, 0.7, 0.5, 0.99, 0.0, 1.0, 0.3])
    expected = np.zeros(len(prob) + 1)
    for outcome in map(np.array, product([0, 1], repeat=len(prob))):
        expected[outcome.sum()] += np.prod(np.where(outcome, prob, 1 - prob))
    np.testing.assert_allclose(poisson_binomial(prob), expected, atol=1e-14)
    for n in (0, 1, 2, 3, 500, 1025):
        expected = stats.binom.pmf(np.arange(n + 1), n, 0.3)
        np.testing.assert_allclose(
            poisson_binomial(np.full(n, 0.3)), expected, atol=1e-14
        )


def test_band_of_equal_scores_is_binomial():
    band = calib.consistency_band(
        [0.3] * 40 + [0.8] * 25, bins=equal_width(10), confidence_level=0.9
    )
    full, n = band.count > 0, np.array([40, 25])
    np.testing.assert_array_equal(band.count[full], n)
    low, high = (stats.binom.ppf(q, n, [0.3, 0.8]) / n for q in (0.05, 0.95))
    np.testing.assert_allclose(band.low[full], low)
    np.testing.assert_allclose(band.high[full], high)
    assert np.isnan([band.low[~full], band.high[~full], band.mean_score[~full]]).all()


def test_error_if_calibrated_is_the_mean_of_the_null():
    score, _ = top_label(*draw(150, 5))
    for bins in (equal_width(15), equal_mass(10)):
        test = consistency_test(
            calib.calibration_error,
            score < 0,
            score,
            bins=bins,
            n_resamples=600,
            rng=rng(),
        )
        margin = 4 * test.null.std() / np.sqrt(600)
        assert calib.error_if_calibrated(score, bins=bins) == pytest.approx(
            test.null.mean(), abs=margin
        )


P = [[0.9, 0.1], [0.4, 0.6]]
REFUSED = [
    ({"rng": 0.5}, "rng: 0.5"),
    ({"rng": -1}, "rng: -1"),
    ({"rng": None}, "rng: None"),
    ({"n_resamples": 0}, "n_resamples: 0"),
    ({"sample_weight": [1, 2]}, "sample_weight: not defined"),
    ({"y_true": [0, 5]}, "y_true: row 1 is 5"),
    ({"bins": 3}, "bins"),
    ({"metric": own_metric, "y_true": [0]}, "y_prob: 2 rows, expected 1 as in y_true"),
    ({"y_prob": csr_array(P)}, "y_prob: an array of type object"),
    ({"metric": lambda y, p: np.nan}, "metric: <lambda> is not a number"),
    ({"metric": "ece"}, "metric: 'ece'"),
]


@pytest.mark.parametrize(
    ("call", "options", "message"),
    [
        *(
            (call, *refused)
            for call in (bootstrap, consistency_test)
            for refused in REFUSED
        ),
        (bootstrap, {"method": "bca"}, "method: 'bca'"),
        (
            bootstrap,
            {"metric": calib.brier, "method": "corrected"},
            "method: 'corrected'",
        ),
        (bootstrap, {"confidence_level": 95}, "confidence_level: 95"),
    ],
)
def test_bad_arguments_of_draws_are_named(call, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call(**{"metric": calib.ece, "y_true": [0, 1], "y_prob": P, "rng": 0} | options)


@pytest.mark.parametrize(
    ("call", "arguments", "message"),
    [
        (calib.consistency_band, [[0.5, 1.5]], r"score: row 1 is 1\.5"),
        (
            partial(calib.consistency_band, confidence_level=0),
            [[0.5]],
            "confidence_level: 0",
        ),
        (calib.error_if_calibrated, [[np.nan]], "score: row 0 is nan"),
        (calib.spiegelhalter_test, [[1, 0], [1.0, 0.5]], "y_prob: every score"),
        (calib.cumulative_test, [[0, 1], [0.0, 1.0]], "y_prob: every score is 0 or 1"),
    ],
)
def test_bad_scores_are_named(call, arguments, message):
    with pytest.raises(ValueError, match=message):
        call(*arguments)


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
