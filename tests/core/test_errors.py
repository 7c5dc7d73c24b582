"""Calibration errors against literal loops, worked examples and identities."""

import loops
import numpy as np
import pytest
from cases import case, draw, draw_weights

import calib

EXACT = {"rtol": 0, "atol": 1e-12}


def guo_example():
    """The worked example of Guo's slides: 15 samples in three of five bins."""
    score = np.repeat([0.55, 0.74, 0.86], [2, 6, 7])
    hit = np.array([1, 0] + [1] * 4 + [0] * 2 + [1] * 5 + [0] * 2)
    return hit, score


def test_worked_example_of_guos_slides():
    hit, score = guo_example()
    gaps = 2 * abs(1 / 2 - 0.55) + 6 * abs(4 / 6 - 0.74) + 7 * abs(5 / 7 - 0.86)
    assert calib.ece(hit, score, n_bins=5) == pytest.approx(gaps / 15, abs=1e-15)
    printed = (2 * 0.05 + 6 * 0.07 + 7 * 0.15) / 15
    assert round(printed, 3) == 0.105
    assert calib.ece(hit, score, n_bins=5) == pytest.approx(printed, abs=0.002)
    assert calib.mce(hit, score, n_bins=5) == pytest.approx(0.86 - 5 / 7)


@case
@pytest.mark.parametrize("closed", ["right", "left"])
def test_binned_errors_are_the_loops(n, n_classes, options, closed):
    y, p = draw(n, n_classes, **options)
    for w in (None, draw_weights(n)):
        table = loops.width_gaps(loops.top_label(y, p), 15, closed, w)
        kwargs = {"closed": closed, "sample_weight": w}
        np.testing.assert_allclose(calib.ece(y, p, **kwargs), loops.norm(table, "l1"), **EXACT)
        np.testing.assert_allclose(calib.mce(y, p, **kwargs), loops.norm(table, "max"), **EXACT)
        np.testing.assert_allclose(
            calib.classwise_ece(y, p, **kwargs), loops.classwise_ece(y, p, 15, closed, w), **EXACT
        )


@case
def test_equal_mass_errors_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    for w in (None, draw_weights(n)):
        table = loops.mass_gaps(loops.top_label(y, p), 7, w)
        for norm in ("l1", "l2", "max"):
            value = calib.calibration_error(
                y, p, bins=calib.equal_mass(7), norm=norm, sample_weight=w
            )
            np.testing.assert_allclose(value, loops.norm(table, norm), **EXACT)


