"""Metrics against literal loops, worked examples and identities."""

from itertools import product

import loops
import numpy as np
import pytest
from draws import (
    FACTORS,
    draw,
    draw_weights,
    drawn_pairs,
    each_draw,
    shapes,
    uneven_weights,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import calib

METRICS = {name: metric.function for name, metric in calib.METRICS.items()}
NORMS, SIDES = ("l1", "l2", "max"), ("right", "left")
AVERAGES = ("ranges", "kept", "samples")
VIEWS = [
    (calib.top_label, loops.top_label),
    (calib.top_r(2), lambda y, p: loops.top_r(y, p, 2)),
    (calib.within_top_r(2), lambda y, p: loops.within_top_r(y, p, 2)),
    (calib.one_vs_rest(1), lambda y, p: loops.one_vs_rest(y, p, 1)),
]


def width(norm, view=loops.top_label, closed="right"):
    return lambda y, p, w: loops.norm(loops.width_gaps(view(y, p), 15, closed, w), norm)


def mass(norm):
    return lambda y, p, w: loops.norm(
        loops.mass_gaps(loops.top_label(y, p), 7, w), norm
    )


def classes(error):
    return lambda y, p, w: np.mean(
        [error(loops.one_vs_rest(y, p, k), w) for k in range(p.shape[1])]
    )


def mean_of(term):
    """The weighted mean of a term of the score and hit of the top label."""
    return lambda y, p, w: np.average(
        [term(*pair) for pair in loops.top_label(y, p)], weights=w
    )


def of_pairs(error, view=loops.top_label, *more):
    return lambda y, p, w: error(view(y, p), *more, w)


def of_rows(error, *more):
    return lambda y, p, w: error(y, p, *more, w)


def threshold(average):
    return {"n_bins": 5, "threshold": 0.125, "average": average}


ERROR, MASS = calib.calibration_error, calib.equal_mass(7)
# What DEFINED below has not: options, and weights, of the loops that know them.
LOOPS = [
    *((calib.ece, {"closed": side}, width("l1", closed=side)) for side in SIDES),
    *((calib.mce, {"closed": side}, width("max", closed=side)) for side in SIDES),
    (calib.rmsce, {}, width("l2")),
    *(
        (ERROR, {"view": v, "norm": n}, width(n, loop))
        for (v, loop), n in product(VIEWS, NORMS)
    ),
    *((ERROR, {"bins": MASS, "norm": norm}, mass(norm)) for norm in NORMS),
    *(
        (calib.sce, {"closed": side}, of_rows(loops.classwise_ece, 15, side))
        for side in SIDES
    ),
    (calib.ace, {"n_bins": 5}, of_rows(loops.ace, 5)),
    *((calib.tace, threshold(a), of_rows(loops.tace, 0.125, 5, a)) for a in AVERAGES),
    *(
        (calib.ks_error, {"view": view}, of_pairs(loops.ks, loop))
        for view, loop in VIEWS
    ),
    (calib.classwise_ks, {}, classes(loops.ks)),
    (calib.brier, {}, of_rows(loops.brier)),
    (calib.top1_brier, {}, mean_of(lambda score, hit: (score - hit) ** 2)),
    (calib.accuracy, {}, mean_of(lambda score, hit: hit)),
]


OF_DECAY = [
    (calib.psce, {"decay": decay}, of_pairs(loops.psce, loops.top_label, decay))
    for decay in (0.5, 0.9, 0.99)
]


@pytest.mark.parametrize("stored", [np.float64, np.float32])
@pytest.mark.parametrize("narrow", [np.float64, np.float32])
def test_a_score_at_the_threshold_of_tace_is_not_above_it(narrow, stored):
    """Of class 0 no score is above 0.1, of class 1 one with a gap of 0.1."""
    p = np.array([[0.1, 0.9]], narrow).astype(stored)
    value = calib.tace([1], p, threshold=0.1, n_bins=1)
    assert value == pytest.approx(0.1 / 2, abs=1e-3)


@each_draw
def test_metrics_are_their_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    for w in (None, draw_weights(n)):
        for metric, more, loop in LOOPS + (OF_DECAY if n_classes < 6 else []):
            value = metric(y, p, sample_weight=w, **more)
            assert value == pytest.approx(loop(y, p, w), abs=1e-12), (
                metric.__name__,
                more,
            )
        if (p[np.arange(n), y] > 0).all():
            expected = loops.nll(y, p, w)
            assert calib.nll(y, p, sample_weight=w) == pytest.approx(
                expected, rel=1e-12
            )


def test_worked_example_of_guos_slides():
    score = np.repeat([0.55, 0.74, 0.86], [2, 6, 7])  # 15 samples in three of five bins
    hit = np.array([1, 0] + [1] * 4 + [0] * 2 + [1] * 5 + [0] * 2)
    gaps = 2 * abs(1 / 2 - 0.55) + 6 * abs(4 / 6 - 0.74) + 7 * abs(5 / 7 - 0.86)
    assert calib.ece(hit, score, n_bins=5) == pytest.approx(gaps / 15, abs=1e-15)
    printed = (2 * 0.05 + 6 * 0.07 + 7 * 0.15) / 15
    assert round(printed, 3) == 0.105
    assert calib.ece(hit, score, n_bins=5) == pytest.approx(printed, abs=0.002)
    assert calib.mce(hit, score, n_bins=5) == pytest.approx(0.86 - 5 / 7)


@each_draw
def test_identities(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    score, hit = calib.top_label(y, p)
    one_bin = calib.ece(y, p, n_bins=1)
    assert one_bin == pytest.approx(abs(hit.mean() - score.mean()), abs=1e-12)
    assert calib.ks_error(y, p) >= one_bin - 1e-15
    assert calib.ece(hit, score) == calib.ece(y, p)
    each = [calib.top1_brier(y, p, view=calib.one_vs_rest(k)) for k in range(n_classes)]
    assert calib.brier(y, p) == pytest.approx(sum(each), abs=1e-12)
    if options.get("ties") or options.get("saturated"):  # 1 - score is exact
        mirrored = calib.ece(y != 0, 1 - p[:, 0], n_bins=8, closed="left")
        assert calib.ece(y == 0, p[:, 0], n_bins=8) == pytest.approx(
            mirrored, abs=1e-12
        )


def test_sce_counts_fractions_where_every_score_lies_in_the_first_bin():
    assert calib.sce is calib.classwise_ece
    y, p = [0, 1], [[0.8, 0.2, 0.0], [0.5, 0.4, 0.1]]
    assert calib.sce(y, p, n_bins=1) == pytest.approx(0.8 / 6)
    uniform = np.full((3, 100), 0.01)
    assert calib.sce([0, 1, 2], uniform) == pytest.approx(
        (3 * (1 - 0.03) + 97 * 0.03) / 300
    )


def test_debiased_errors_by_definition():
    hit, score = drawn_pairs(200, {})
    bins = calib.equal_mass(5)
    b = bins(score, hit)
    table = list(
        zip(b.count.tolist(), b.hit_sum.tolist(), b.score_sum.tolist(), strict=True)
    )
    value = calib.debiased_ece(hit, score, bins=bins)
    assert value == pytest.approx(loops.debiased_l2(table), abs=1e-12)
    rng = np.random.default_rng(0)
    std = np.sqrt(b.mean_hit * (1 - b.mean_hit) / b.count)
    redrawn = np.abs(b.mean_hit + std * rng.normal(size=(200_000, 5)) - b.mean_score)
    expected = 2 * calib.calibration_error(hit, score, bins=bins)
    expected -= (redrawn @ (b.count / len(hit))).mean()
    value = calib.debiased_ece(hit, score, bins=bins, norm="l1")
    assert value == pytest.approx(expected, abs=2e-4)


@shapes
@pytest.mark.parametrize("norm", NORMS)
def test_sweep_is_the_loop(options, norm):
    hit, score = drawn_pairs(60, options)
    expected = loops.sweep(list(zip(score.tolist(), hit.tolist(), strict=True)), norm)
    assert calib.sweep_ece(hit, score, norm=norm) == pytest.approx(expected, abs=1e-12)


def test_a_sweep_sees_a_fall_that_many_bins_alone_show():
    """Three misses between two crowds are in a bin of their own from a hundred bins on."""
    score = np.repeat([0.1, 0.5, 0.9], [140, 3, 157])
    hit = np.repeat([0, 1, 0, 1], [126, 14, 3, 157])
    expected = loops.sweep(list(zip(score.tolist(), hit.tolist(), strict=True)), "l1")
    assert calib.sweep_ece(hit, score) == pytest.approx(expected, abs=1e-12)


def test_sweep_of_sorted_hits_takes_a_bin_for_each_sample():
    score = np.arange(1, 50_001) / 50_001
    for hit in (np.ones(50_000), score > 0.3):
        expected = np.abs(hit - score).mean()
        assert calib.sweep_ece(hit, score) == pytest.approx(expected, abs=1e-12)


def test_nll_of_a_label_that_had_probability_zero():
    y, p = [0, 1], [[0.0, 1.0], [0.5, 0.5]]
    assert calib.nll(y, p) == np.inf
    assert calib.nll(y, p, sample_weight=[0, 3]) == np.log(2)
    assert calib.nll_per_sample(y, p).tolist() == [np.inf, np.log(2)]


SMOOTH = ("kde_ece", "aurc", "excess_aurc")  # not zero where all is right


@pytest.mark.parametrize("name", METRICS)
def test_sure_and_right_is_perfect_whatever_the_type(name):
    metric = METRICS[name]
    if name not in SMOOTH:
        value = metric([0, 1, 2, 2], np.eye(3)[[0, 1, 2, 2]])
        assert value == pytest.approx(float(name == "accuracy"), abs=1e-12)
    y, p = draw(200, 5)
    p = p.astype(np.float32)
    assert metric(y, p) == pytest.approx(metric(y, p.astype(np.float64)), abs=1e-14)
    y, p = draw(200, 5, ties=True)  # multiples of 1/8
    assert metric(y, p.astype(np.float16)) == metric(y, p)


def test_float16_scores_may_exceed_one_by_rounding():
    p = np.float16([[1.001, 0.0], [0.75, 0.25]])
    assert calib.ece([0, 0], p) == pytest.approx(
        (0.25 - float(p.max() - 1)) / 2, abs=1e-3
    )


@st.composite
def predictions(draw):
    """Labels and probabilities with ties, zeros and ones; classes without samples."""
    n, n_classes = draw(st.integers(1, 10)), draw(st.integers(2, 5))
    entry = st.sampled_from([0, 1e-300, 1e-12, 0.1, 0.25, 0.5, 1, 2, 5, 100])
    rows = st.lists(entry, min_size=n_classes, max_size=n_classes).filter(any)
    entries = np.array(draw(st.lists(rows, min_size=n, max_size=n)))
    y = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    return np.array(y), entries / entries.sum(axis=1, keepdims=True)


def same(found, name=""):
    """Equal to nine digits; what is a root of a difference may keep the root of 1e-16."""
    return pytest.approx(found, rel=1e-9, abs=1e-7 if name == "debiased_ece" else 1e-12)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(predictions(), st.randoms(use_true_random=False), st.data())
def test_what_changes_no_metric(samples, random, drawn):
    """The order of samples and of classes, weights for repetitions, the layout in memory."""
    y, p = samples
    n, n_classes = p.shape
    rows = random.sample(range(n), n)
    w = np.array(
        drawn.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any))
    )
    spread = np.repeat(np.repeat(p, 2, axis=0), 3, axis=1)[::2, ::3]
    one_top = np.sum(p == p.max(axis=1, keepdims=True), axis=1) == 1
    order = np.array(random.sample(range(n_classes), n_classes))
    for name, metric in METRICS.items():
        value = metric(y, p)
        assert -1e-12 <= value <= calib.METRICS[name].largest + 1e-12, name
        for same_data in ((y[rows], p[rows]), (y, np.asfortranarray(p)), (y, spread)):
            assert metric(*same_data) == same(value, name), name
        if calib.METRICS[name].weights_repeat:
            repeated = metric(np.repeat(y, w), np.repeat(p, w, axis=0))
            assert metric(y, p, sample_weight=w) == same(repeated, name), name
    assume(one_top.any())
    y, p = y[one_top], p[one_top]
    for name, metric in METRICS.items():
        assert metric(np.argsort(order)[y], p[:, order]) == same(metric(y, p), name), (
            name
        )


