"""Sums of gaps and errors by the width of a kernel, by loops."""

import numpy as np
import pytest
from drawings import band, points, texts

import calib
from book.show.learn import without_bins

Y = np.array([0, 1, 1, 0])
PROB = np.array([[0.6, 0.4], [0.2, 0.8], [0.7, 0.3], [0.9, 0.1]])  # right: 1 1 0 1


def test_a_sum_runs_from_the_unsure_to_the_sure_and_its_largest_is_the_ks_error():
    figure = without_bins.draw_sums_of_gaps(PROB, PROB[:, ::-1], Y)
    (ax,) = figure.axes
    share, total, rows = 0, 0.0, []
    for score, hit in ((0.6, 1), (0.7, 0), (0.8, 1), (0.9, 1)):
        share, total = share + 25, total + 25 * (hit - score)
        rows.append([share, total])
    assert points(ax, 1) == pytest.approx(np.array(rows))
    assert f"KS {100 * calib.ks_error(Y, PROB):.1f} %" in texts(ax)[0]
    before = texts(ax)[0]
    chance = 100 * np.sqrt(
        np.pi * 0.175 / 8
    )  # sqrt(pi B / 2 n), B the mean of s (1 - s)
    assert before.startswith("before scaling") and f"chance {chance:.1f} %" in before


def test_the_range_of_chance_is_that_of_the_sum_so_far():
    ax = without_bins.draw_sums_of_gaps(PROB, PROB, Y).axes[0]
    variance = np.cumsum([0.24, 0.21, 0.16, 0.09])
    for share, so_far in zip((25, 50, 75, 100), variance, strict=True):
        end = 25 * 1.96 * np.sqrt(so_far)
        assert band(ax.collections[0], share) == pytest.approx((-end, end))


def test_errors_stand_over_the_width_of_their_kernel():
    rng = np.random.default_rng(0)
    y, prob = rng.integers(0, 2, 40), rng.dirichlet([1, 1], 40)
    (ax,) = without_bins.draw_errors_by_width(prob, y).axes
    smooth, kde = points(ax, 1), points(ax, 2)
    for width, error in smooth[[0, 20, 39]]:
        assert error == pytest.approx(
            100 * calib.smooth_ece(y, prob, width=width / 100)
        )
    for width, error in kde[[0, 20, 39]]:
        assert error == pytest.approx(
            100 * calib.kde_ece(y, prob, bandwidth=width / 100)
        )
    assert points(ax, 0)[:, 0] == pytest.approx(points(ax, 0)[:, 1])
    chosen = 100 * calib.smooth_ece(y, prob)
    assert points(ax, 3) == pytest.approx(np.array([[chosen, chosen]]))
    width, error = points(ax, 4)[0]
    assert error == pytest.approx(100 * calib.kde_ece(y, prob))
    # the square marks the width that the library takes by itself
    assert calib.kde_ece(y, prob, bandwidth=width / 100) == pytest.approx(error / 100)
