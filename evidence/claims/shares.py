"""Of how many networks a sentence is true: one model for all sentences.

Whether a network agrees with a sentence is a coin whose logit is

    mu + effect of its data set + effect of its author + effect of its model,

with mu ~ N(0, 1.5) and effects drawn from normal distributions. Their three spreads are half-normal
a priori; the scales of these priors are learnt from all counts of all ledgers together.

The share that is reported is that of networks of new data sets, by new authors, of new models: the
mean of the coin over their effects. Its mean is the probability that the next network agrees.

Everything is computed on a grid: the spreads at `NODES`, mu at `MU`. The effects are integrated out
by Laplace's approximation (`laplace`), so that no number is drawn and no sampler runs. The same
effects serve amounts (`amounts`), and sentences of one group are pooled (`pools`).
"""

from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq, minimize
from scipy.special import expit, logsumexp
from scipy.stats import halfnorm, norm

from evidence.claims.distributions import Distribution, nearest
from evidence.claims.laplace import design_of, mode_of

MU_SPREAD = 1.5
# standard deviations of the effects of data sets, authors and models, in logits
NODES = {
    "dataset": np.array([0.15, 0.6, 1.1, 1.8, 2.7, 4.0]),
    "author": np.array([0.2, 0.8, 1.6, 2.8]),
    "kin": np.array([0.2, 0.7, 1.4]),
}
EFFECTS = tuple(NODES)
# mu where the likelihood is computed, and where it is interpolated: smooth, it needs few points
MU, FINE = np.linspace(-7, 7, 29), np.linspace(-7, 7, 281)
# points of a standard normal variable, and their weights
STANDARD = np.linspace(-5, 5, 101)
WEIGHTS = norm.pdf(STANDARD) / norm.pdf(STANDARD).sum()


class Likelihood(NamedTuple):
    """The likelihood of a sentence's counts."""

    drawn: tuple[str, ...]  # the effects that are drawn for the sentence
    log: np.ndarray  # `log_likelihood`, shape (nodes, mu)


def on_grid(values: dict[str, np.ndarray]) -> np.ndarray:
    """Return each combination of values of the effects, shape (nodes, 3): zero where none is."""
    axes = [values.get(effect, [0.0]) for effect in EFFECTS]
    return np.array(list(product(*axes)))


@cache
def spreads(drawn: tuple[str, ...]) -> np.ndarray:
    """Return the grid of spreads, shape (nodes, 3): zero for an effect that is not drawn."""
    return on_grid({effect: NODES[effect] for effect in drawn})


def log_prior(drawn: tuple[str, ...], scales: dict[str, float]) -> np.ndarray:
    """Return the logarithm of the prior of each node of `spreads`: half-normal of these scales."""
    logs = {}
    for effect in drawn:
        mass = nearest(NODES[effect], halfnorm.cdf, scale=scales[effect])
        # no node is impossible, however small a scale
        logs[effect] = np.log(mass + 1e-12)
    return on_grid(logs).sum(axis=1)


def log_likelihood(
    n: np.ndarray | pd.Series,
    agree: np.ndarray | pd.Series,
    codes: dict[str, np.ndarray],
) -> np.ndarray:
    """Return the logarithm of the likelihood of counts, shape (..., nodes, mu).

    Parameters
    ----------
    n : array of shape (n_cells,)
        Networks with the same effects.
    agree : array of shape (..., n_cells)
        How many of them agree; several draws of one design share what is computed.
    codes : dict
        The level of each cell for every effect that is drawn, as numbers from zero.
    """
    design = design_of(codes, EFFECTS, len(n))
    n, agree = np.asarray(n, float), np.asarray(agree, float)
    draws = agree.reshape(-1, 1, agree.shape[-1])
    nodes = [
        mode_of(n, draws, MU, design, spread).log_likelihood
        for spread in spreads(tuple(codes))
    ]
    return np.stack(nodes, axis=1).reshape(*agree.shape[:-1], len(nodes), len(MU))


