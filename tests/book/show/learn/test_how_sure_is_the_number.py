"""The ECE by sample size and by number of bins: means, quantiles and the truth."""

from types import SimpleNamespace

import numpy as np
import pytest
from drawings import band, labelled, segments

import calib
from book.show.learn import how_sure_is_the_number as how_sure


def test_means_lie_in_the_middle_nine_tenths_beside_the_truth():
    draws = np.arange(21) / 100
    names = ("a", "b", "c")
    estimates = {
        name: {n: draws + n / 1e6 for n in (100, 500, 5000, 50_000)} for name in names
    }
    worlds = {name: SimpleNamespace(true_ece=0.03) for name in names}
    sizes = (100, 500, 5000, 50_000)
    (ax,) = how_sure.draw_ece_by_sample_size(estimates, sizes, worlds).axes
    assert labelled(ax)["b"] == pytest.approx(np.c_[sizes, 10 + np.array(sizes) / 1e4])
    assert band(ax.collections[0], 500) == pytest.approx((1.05, 19.05))
    assert segments(ax.collections[1]) == pytest.approx(np.array([[100, 3, 50_000, 3]]))


def test_a_mean_is_taken_over_forty_test_sets_and_eight_large_ones(monkeypatch):
    sampled = []

    def sample(n, rng):
        sampled.append(n)
        score = rng.uniform(size=50)
        return (rng.uniform(size=50) < score).astype(float), score

    means = how_sure.mean_ece_by_bin_number(
        SimpleNamespace(sample=sample), (49_999, 50_000), np.random.default_rng(0)
    )
    assert (sampled.count(49_999), sampled.count(50_000)) == (40, 8)
    rng = np.random.default_rng(0)
    draws = [sample(0, rng) for _ in range(40)]
    of_three = np.mean([calib.ece(hit, score, n_bins=3) for hit, score in draws])
    assert means[49_999][how_sure.BIN_NUMBERS.index(3)] == pytest.approx(of_three)


def test_means_stand_over_their_number_of_bins_beside_the_truth():
    means = {n: [n / 1e6 * m for m in how_sure.BIN_NUMBERS] for n in (1, 2, 3)}
    (ax,) = how_sure.draw_ece_by_bin_number(means, 0.05).axes
    assert labelled(ax)["2 images"] == pytest.approx(
        np.c_[how_sure.BIN_NUMBERS, 2e-4 * np.array(how_sure.BIN_NUMBERS)]
    )
    assert segments(ax.collections[0])[0, [1, 3]].tolist() == [5, 5]