@pytest.mark.parametrize("name", calib.METRICS)
@pytest.mark.parametrize("factor", FACTORS)
def test_a_factor_of_all_weights_changes_no_metric(name, factor):
    metric = METRICS[name]
    (y, p), weight = draw(60, 3), uneven_weights(60)
    expected = metric(y, p, sample_weight=weight)
    assert metric(y, p, sample_weight=factor * weight) == pytest.approx(
        expected, rel=1e-9
    )


def test_the_debiased_error_of_a_calibrated_model_is_none_whatever_the_weights():
    """Kish's number in each bin makes the estimate of the squared error unbiased."""
    squares = {True: [], False: []}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        score, weight = np.full(300, 0.5), rng.lognormal(0, 1, 300)
        hit = rng.random(300) < score
        bins = calib.equal_width(1)
        scaled = 300 * weight / weight.sum()
        for repeated in squares:
            error = calib.debiased_ece(
                hit, score, bins=bins, sample_weight=scaled, frequency_weights=repeated
            )
            squares[repeated].append(error > 0)
    # of a normal gap g with variance v, g^2 > v in 32 % of draws, and g^2 > v / 2.7 in 54 %
    assert np.mean(squares[False]) == pytest.approx(0.32, abs=0.08)
    assert np.mean(squares[True]) > 0.45


