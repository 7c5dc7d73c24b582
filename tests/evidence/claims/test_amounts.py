"""The model of amounts: closed forms, and simulations with known truth."""

import numpy as np
import pytest
from scipy.stats import t

from evidence.claims.amounts import amounts

SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}


def test_an_amount_without_effects_is_a_mean_with_its_t_intervals():
    values = np.array([1.0, 2.0, 4.0, 4.5, 7.0])
    amount = amounts(values, {}, SCALES)
    mean, spread, reach = values.mean(), values.std(ddof=1), t.ppf(0.975, 4)
    ends = [mean, mean - reach * spread / 5**0.5, mean + reach * spread / 5**0.5]
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
