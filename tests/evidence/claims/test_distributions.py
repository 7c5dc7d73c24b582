"""Distributions on points, and mixtures of t distributions, by hand."""

import numpy as np
import pytest
from scipy.stats import t

from evidence.claims.distributions import Distribution, TMixture, nearest

THREE = Distribution(np.array([3.0, 1.0, 2.0]), np.array([0.5, 0.25, 0.25]))


def test_mean_and_probability_above_a_bound():
    assert THREE.mean == 0.25 * 1 + 0.25 * 2 + 0.5 * 3
    assert [THREE.above(bound) for bound in (0, 1, 2, 3)] == [1, 0.75, 0.5, 0]


def test_half_of_a_point_lies_below_it():
    """Below 1, 2 and 3 lie 1/8, 3/8 and 3/4; between them the quantiles are a line."""
    assert THREE.quantiles((0.125, 0.375)) == [1, 2]
    assert THREE.quantiles((0.25, 0.75)) == [1.5, 3]


def test_a_mixture_is_the_weighted_sum_of_its_parts():
    mixture = TMixture(
        np.array([0.25, 0.75]), np.array([0.0, 2.0]), np.array([1.0, 3.0]), 5
    )
    below = 0.25 * t.cdf(1, 5) + 0.75 * t.cdf(-1 / 3, 5)
    assert mixture.below(1) == pytest.approx(below)
    assert mixture.between(1, np.inf) == pytest.approx(1 - below)
    for level in (0.025, 0.5, 0.9):
        assert mixture.below(mixture.quantile(level)) == pytest.approx(level)


def test_what_lies_nearest_to_a_point_ends_half_way_to_the_next():
    shares = nearest(np.array([0.1, 0.3, 0.9]), lambda x: np.clip(x, 0, 1))
    assert shares.tolist() == pytest.approx([0.2, 0.4, 0.4])


def test_a_mixture_of_equal_parts_has_the_quantile_of_one():
    alike = TMixture(np.array([0.5, 0.5]), np.zeros(2), np.ones(2), 4)
    assert alike.quantile(0.975) == pytest.approx(t.ppf(0.975, 4))