def test_weights_are_repetitions_where_a_sweep_ends_early():
    y, p = draw(300, 3)
    w = draw_weights(300)
    repeated = calib.sweep_ece(np.repeat(y, w), np.repeat(p, w, axis=0))
    assert calib.sweep_ece(y, p, sample_weight=w) == same(repeated)


@pytest.mark.parametrize("name", ["ece", "mce", "rmsce", "classwise_ece"])
def test_a_draw_is_the_metric_of_samples_with_these_weights(name):
    entry, (y, p) = calib.METRICS[name], draw(50, 4, ties=True)
    score, hit = calib.top_label(y, p)
    of_pairs = entry.reads == "pairs"
    options = {"n_bins": 5, "closed": "left"}
    value = entry.prepare(score if of_pairs else p, options)
    for weight in (np.ones(50), draw_weights(50).astype(float)):
        expected = METRICS[name](y, p, sample_weight=weight, **options)
        drawn = value(hit - score if of_pairs else y, weight)
        assert drawn == pytest.approx(expected)


def of_debiased(y, p):
    score, hit = calib.top_label(y, p)
    b = calib.equal_mass(15)(score, hit)
    columns = b.count.tolist(), b.hit_sum.tolist(), b.score_sum.tolist()
    return loops.debiased_l2(list(zip(*columns, strict=True)))


