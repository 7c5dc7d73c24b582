"""Errors without bins: integrals, mirror images, long input, and what no lie makes smaller."""

import loops
import numpy as np
import pytest
from draws import draw, draw_weights, drawn_pairs, shapes
from hypothesis import given, settings
from hypothesis import strategies as st

import calib


@pytest.mark.parametrize("sharp", [1.0, 8.0])
@pytest.mark.parametrize("distort", [1.0, 1.02, 2.0])
def test_ks_of_long_input_is_the_largest_gap(sharp, distort):
    """Long input is merged on a grid first; it has to be exact all the same."""
    rng = np.random.default_rng(0)
    score = rng.beta(sharp, 1, 100_000).round(4)
    hit = rng.random(len(score)) < score**distort
    order = np.argsort(score)
    gap = np.cumsum((hit - score)[order]) / len(score)
    # where ties end
    expected = np.abs(gap[np.append(np.diff(score[order]) > 0, True)]).max()
    for weight in (None, np.full(len(hit), 2)):
        assert calib.ks_error(hit, score, sample_weight=weight) == pytest.approx(
            expected, abs=1e-12
        )


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_gap_of_long_input_may_lie_inside_a_cell_of_its_grid(sign):
    """The gap falls over three quarters of a cell and then rises, or the other way round."""
    n = 40_000
    score = np.linspace(0.5, 0.5001, n)
    late = np.arange(n) >= 3 * n // 4
    hit = late if sign < 0 else ~late
    gap = np.cumsum(hit - score) / n
    largest = np.abs(gap).max()
    assert sign * gap[3 * n // 4 - 1] == largest > 0.37 > 0.26 > abs(gap[-1])
    assert calib.ks_error(hit, score) == pytest.approx(largest, abs=1e-12)


@shapes
def test_psce_curve_is_the_loop(options):
    y, p = draw(60, 3, **options)
    for w in (None, draw_weights(60)):
        grid, curve = calib.psce_curve(y, p, decay=0.5, sample_weight=w)
        np.testing.assert_allclose(
            grid, [j / 100 for j in range(101)], rtol=0, atol=1e-12
        )
        expected = loops.psce_curve(loops.top_label(y, p), 0.5, w)
        np.testing.assert_allclose(curve, expected, rtol=0, atol=1e-12)
    assert calib.psce([1], [0.7]) == pytest.approx(0.3, abs=1e-12)


def mirrored(kernel, t, score, images=2):
    """Kernel at distances from a score and from all its mirror images."""
    shifts = 2 * np.arange(-images, images + 1)
    return sum(kernel(t - score - m) + kernel(t + score - m) for m in shifts)


@shapes
@pytest.mark.parametrize("width", [0.01, 0.1, 0.5])
def test_smooth_errors_are_their_integrals(width, options):
    hit, score = drawn_pairs(30, options)
    t = np.linspace(0, 1, 2501)

    def integral(kernel, scale):
        kernels = [mirrored(kernel, t, s) for s in score]
        terms = (scale(s, h) * k for s, h, k in zip(score, hit, kernels, strict=True))
        return np.trapezoid(np.abs(sum(terms)), t) / len(score)

    def gaussian(u):
        return np.exp(-0.5 * (u / width) ** 2) / (width * np.sqrt(2 * np.pi))

    def triweight(u, width=width):
        return np.maximum(0, 1 - (u / (3 * width)) ** 2) ** 3 * 35 / 32 / (3 * width)

    def by_default(u):
        return triweight(u, np.std(score[hit == 1]) * (2 * len(score)) ** -0.2)

    smooth = integral(gaussian, lambda s, h: h - s)
    assert calib.smooth_ece(hit, score, width=width) == pytest.approx(smooth, abs=1e-5)
    for bandwidth, kernel in ((width, triweight), (None, by_default)):
        kde = integral(kernel, lambda s, h: t - h)
        assert calib.kde_ece(hit, score, bandwidth=bandwidth) == pytest.approx(
            kde, abs=1e-5
        )


def test_smooth_ece_is_its_own_width_and_falls_with_it():
    hit, score = drawn_pairs(300, {})
    value = calib.smooth_ece(hit, score)
    assert calib.smooth_ece(hit, score, width=value) == pytest.approx(value, abs=1e-9)
    values = [
        calib.smooth_ece(hit, score, width=w) for w in (0.01, 0.03, 0.1, 0.3, 1, np.inf)
    ]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(abs(hit.mean() - score.mean()), abs=1e-12)
    above = calib.smooth_ece([0], [1.00005])  # by rounding
    assert above == pytest.approx(calib.smooth_ece([0], [1.0]), abs=1e-4)


@pytest.mark.parametrize("at", [0.0, 0.5, 1.0])
def test_smoothing_loses_no_mass_at_the_ends(at):
    score, hit = np.full(10, at), np.array([1] * 4 + [0] * 6)
    for width in (0.003, 0.05, 0.4, np.inf, None):
        error = calib.smooth_ece(hit, score, width=width)
        assert error == pytest.approx(abs(0.4 - at), abs=1e-9)


def expected(measure, truth, said):
    """The expected value of a measure over all hits of a few events, by enumeration."""
    n = len(truth)
    total = 0.0
    for outcome in np.ndindex(*[2] * n):
        hit = np.array(outcome)
        chance = np.prod(np.where(hit, truth, 1 - truth))
        total += chance * measure(hit, said)
    return total


@settings(deadline=None)
@given(
    st.lists(st.floats(0.01, 0.99), min_size=4, max_size=4),
    st.lists(st.floats(0, 1), min_size=4, max_size=4),
)
def test_no_lie_makes_the_two_bin_error_smaller(truth, reported):
    truth, reported = np.array(truth), np.array(reported)
    honest = expected(calib.two_bin_error, truth, truth)
    assert honest <= expected(calib.two_bin_error, truth, reported) + 1e-12
    assert honest == pytest.approx((truth * (1 - truth)).sum() / len(truth) ** 2)


@pytest.mark.parametrize(
    "measure", [calib.ece, calib.ks_error, calib.smooth_ece, calib.rmsce]
)
def test_a_lie_makes_the_other_errors_smaller(measure):
    """The inequality above is one that other measures break: four events, all said to be alike."""
    truth = np.array([0.55, 0.65, 0.75, 0.85])
    lie = np.full(4, truth.mean())
    assert expected(measure, truth, lie) < expected(measure, truth, truth)


def test_two_bins_by_hand():
    """Gaps -.25 and .25: below the first score all is above, between them one on each side."""
    error = calib.two_bin_error([0, 1], [0.25, 0.75])
    assert error == pytest.approx(0.5 * 2 * (0.25 / 2) ** 2)


def test_a_score_above_one_by_rounding_is_one():
    above = calib.psce([1, 0, 1], [np.nextafter(1, 2), 0.5, 1])
    assert above == pytest.approx(calib.psce([1, 0, 1], [1, 0.5, 1]))
