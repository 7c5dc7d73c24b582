"""The model of amounts: closed forms, and simulations with known truth."""

import numpy as np
import pytest
from scipy.stats import norm, t

from evidence.claims.amounts import RESIDUAL, amounts, fitted_mean

SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}


def test_an_amount_without_effects_is_a_mean_with_its_t_intervals():
    values = np.array([1.0, 2.0, 4.0, 4.5, 7.0])
    amount = amounts(values, {}, SCALES)
    mean, spread, reach = values.mean(), values.std(ddof=1), t.ppf(0.975, 4)
    ends = [
        mean,
        mean - reach * spread / 5**0.5,
        mean + reach * spread / 5**0.5,
    ]
    assert amount.interval() == pytest.approx(ends)
    ends = (
        mean - reach * spread * np.sqrt(1 + 1 / 5),
        mean + reach * spread * np.sqrt(1 + 1 / 5),
    )
    assert amount.interval(new=True)[1:] == pytest.approx(ends)
    assert amount.mean_between(0, np.inf) == pytest.approx(
        t.cdf(mean / spread * 5**0.5, 4)
    )
    assert amount.share(0, np.inf).mean == pytest.approx(
        t.cdf(mean / spread / np.sqrt(1 + 1 / 5), 4), abs=5e-3
    )
    # how sure the share is: how often the share of a mean and a variance that are drawn is above
    rng = np.random.default_rng(0)
    sigma = spread * np.sqrt(4 / rng.chisquare(4, size=200_000))
    drawn = norm.cdf(rng.normal(mean, sigma / 5**0.5) / sigma)
    low, high = amount.share(0, np.inf).quantiles((0.1, 0.9))
    assert (low, high) == pytest.approx(np.quantile(drawn, [0.1, 0.9]), abs=0.02)


def test_spreads_are_weighed_by_the_marginal_likelihood():
    """Over the mean, and the logarithm of the residual variance, it is summed on a grid."""
    y = np.array([0.0, 0.5, 3.0, 3.2])
    alike = np.kron(np.eye(2), np.ones((2, 2)))  # two data sets of two networks
    shared = np.stack([0.1 * alike, 4.0 * alike])
    means, log_variances = np.meshgrid(
        np.linspace(-80, 80, 1601), np.linspace(-8, 12, 401)
    )
    marginal = []
    for covariance in shared + RESIDUAL * np.eye(4):
        rest = y - means[..., None]
        squares = np.einsum("...i,ij,...j", rest, np.linalg.inv(covariance), rest)
        density = np.exp(-squares / 2 / np.exp(log_variances) - 2 * log_variances)
        marginal.append(density.sum() / np.sqrt(np.linalg.det(covariance)))
    result = fitted_mean(y, shared, np.zeros(2)).nodes
    assert result == pytest.approx(marginal / np.sum(marginal), rel=2e-3)


def test_the_next_network_lies_in_its_interval():
    """Data sets as unlike as networks: 95 % of the next networks, and of the means."""
    rng, levels = np.random.default_rng(5), np.repeat(np.arange(6), 5)
    next_covered, covered = [], []
    for _ in range(300):
        effects = rng.standard_normal(7)
        values = 1 + effects[levels] + rng.standard_normal(30)
        amount = amounts(values, {"dataset": levels}, {**SCALES, "dataset": 2.0})
        _, low, high = amount.interval(new=True)
        next_covered.append(low < 1 + effects[6] + rng.standard_normal() < high)
        _, low, high = amount.interval()
        covered.append(low < 1 < high)
    assert 0.91 < np.mean(next_covered) < 0.99 and 0.91 < np.mean(covered) < 0.99


def test_a_new_network_lies_above_the_mean_as_often_as_below_it():
    of_six = amounts([1.0, 2.0, 3.0, 4.0, 5.0, 9.0], {}, {})
    assert of_six.share(4.0, np.inf).mean == pytest.approx(0.5, abs=1e-6)
    # nearly all of six lie above -3, and of new ones a few do not
    assert 0.9 < of_six.share(-3.0, np.inf).mean < 1
    above, below = (
        of_six.share(6.0, np.inf).mean,
        of_six.share(-np.inf, 2.0).mean,
    )
    assert above == pytest.approx(below) and above < 0.5


def test_two_networks_are_enough_for_an_amount():
    assert np.isfinite(amounts([1.0, 2.0], {}, {}).interval()).all()