def literal(error, *more):
    return lambda y, p: error(loops.top_label(y, p), *more)


# A literal definition of each metric with its default options, written without the library: each
# metric has one here, while LOOPS above has those that take options and weights.
DEFINED = {
    **{name: lambda y, p, n=norm: width(n)(y, p, None) for name, norm in (
        ("ece", "l1"), ("calibration_error", "l1"), ("mce", "max"), ("rmsce", "l2"),
    )},
    **{"classwise_ece": loops.classwise_ece, "ace": loops.ace, "nll": loops.nll},
    "tace": lambda y, p: loops.tace(y, p, 0.01),
    "brier": loops.brier,
    "top1_brier": literal(lambda pairs: np.mean([(s - h) ** 2 for s, h in pairs])),
    "accuracy": literal(lambda pairs: np.mean([h for _, h in pairs])),
    "ks_error": literal(loops.ks),
    "classwise_ks": lambda y, p: classes(loops.ks)(y, p, None),
    "psce": literal(loops.psce, 0.9),
    "debiased_ece": of_debiased,
    "sweep_ece": literal(loops.sweep),
    "smooth_ece": literal(loops.smooth_ece),
    "kde_ece": literal(loops.kde_ece),
    "two_bin_error": literal(loops.two_bins),
    "aurc": literal(loops.aurc),
    "excess_aurc": literal(loops.excess_aurc),
}  # fmt: skip


# by steps
ROUGH = {"smooth_ece": 0.01, "kde_ece": 0.002, "aurc": 0.002, "excess_aurc": 0.01}


@pytest.mark.parametrize("name", calib.METRICS)
def test_every_metric_meets_a_definition_that_finds_it_halved(name):
    assert name in DEFINED, (
        f"write the definition of {name} in tests/parts/loops.py, name it in DEFINED"
    )
    y, p = draw(30, 3, seed=2)
    value = METRICS[name](y, p)
    defined = pytest.approx(DEFINED[name](y, p), rel=ROUGH.get(name, 1e-9))
    assert value > 0.001
    assert value == defined
    assert value / 2 != defined


@pytest.mark.parametrize(("norm", "expected"), [("l1", 0.3), ("l2", 0.0)])
def test_a_debiased_bin_of_one_sample_counts_by_its_gap_alone(norm, expected):
    """Its frequency, 1, cannot be drawn anew; it has no variance to take off a square."""
    bins = calib.equal_width(2)
    value = calib.debiased_ece([1], [0.7], bins=bins, norm=norm)
    assert value == pytest.approx(expected)