def learn(likelihoods: list[Likelihood]) -> dict[str, float]:
    """Return the scales of the spreads with the largest likelihood over all sentences."""
    mu = norm.logpdf(MU, 0, MU_SPREAD)
    # sentences that draw the same effects have one prior, and are summed at once
    together: dict[tuple[str, ...], list[np.ndarray]] = {}
    for likelihood in likelihoods:
        together.setdefault(likelihood.drawn, []).append(likelihood.log)
    stacks = {drawn: np.stack(logs) for drawn, logs in together.items()}

    def loss(log_scales: np.ndarray) -> float:
        scales = dict(zip(EFFECTS, np.exp(log_scales), strict=True))
        total = 0.0
        for drawn, stack in stacks.items():
            prior = log_prior(drawn, scales)[:, None] + mu
            total += logsumexp(stack + prior, axis=(1, 2)).sum()
        return -total

    best = minimize(loss, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-4})
    return dict(zip(EFFECTS, np.exp(best.x).tolist(), strict=True))


@cache
def shares_at(drawn: tuple[str, ...]) -> np.ndarray:
    """Return the share of new networks at each node of the spreads and each point of `FINE`."""
    # of a sum of independent effects
    total = np.sqrt((spreads(drawn) ** 2).sum(axis=1))
    coins = [expit(FINE[:, None] + spread * STANDARD) @ WEIGHTS for spread in total]
    return np.stack(coins)


def posterior(
    likelihood: Likelihood,
    scales: dict[str, float],
    mean: float = 0.0,
    spread: float = MU_SPREAD,
) -> np.ndarray:
    """Return what each node and point of `FINE` weighs, its largest 1, for mu ~ N(mean, spread)."""
    log_posterior = likelihood.log + log_prior(likelihood.drawn, scales)[:, None]
    smooth = CubicSpline(MU, log_posterior, axis=1, bc_type="natural")(FINE)
    smooth += norm.logpdf(FINE, mean, spread)
    return np.exp(smooth - smooth.max())


def share(
    likelihood: Likelihood,
    scales: dict[str, float],
    mean: float = 0.0,
    spread: float = MU_SPREAD,
) -> Distribution:
    """Return the distribution of the share of new networks, given a sentence's likelihood.

    Examples
    --------
    All of ten networks on as many data sets agree:

    >>> scales = {"dataset": 1.0, "author": 0.5, "kin": 0.5}
    >>> counts = np.ones(10), np.ones(10), {"dataset": np.arange(10)}
    >>> likelihood = Likelihood(("dataset",), log_likelihood(*counts))
    >>> of_new = share(likelihood, scales)
    >>> round(of_new.mean, 2), round(of_new.above(0.5), 3)
    (0.88, 0.999)
    """
    weights = posterior(likelihood, scales, mean, spread)
    of_new = shares_at(likelihood.drawn)
    return Distribution(of_new.ravel(), (weights / weights.sum()).ravel())


def fair_share(
    likelihood: Likelihood,
    scales: dict[str, float],
    asked: float,
    spread: float = MU_SPREAD,
) -> Distribution:
    """Return `share`, with one above `asked` as likely as not before any evidence."""
    mean = neutral(likelihood.drawn, scales, asked, spread)
    return share(likelihood, scales, mean, spread)


def neutral(
    drawn: tuple[str, ...],
    scales: dict[str, float],
    asked: float,
    spread: Any = MU_SPREAD,
) -> float:
    """Return the mean of mu for which a share above `asked` is as likely as not beforehand.

    Examples
    --------
    >>> scales = {"dataset": 1.0, "author": 0.5, "kin": 0.5}
    >>> abs(round(neutral(("dataset",), scales, 0.5), 6))
    0.0
    """
    prior = np.exp(log_prior(drawn, scales))
    # at each node, the mu from which the share is above what is asked
    enough = np.array([np.interp(asked, by_mu, FINE) for by_mu in shares_at(drawn)])
    return brentq(lambda mean: prior @ norm.sf(enough, mean, spread) - 0.5, -20, 20)
