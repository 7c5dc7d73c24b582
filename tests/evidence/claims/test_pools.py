"""Sentences of one kind together: a simulation with known truth."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import halfnorm, norm

from evidence.claims import pools, shares
from evidence.claims.pools import Pool, pool

SETS = {"dataset": np.arange(6)}


def test_sentences_of_one_kind_are_pooled():
    """Of sentences true of 80 % of networks nearly all are true of more than half."""
    rng, sentences = np.random.default_rng(4), []
    for _ in range(40):
        agree = rng.binomial(8, 0.8, size=6).astype(float)
        log = shares.log_likelihood(np.full(6, 8.0), agree, SETS)
        sentences.append(shares.Likelihood(("dataset",), log))
    pooled = pool(sentences, {"dataset": 0.2, "author": 0.2, "kin": 0.2})
    low, high = pooled.mean_share().quantiles()
    assert low < 0.8 < high + 0.01 and high - low < 0.1
    assert pooled.true_of_more_than(0.5).mean > 0.95


def test_new_networks_have_the_effects_of_most_sentences():
    one, two = SETS, SETS | {"author": np.arange(6) % 2}
    n, agree = np.full(6, 8.0), np.full(6, 6.0)
    sentences = [
        shares.Likelihood(tuple(codes), shares.log_likelihood(n, agree, codes))
        for codes in (one, two, two)
    ]
    pooled = pool(sentences, {"dataset": 0.2, "author": 0.2, "kin": 0.2})
    assert pooled.drawn == ("dataset", "author")


def test_the_posterior_of_a_group_is_that_of_plain_sums(monkeypatch):
    """Each sentence has spreads and a mu of its own, summed out; means and spreads have priors."""
    means, spreads = np.array([-1.0, 0.5, 2.0]), np.array([0.3, 1.0])
    monkeypatch.setattr(pools, "MEANS", means)
    monkeypatch.setattr(pools, "SPREADS", spreads)
    scales = {"dataset": 0.2, "author": 0.2, "kin": 0.2}
    counts = ([1.0, 3, 0, 2, 1, 4], [8.0, 8, 7, 8, 8, 6])
    logs = [
        shares.log_likelihood(np.full(6, 8.0), np.array(agree), SETS)
        for agree in counts
    ]
    expected = np.zeros((3, 2))
    prior = np.exp(shares.log_prior(("dataset",), scales))
    for i, mean in enumerate(means):
        for j, spread in enumerate(spreads):
            density = norm.pdf(shares.MU, mean, spread)
            density /= density.sum()
            joint = norm.pdf(mean, 0, shares.MU_SPREAD)
            joint *= halfnorm.pdf(spread, scale=shares.MU_SPREAD)
            for log in logs:
                joint *= sum(
                    p * np.exp(row) @ density for p, row in zip(prior, log, strict=True)
                )
            expected[i, j] = joint
    result = pool([shares.Likelihood(("dataset",), log) for log in logs], scales)
    assert result.weights == pytest.approx(expected / expected.sum())


def at(mean, spread):
    """A pool that knows the mean and the spread of its sentences, whose networks are alike."""
    weights = np.zeros((len(pools.MEANS), len(pools.SPREADS)))
    i, j = (
        np.abs(grid - value).argmin()
        for grid, value in ((pools.MEANS, mean), (pools.SPREADS, spread))
    )
    weights[i, j] = 1
    known = Pool(weights, ("dataset",), dict.fromkeys(SETS, 1e-3))
    return known, pools.MEANS[i], pools.SPREADS[j]


@pytest.mark.parametrize(("mean", "spread"), [(0.0, 1.0), (1.5, 0.5), (-1.0, 1.0)])
def test_of_known_sentences_shares_are_those_of_their_normal_distribution(mean, spread):
    known, mean, spread = at(mean, spread)
    draws = norm.ppf((np.arange(4000) + 0.5) / 4000, mean, spread)
    assert known.mean_share().mean == pytest.approx(expit(draws).mean(), abs=0.01)
    half = known.true_of_more_than(0.5).mean
    assert half == pytest.approx(norm.cdf(mean / spread), abs=0.02)
    most = known.true_of_more_than(0.8).mean
    above = norm.sf(np.log(4), mean, spread)
    assert most == pytest.approx(above, abs=0.03)


def test_the_grids_of_a_group_are_even():
    means, spreads = pools.MEANS, pools.SPREADS
    assert (means[0], means[-1], spreads[0], spreads[-1]) == (-3, 5, 0.1, 5)
    assert np.diff(means) == pytest.approx(0.125) and np.diff(spreads) == pytest.approx(
        0.1
    )
