"""Errors without what chance adds to them: by their definition, and zero on average of noise."""

import numpy as np
import pytest
from resampled import rng

import calib
from calib.check import Pairs
from calib.split_errors import Gaps, joint_sums, split_difference, sum_of_signs


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


@pytest.mark.parametrize("cluster", [None, np.array([0, 1, 1, 2, 0, 2])])
@pytest.mark.parametrize("hit", [[1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 0, 1]])
def test_the_covariance_of_gap_sums_is_that_of_units_and_no_less_than_scores_expect(
    hit, cluster
):
    """Of m units it is m times their covariance, divisor m - 1; all right shows too little."""
    score, hit = np.array([0.2, 0.3, 0.9, 0.8, 0.1, 0.6]), np.array(hit, bool)
    of_a = Gaps.of(Pairs(score, hit), calib.equal_width(2))
    of_b = Gaps.of(Pairs(1 - score, ~hit), calib.equal_width(3))
    sums, covariance = joint_sums(of_a, of_b, cluster)
    unit = np.arange(6) if cluster is None else cluster
    bins = [(of_a, 0), (of_a, 1), (of_b, 0), (of_b, 1), (of_b, 2)]
    added = np.array(
        [
            [gaps.gap[(gaps.bin_of == m) & (unit == i)].sum() for gaps, m in bins]
            for i in range(max(unit) + 1)
        ]
    )
    np.testing.assert_allclose(sums, added.sum(axis=0) / 6)
    expected = len(added) * np.cov(added, rowvar=False, ddof=1)
    by_scores = [gaps.expected[m] for gaps, m in bins]
    assert (np.diagonal(expected) < by_scores).all() == (hit == (score > 0.5)).all()
    np.fill_diagonal(expected, np.maximum(np.diagonal(expected), by_scores))
    np.testing.assert_allclose(covariance, expected / 36, atol=1e-15)


def test_a_difference_of_more_bins_than_its_interval_was_tried_on_is_refused():
    score = np.arange(61) / 60
    pairs = Pairs(score, score > 0.5)
    of_60, of_61 = (Gaps.of(pairs, calib.equal_width(n)) for n in (60, 61))
    options = {"cluster": None, "n_resamples": 5, "rng": rng()}
    assert split_difference(of_60, of_60, **options)[0] == 0
    with pytest.raises(
        ValueError, match="y_prob_b: scores in 61 bins, expected at most 60"
    ):
        split_difference(of_60, of_61, **options)