@case
def test_one_bin_is_accuracy_minus_mean_confidence(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    score, hit = calib.top_label(y, p)
    assert calib.ece(y, p, n_bins=1) == pytest.approx(abs(hit.mean() - score.mean()), abs=1e-12)


@case
def test_closed_left_is_closed_right_mirrored(n, n_classes, options):
    hit, score = draw(n, n_classes, **options)[0] == 0, draw(n, n_classes, **options)[1][:, 0]
    mirrored = calib.ece(~hit, 1 - score, n_bins=8, closed="left")
    if options.get("ties") or options.get("saturated"):  # 1 - score is exact
        assert calib.ece(hit, score, n_bins=8) == pytest.approx(mirrored, abs=1e-12)


def test_pairs_and_probabilities_give_the_same_number():
    y, p = draw(100, 4)
    score, hit = calib.top_label(y, p)
    assert calib.ece(hit, score) == calib.ece(y, p)


def test_sce_is_classwise_ece():
    assert calib.sce is calib.classwise_ece


def test_sce_counts_fractions_where_every_score_lies_in_the_first_bin():
    y, p = [0, 1], [[0.8, 0.2, 0.0], [0.5, 0.4, 0.1]]
    assert calib.sce(y, p, n_bins=1) == pytest.approx(0.8 / 6)
    uniform = np.full((3, 100), 0.01)
    assert calib.sce([0, 1, 2], uniform) == pytest.approx((3 * (1 - 0.03) + 97 * 0.03) / 300)


@case
def test_other_norms_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    for w in (None, draw_weights(n)):
        table = loops.width_gaps(loops.top_label(y, p), 15, "right", w)
        assert calib.rmsce(y, p, sample_weight=w) == pytest.approx(
            loops.norm(table, "l2"), abs=1e-12
        )
        for view, pairs in [
            (calib.top_r(2), loops.top_r(y, p, 2)),
            (calib.within_top_r(2), loops.within_top_r(y, p, 2)),
            (calib.one_vs_rest(1), loops.one_vs_rest(y, p, 1)),
        ]:
            table = loops.width_gaps(pairs, 15, "right", w)
            for norm in ("l1", "l2", "max"):
                value = calib.calibration_error(y, p, view=view, norm=norm, sample_weight=w)
                assert value == pytest.approx(loops.norm(table, norm), abs=1e-12)


@case
def test_ace_and_tace_are_the_loops(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    n_bins = 5
    for w in (None, draw_weights(n)):
        kwargs = {"n_bins": n_bins, "sample_weight": w}
        assert calib.ace(y, p, **kwargs) == pytest.approx(loops.ace(y, p, n_bins, w), abs=1e-12)
        for average in ("ranges", "kept", "samples"):
            value = calib.tace(y, p, threshold=0.125, average=average, **kwargs)
            loop = loops.tace(y, p, 0.125, n_bins, average, w)
            assert value == pytest.approx(loop, abs=1e-12)


@case
def test_ks_is_the_loop(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    for w in (None, draw_weights(n)):
        for view, pairs in [
            (calib.top_label, loops.top_label(y, p)),
            (calib.top_r(2), loops.top_r(y, p, 2)),
            (calib.within_top_r(2), loops.within_top_r(y, p, 2)),
        ]:
            value = calib.ks_error(y, p, view=view, sample_weight=w)
            assert value == pytest.approx(loops.ks(pairs, w), abs=1e-12)
        each = [loops.ks(loops.one_vs_rest(y, p, k), w) for k in range(n_classes)]
        assert calib.classwise_ks(y, p, sample_weight=w) == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("sharp", [1.0, 8.0])
@pytest.mark.parametrize("distort", [1.0, 1.02, 2.0])
def test_ks_of_long_input_is_the_largest_gap(sharp, distort):
    """Long input is merged on a grid first; it has to be exact all the same."""
    rng = np.random.default_rng(0)
    score = rng.beta(sharp, 1, 100_000).round(4)
    hit = rng.random(len(score)) < score**distort
    order = np.argsort(score)
    gap = np.cumsum((hit - score)[order]) / len(score)
    last_of_ties = np.append(np.diff(score[order]) > 0, True)
    expected = np.abs(gap[last_of_ties]).max()
    assert calib.ks_error(hit, score) == pytest.approx(expected, abs=1e-12)
    assert calib.ks_error(hit, score, sample_weight=np.full(len(hit), 2)) == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize("decay", [0.5, 0.9, 0.99])
@pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])
def test_psce_is_the_loop(decay, options):
    y, p = draw(60, 3, **options)
    for w in (None, draw_weights(60)):
        pairs = loops.top_label(y, p)
        kwargs = {"decay": decay, "sample_weight": w}
        grid, curve = calib.psce_curve(y, p, **kwargs)
        np.testing.assert_allclose(grid, [j / 100 for j in range(101)], **EXACT)
        np.testing.assert_allclose(curve, loops.psce_curve(pairs, decay, w), **EXACT)
        assert calib.psce(y, p, **kwargs) == pytest.approx(loops.psce(pairs, decay, w), abs=1e-12)
        each = [loops.psce(loops.one_vs_rest(y, p, k), decay, w) for k in range(3)]
        assert calib.classwise_psce(y, p, **kwargs) == pytest.approx(np.mean(each), abs=1e-12)


def test_psce_of_one_sample():
    assert calib.psce([1], [0.7]) == pytest.approx(0.3, abs=1e-12)


def mirrored(kernel, t, score, images=4):
    """Kernel at distances from a score and from all its mirror images."""
    return sum(
        kernel(t - score - 2 * m) + kernel(t + score - 2 * m) for m in range(-images, images + 1)
    )


@pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])
@pytest.mark.parametrize("width", [0.01, 0.1, 0.5])
def test_smooth_ece_is_its_integral(width, options):
    hit, score = loop_pairs(50, options)
    t = np.linspace(0, 1, 20001)
    gap = sum(
        (h - s) * mirrored(lambda u: np.exp(-0.5 * (u / width) ** 2), t, s)
        for s, h in zip(score, hit, strict=True)
    ) / (width * np.sqrt(2 * np.pi) * len(score))
    integral = np.trapezoid(np.abs(gap), t)
    assert calib.smooth_ece(hit, score, width=width) == pytest.approx(integral, abs=1e-5)


@pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])
@pytest.mark.parametrize("bandwidth", [0.02, 0.1, None])
def test_kde_ece_is_its_integral(bandwidth, options):
    hit, score = loop_pairs(50, options)
    value = calib.kde_ece(hit, score, bandwidth=bandwidth)
    width = np.std(score[hit == 1]) * (2 * len(score)) ** -0.2 if bandwidth is None else bandwidth

    def triweight(u):
        return np.maximum(0, 1 - (u / (3 * width)) ** 2) ** 3 * 35 / 32 / (3 * width)

    t = np.linspace(0, 1, 20001)
    gap = sum((t - h) * mirrored(triweight, t, s) for s, h in zip(score, hit, strict=True))
    assert value == pytest.approx(np.trapezoid(np.abs(gap), t) / len(score), abs=1e-5)


def loop_pairs(n, options):
    y, p = draw(n, 3, **options)
    score, hit = calib.top_label(y, p)
    return hit.astype(int), score


def test_smooth_ece_is_its_own_width():
    hit, score = loop_pairs(300, {})
    value = calib.smooth_ece(hit, score)
    assert calib.smooth_ece(hit, score, width=value) == pytest.approx(value, abs=1e-9)


def test_wider_is_smoother():
    hit, score = loop_pairs(300, {})
    values = [calib.smooth_ece(hit, score, width=w) for w in (0.01, 0.03, 0.1, 0.3, 1, np.inf)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(abs(hit.mean() - score.mean()), abs=1e-12)


@pytest.mark.parametrize("at", [0.0, 0.5, 1.0])
def test_smoothing_loses_no_mass_at_the_ends(at):
    score = np.full(10, at)
    hit = np.array([1] * 4 + [0] * 6)
    gap = abs(0.4 - at)
    for width in (0.003, 0.05, 0.4, np.inf, None):
        assert calib.smooth_ece(hit, score, width=width) == pytest.approx(gap, abs=1e-9)


def test_debiased_l2_is_the_loop():
    hit, score = loop_pairs(97, {})
    b = calib.equal_mass(7)(score, hit)
    table = list(zip(b.count.tolist(), b.hit_sum.tolist(), b.score_sum.tolist(), strict=True))
    value = calib.debiased_ece(hit, score, bins=calib.equal_mass(7))
    assert value == pytest.approx(loops.debiased_l2(table), abs=1e-12)


def test_debiased_l1_is_the_mean_of_redrawn_bins():
    hit, score = loop_pairs(200, {})
    b = calib.equal_mass(5)(score, hit)
    rng = np.random.default_rng(0)
    std = np.sqrt(b.mean_hit * (1 - b.mean_hit) / b.count)
    redrawn = np.abs(b.mean_hit + std * rng.normal(size=(200_000, 5)) - b.mean_score)
    expected = 2 * calib.calibration_error(hit, score, bins=calib.equal_mass(5))
    expected -= (redrawn @ (b.count / len(hit))).mean()
    value = calib.debiased_ece(hit, score, bins=calib.equal_mass(5), norm="l1")
    assert value == pytest.approx(expected, abs=2e-4)


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_debiasing_removes_the_bias_of_calibrated_predictions(norm):
    rng = np.random.default_rng(3)
    plain, debiased = [], []
    for _ in range(300):
        score = rng.random(300)
        hit = rng.random(300) < score
        plain.append(calib.calibration_error(hit, score, bins=calib.equal_mass(15), norm=norm))
        debiased.append(calib.debiased_ece(hit, score, norm=norm))
    assert np.mean(debiased) < np.mean(plain) / 1.5


@pytest.mark.parametrize("options", [{}, {"ties": True}, {"saturated": True}])
@pytest.mark.parametrize("norm", ["l1", "l2", "max"])
def test_sweep_is_the_loop(options, norm):
    hit, score = loop_pairs(60, options)
    pairs = list(zip(score.tolist(), hit.tolist(), strict=True))
    assert calib.sweep_ece(hit, score, norm=norm) == pytest.approx(
        loops.sweep(pairs, norm), abs=1e-12
    )


def test_sweep_of_sorted_hits_takes_a_bin_for_each_sample():
    score = np.arange(1, 50_001) / 50_001
    for hit in (np.ones(50_000), score > 0.3):
        expected = np.abs(hit - score).mean()
        assert calib.sweep_ece(hit, score) == pytest.approx(expected, abs=1e-12)
    small = slice(None, None, 1000)
    pairs = [(float(s), int(s > 0.3)) for s in score[small]]
    assert calib.sweep_ece(score[small] > 0.3, score[small]) == pytest.approx(
        loops.sweep(pairs), abs=1e-12
    )


SMOOTH = ("kde_ece", "aurc", "excess_aurc", "calibration_error")  # not zero, or said already
METRICS = {name: m.function for name, m in calib.METRICS.items() if name not in SMOOTH}
every = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


@every
def test_sure_and_right_is_perfect(metric):
    p = np.eye(3)[[0, 1, 2, 2]]
    expected = 1.0 if metric is calib.accuracy else 0.0
    blurred = 1e-4 if metric is calib.classwise_psce else 1e-12  # a zero is seen from one
    assert metric([0, 1, 2, 2], p) == pytest.approx(expected, abs=blurred)


@every
def test_float32_input_is_summed_in_float64(metric):
    y, p = draw(200, 5)
    p = p.astype(np.float32)
    assert metric(y, p) == pytest.approx(metric(y, p.astype(np.float64)), abs=1e-14)


@every
def test_float16_input_gives_the_same(metric):
    y, p = draw(200, 5, ties=True)  # multiples of 1/8
    assert metric(y, p.astype(np.float16)) == metric(y, p)


def test_float16_scores_may_exceed_one_by_rounding():
    p = np.float16([[1.001, 0.0], [0.75, 0.25]])
    assert p.max() > 1
    assert calib.ece([0, 0], p) == pytest.approx((0.25 - float(p.max() - 1)) / 2, abs=1e-3)


@case
def test_ks_is_at_least_accuracy_minus_mean_confidence(n, n_classes, options):
    y, p = draw(n, n_classes, **options)
    assert calib.ks_error(y, p) >= calib.ece(y, p, n_bins=1) - 1e-15


@pytest.mark.parametrize(
    "metric",
    [calib.ece, calib.ks_error, calib.psce, calib.smooth_ece, calib.kde_ece, calib.sweep_ece],
)
def test_calibrated_predictions_have_small_errors(metric):
    rng = np.random.default_rng(0)
    score = rng.beta(3, 2, 40_000)
    hit = rng.random(40_000) < score
    assert metric(hit, score) < 0.02
    assert metric(rng.random(40_000) < score**2, score) > 0.1
