"""Sentences of one group, partially pooled: what their mu have in common."""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from scipy.special import logsumexp
from scipy.stats import halfnorm, norm

from evidence.claims.distributions import Distribution, nearest
from evidence.claims.shares import FINE, MU, MU_SPREAD, Likelihood, log_prior, shares_at

MEANS, SPREADS = np.linspace(-3, 5, 65), np.linspace(0.1, 5, 50)  # of mu over sentences


@dataclass(frozen=True)
class Pool:
    """Sentences of one group: their mu ~ N(m, s), with the probability of each (m, s)."""

    weights: np.ndarray  # shape (MEANS, SPREADS)
    drawn: tuple[str, ...]  # the effects of most of the sentences
    scales: dict[str, float]

    def true_of_more_than(self, bound: float) -> Distribution:
        """Return the distribution of the share of sentences that are true of so many networks."""
        return self.mean_of(shares_at(self.drawn) > bound)

    def mean_share(self) -> Distribution:
        """Return the distribution of the mean share over sentences."""
        return self.mean_of(shares_at(self.drawn))

    def mean_of(self, values: np.ndarray) -> Distribution:
        """Return the distribution of a mean over sentences; values are those of `shares_at`."""
        at_mu = np.exp(log_prior(self.drawn, self.scales)) @ values
        points = [weights @ at_mu for weights in distributions_of_mu()]
        return Distribution(np.array(points), self.weights.ravel())


@cache
def distributions_of_mu() -> list[np.ndarray]:
    """Return how much of mu lies near each point of `FINE`, for each mean and spread."""
    return [
        nearest(FINE, norm.cdf, loc=mean, scale=spread)
        for mean, spread in product(MEANS, SPREADS)
    ]


def pool(likelihoods: list[Likelihood], scales: dict[str, float]) -> Pool:
    """Return what sentences of one group have in common."""
    joint = norm.logpdf(MEANS, 0, MU_SPREAD)[:, None]
    joint = joint + halfnorm.logpdf(SPREADS, scale=MU_SPREAD)
    # of mu by each (m, s), shape (MEANS, SPREADS, MU)
    priors = norm.logpdf(MU, MEANS[:, None, None], SPREADS[:, None])
    priors -= logsumexp(priors, axis=-1, keepdims=True)
    for likelihood in likelihoods:
        # a sentence's own spreads are integrated out first: they are not what is pooled
        prior = log_prior(likelihood.drawn, scales)[:, None]
        log_of_mu = logsumexp(likelihood.log + prior, axis=0)
        joint += logsumexp(priors + log_of_mu, axis=-1)
    effects = [likelihood.drawn for likelihood in likelihoods]
    weights = np.exp(joint - logsumexp(joint))
    return Pool(weights, max(effects, key=effects.count), scales)
