"""What the model of the ledger says of networks that it has not seen.

A network that may agree with a sentence is a coin (`Coins`), one that has an amount is predicted
(`predicted`). Both have the effects of `evidence.claims.shares`: a new network on a known data set,
by a known author or of a known model shares what these have.
"""

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit, ndtri
from scipy.stats import qmc

from evidence.claims import shares
from evidence.claims.amounts import RESIDUAL, fitted_mean, shared_covariance
from evidence.claims.distributions import TMixture
from evidence.claims.estimates import codes_of
from evidence.claims.laplace import design_of, mode_of

# points of Sobol, for networks that hang together
N_POINTS = 256
SEED = 2027


def with_known_names(new: pd.DataFrame, known: pd.Series) -> pd.DataFrame:
    """Return networks whose models have the names of the evidence: MobileNet-v2 is MobileNetV2."""
    spelling = {plain_name(name): name for name in set(known)}
    return new.assign(kin=[spelling.get(plain_name(name), name) for name in new["kin"]])


def plain_name(name: str) -> str:
    """Return a name in lower case, without dashes and spaces."""
    return re.sub(r"[\s-]", "", name).lower()


def codes_with_new(rows: pd.DataFrame, new: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the levels of old and new networks as numbers, for the effects that are drawn."""
    drawn = list(codes_of(rows))
    networks = pd.concat([rows[drawn], with_known_names(new, rows["kin"])[drawn]])
    return {
        effect: np.unique(networks[effect], return_inverse=True)[1] for effect in drawn
    }


@dataclass(frozen=True)
class Coins:
    """Networks that may agree with a sentence: a mixture of normal distributions of logits."""

    weights: np.ndarray  # shape (m,)
    mean: np.ndarray  # shape (m, networks)
    covariance: np.ndarray  # shape (m, networks, networks)

    def of(self, chosen: np.ndarray) -> "Coins":
        """Return some of the networks."""
        covariance = self.covariance[:, chosen][:, :, chosen]
        return Coins(self.weights, self.mean[:, chosen], covariance)

    def counts(self) -> np.ndarray:
        """Return the probability of each number of networks that agree."""
        n = self.mean.shape[1]
        sobol = qmc.Sobol(n, scramble=True, rng=np.random.default_rng(SEED))
        points = ndtri(sobol.random(N_POINTS))
        total = np.zeros(n + 1)
        for weight, mean, covariance in zip(
            self.weights, self.mean, self.covariance, strict=True
        ):
            root = np.linalg.cholesky(covariance + 1e-9 * np.eye(n))
            total += weight * number_of_heads(expit(mean + points @ root.T))
        return total


def number_of_heads(p: np.ndarray) -> np.ndarray:
    """Return the distribution of the number of coins that show heads, the mean over rows of p.

    Examples
    --------
    >>> number_of_heads(np.array([[0.5, 0.5]])).tolist()
    [0.25, 0.5, 0.25]
    """
    heads = np.zeros((len(p), p.shape[1] + 1))
    heads[:, 0] = 1
    for coin in p.T:
        heads[:, 1:] = (
            heads[:, 1:] * (1 - coin)[:, None] + heads[:, :-1] * coin[:, None]
        )
        heads[:, 0] *= 1 - coin
    return heads.mean(axis=0)


def coins(rows: pd.DataFrame, new: pd.DataFrame, scales: dict[str, float]) -> Coins:
    """Return the new networks as the model sees them, given those of a sentence.

    They are cells without a network in the counts: so they change nothing, and have effects.
    """
    codes = codes_with_new(rows, new)
    drawn, n_old = tuple(codes), len(rows)
    design = design_of(codes, shares.EFFECTS, n_old + len(new))
    n = np.append(rows["networks"].to_numpy(float), np.zeros(len(new)))
    agree = np.append(rows["total"].to_numpy(float), np.zeros(len(new)))[None, None]
    likelihood, means, covariances = [], [], []
    for spread in shares.spreads(drawn):
        mode = mode_of(n, agree, shares.MU, design, spread)
        scaled = design.scaled(spread)[n_old:]
        likelihood.append(mode.log_likelihood[0])
        means.append(shares.MU[:, None] + mode.effects[0] @ scaled.T)
        covariances.append(scaled @ np.linalg.solve(mode.hessian[0], scaled.T[None]))
    weights = weights_of(shares.Likelihood(drawn, np.array(likelihood)), scales)
    shown = weights > 1e-5 * weights.max()
    kept_weights = weights[shown] / weights[shown].sum()
    return Coins(kept_weights, np.array(means)[shown], np.array(covariances)[shown])


def weights_of(likelihood: shares.Likelihood, scales: dict[str, float]) -> np.ndarray:
    """Return the posterior of the spreads and of mu, on the grid where mu is coarse."""
    step = shares.MU[1] - shares.MU[0]
    # each fine point belongs to its two neighbours, as in a linear interpolation
    near = np.maximum(0, 1 - np.abs(shares.FINE[:, None] - shares.MU) / step)
    weights = shares.posterior(likelihood, scales) @ near
    return weights / weights.sum()


def predicted(
    rows: pd.DataFrame,
    new: pd.DataFrame,
    weights: np.ndarray,
    scales: dict[str, float],
) -> TMixture:
    """Return a weighted sum of new networks, given the values of others (``total``).

    The model is that of `evidence.claims.amounts`; given the spreads this is the best linear
    prediction, with the error of the mean.

    Examples
    --------
    >>> rows = pd.DataFrame({"total": [1.0, 2, 3, 4, 5], "dataset": "", "author": "", "kin": ""})
    >>> scales = {"dataset": 1.0, "author": 0.5, "kin": 0.5}
    >>> amount = predicted(rows, rows[:1], np.ones(1), scales)
    >>> round(amount.quantile(0.5), 2), round(amount.quantile(0.975), 2)
    (3.0, 7.81)
    """
    y, n = rows["total"].to_numpy(float), len(rows)
    codes = codes_with_new(rows, new)
    drawn = tuple(codes)
    design = design_of(codes, shares.EFFECTS, n + len(new))
    shared = shared_covariance(design, shares.spreads(drawn) ** 2)
    # of the sum: its covariance with each old network, and its variance about the mean
    across = shared[:, :n, n:] @ weights
    alone = RESIDUAL * weights @ weights
    variance = np.einsum("i,kij,j->k", weights, shared[:, n:, n:], weights) + alone
    prior = shares.log_prior(drawn, scales)
    fit = fitted_mean(y, shared[:, :n, :n], prior, across[:, :, None])
    of_new = fit.solved[:, :, 0]
    total = weights.sum()  # zero of a difference: the mean has no part in it
    far = total - of_new.sum(axis=1)
    center = total * fit.mean + ((y - fit.mean[:, None]) * of_new).sum(axis=1)
    # what the old networks tell of the sum is taken off, the error of the mean is added
    spread = variance - (across * of_new).sum(axis=1) + far**2 / fit.precision
    return TMixture(fit.nodes, center, np.sqrt(fit.variance * spread), n - 1)
