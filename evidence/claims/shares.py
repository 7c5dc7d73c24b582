"""Of how many networks a sentence is true, and by how much: one model for all sentences.

Whether a network agrees with a sentence is a coin whose logit is

    mu + effect of its data set + effect of its author + effect of its model,

with mu ~ N(0, 1.5) and effects drawn from normal distributions. Their three spreads are half-normal
a priori; the scales of these priors are learnt from all counts of all ledgers together. An amount
is a mean, the same effects, and a rest that has the logistic variance pi^2 / 3 where the spreads
are in units of the logit: what counts teach about likeness serves amounts too.

The share that is reported is that of networks of new data sets, by new authors, of new models: the
mean of the coin over their effects. Its mean is the probability that the next network agrees.

Everything is computed on a grid: the spreads at `NODES`, mu at `MU`. The effects are integrated out
by Laplace's approximation, so that no number is drawn and no sampler runs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq, minimize
from scipy.sparse import csr_array, vstack
from scipy.special import expit, log_expit, logsumexp
from scipy.stats import chi2, halfnorm, norm, t

NODES = {  # standard deviations of the effects of data sets, authors and models, in logits
    "dataset": np.array([0.15, 0.6, 1.1, 1.8, 2.7, 4.0]),
    "author": np.array([0.2, 0.8, 1.6, 2.8]),
    "kin": np.array([0.2, 0.7, 1.4]),
}
EFFECTS = tuple(NODES)
Likelihood = tuple[
    tuple[str, ...], np.ndarray
]  # the effects drawn, and what `log_likelihood` says
MU, FINE = np.linspace(-7, 7, 29), np.linspace(-7, 7, 281)
MU_SPREAD = 1.5
RESIDUAL = (
    np.pi**2 / 3
)  # the variance of a logistic variable: what is a network's alone
STANDARD = np.linspace(
    -5, 5, 101
)  # points of a standard normal variable, and their weights
WEIGHTS = norm.pdf(STANDARD) / norm.pdf(STANDARD).sum()
MOST_STEPS, CLOSE, LONGEST_STEP = 100, 1e-4, 3.0  # steps in logits
POOLED_MEANS, POOLED_SPREADS = np.linspace(-3, 5, 65), np.linspace(0.1, 5, 50)


@dataclass(frozen=True)
class Distribution:
    """A distribution on points."""

    points: np.ndarray
    weights: np.ndarray

    @property
    def mean(self) -> float:
        """The mean."""
        return float(self.points @ self.weights)

    def above(self, bound: float) -> float:
        """Return the probability above a bound."""
        return float(self.weights[self.points > bound].sum())

    def quantiles(self, levels: tuple[float, float] = (0.025, 0.975)) -> list[float]:
        """Return the points below which so much of the probability lies."""
        order = np.argsort(self.points)
        cumulated = np.cumsum(self.weights[order]) - self.weights[order] / 2
        return np.interp(levels, cumulated, self.points[order]).tolist()


# ------------------------------------------------------------------------------ the spreads
@cache
def spreads(drawn: tuple[str, ...]) -> np.ndarray:
    """Return the grid of spreads, shape (nodes, 3): zero for an effect that is not drawn."""
    axes = [NODES[effect] if effect in drawn else [0.0] for effect in EFFECTS]
    return np.array(list(product(*axes)))


def log_prior(drawn: tuple[str, ...], scales: dict[str, float]) -> np.ndarray:
    """Return the logarithm of the prior of each node of `spreads`: half-normal of these scales."""
    mass = {
        name: nearest(NODES[name], halfnorm.cdf, scale=scales[name]) for name in drawn
    }
    axes = [
        np.log(mass[effect] + 1e-12) if effect in drawn else [0.0] for effect in EFFECTS
    ]
    return np.array(list(product(*axes))).sum(axis=1)


def nearest(
    points: np.ndarray, cdf: Callable[..., np.ndarray], **given: float
) -> np.ndarray:
    """Return how much of a distribution lies nearer to each of some points than to the others."""
    edges = np.concatenate([[-np.inf], (points[1:] + points[:-1]) / 2, [np.inf]])
    return np.diff(cdf(edges, **given))


def learn(likelihoods: list[Likelihood]) -> dict[str, float]:
    """Return the scales with the largest likelihood over all sentences.

    `likelihoods` are pairs of the effects that are drawn and `log_likelihood`.
    """
    mu, drawn_together = (
        norm.logpdf(MU, 0, MU_SPREAD),
        {drawn for drawn, _ in likelihoods},
    )

    def loss(log_scales: np.ndarray) -> float:
        scales = dict(zip(EFFECTS, np.exp(log_scales), strict=True))
        prior = {
            drawn: log_prior(drawn, scales)[:, None] + mu for drawn in drawn_together
        }
        each = [
            logsumexp(likelihood + prior[drawn]) for drawn, likelihood in likelihoods
        ]
        return -sum(each)

    found = minimize(loss, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-4})
    return dict(zip(EFFECTS, np.exp(found.x).tolist(), strict=True))


# ------------------------------------------------------------------------------- the shares
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
    design, effect = indicators(codes, len(n))
    n, agree = np.asarray(n, float), np.asarray(agree, float)
    draws = agree.reshape(-1, 1, agree.shape[-1])
    pairs = vstack(
        [csr_array(np.outer(row, row).reshape(1, -1)) for row in design], format="csr"
    )
    nodes = [
        laplace(n, draws, design, pairs, node[effect])[0]
        for node in spreads(tuple(codes))
    ]
    return np.stack(nodes, axis=1).reshape(*agree.shape[:-1], len(nodes), len(MU))


def indicators(
    codes: dict[str, np.ndarray], n_cells: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return which cells have which level of each effect, and each column's effect."""
    columns = [np.eye(max(levels) + 1)[levels] for levels in codes.values()]
    effect = np.repeat(
        [EFFECTS.index(name) for name in codes], [c.shape[1] for c in columns]
    )
    return np.hstack([np.zeros((n_cells, 0)), *columns]), effect.astype(int)


def laplace(
    n: np.ndarray, agree: np.ndarray, design: np.ndarray, pairs: Any, spread: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return log p(counts | mu), shape (draws, mu), the mode of the effects and negative Hessians.

    The effects are standard normal, times their spreads. Their mode is found by Newton's steps, and
    log p(counts) = log p(counts, mode) - log det(negative Hessian) / 2.
    """
    z, scaled = np.zeros((len(agree), len(MU), len(spread))), design * spread
    for _ in range(MOST_STEPS):
        eta = MU[:, None] + z @ scaled.T
        p = expit(eta)
        weight = (n * p * (1 - p)).reshape(-1, len(n))
        hessian = (weight @ pairs).reshape(*z.shape, len(spread)) * np.outer(
            spread, spread
        )
        hessian += np.eye(len(spread))
        step = np.linalg.solve(hessian, ((agree - n * p) @ scaled - z)[..., None])[
            ..., 0
        ]
        longest = np.abs(step @ scaled.T).max(axis=-1, keepdims=True, initial=CLOSE / 2)
        z += step * np.minimum(
            1, LONGEST_STEP / longest
        )  # far steps overshoot near sure coins
        if longest.max() < CLOSE:
            fit = (agree * log_expit(eta) + (n - agree) * log_expit(-eta)).sum(axis=-1)
            return (
                fit - (z**2).sum(axis=-1) / 2 - np.linalg.slogdet(hessian)[1] / 2,
                z,
                hessian,
            )
    raise RuntimeError(f"no mode of the effects after {MOST_STEPS} steps")


@cache
def shares_at(drawn: tuple[str, ...]) -> np.ndarray:
    """Return the share of new networks at each node of the spreads and each point of `FINE`."""
    total = np.sqrt((spreads(drawn) ** 2).sum(axis=1))
    return np.stack(
        [expit(FINE[:, None] + spread * STANDARD) @ WEIGHTS for spread in total]
    )


def share(
    likelihood: np.ndarray,
    drawn: tuple[str, ...],
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
    >>> found = share(log_likelihood(*counts), ("dataset",), scales)
    >>> round(found.mean, 2), round(found.above(0.5), 3)
    (0.88, 0.999)
    """
    log_posterior = likelihood + log_prior(drawn, scales)[:, None]
    smooth = CubicSpline(MU, log_posterior, axis=1, bc_type="natural")(FINE)
    smooth += norm.logpdf(FINE, mean, spread)
    weights = np.exp(smooth - smooth.max())
    return Distribution(shares_at(drawn).ravel(), (weights / weights.sum()).ravel())


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
    enough = np.array([np.interp(asked, of_mu, FINE) for of_mu in shares_at(drawn)])
    return brentq(lambda mean: prior @ norm.sf(enough, mean, spread) - 0.5, -20, 20)


@dataclass(frozen=True)
class Pool:
    """Sentences of one kind: their mu ~ N(m, s), with the probability of each (m, s)."""

    weights: np.ndarray  # shape (POOLED_MEANS, POOLED_SPREADS)
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
        kinds = product(POOLED_MEANS, POOLED_SPREADS)
        points = [
            nearest(FINE, norm.cdf, loc=mean, scale=spread) @ at_mu
            for mean, spread in kinds
        ]
        return Distribution(np.array(points), self.weights.ravel())


def pool(likelihoods: list[Likelihood], scales: dict[str, float]) -> Pool:
    """Return what sentences of one kind have in common, partially pooled."""
    joint = norm.logpdf(POOLED_MEANS, 0, MU_SPREAD)[:, None]
    joint = joint + halfnorm.logpdf(POOLED_SPREADS, scale=MU_SPREAD)
    priors = norm.logpdf(MU, POOLED_MEANS[:, None, None], POOLED_SPREADS[:, None])
    priors -= logsumexp(priors, axis=-1, keepdims=True)
    for drawn, likelihood in likelihoods:
        of_mu = logsumexp(likelihood + log_prior(drawn, scales)[:, None], axis=0)
        joint += logsumexp(priors + of_mu, axis=-1)
    effects = [drawn for drawn, _ in likelihoods]
    return Pool(
        np.exp(joint - logsumexp(joint)), max(effects, key=effects.count), scales
    )


# ------------------------------------------------------------------------------ the amounts
@dataclass(frozen=True)
class Amounts:
    """A mean over networks, and what the next network has: mixtures of t distributions."""

    nodes: np.ndarray  # the probability of each node of the spreads
    mean: np.ndarray  # at each node
    error: np.ndarray  # of the mean
    total: np.ndarray  # the standard deviation of a new network
    df: int

    def interval(self, *, new: bool = False) -> tuple[float, float, float]:
        """Return the mean with its 95 % interval, or that of a new network."""
        width = np.sqrt(self.error**2 + new * self.total**2)

        def quantile(level: float) -> float:
            ends, near = t.ppf(level, self.df, self.mean, width), 1e-9 * width.max()
            below = lambda x: self.nodes @ t.cdf(x, self.df, self.mean, width) - level  # noqa: E731
            return brentq(below, ends.min() - near, ends.max() + near)

        return float(self.nodes @ self.mean), quantile(0.025), quantile(0.975)

    def mean_between(self, least: float, most: float) -> float:
        """Return the probability that the mean lies between two bounds."""
        below = t.cdf([[least], [most]], self.df, self.mean, self.error)
        return float(self.nodes @ (below[1] - below[0]))

    def share(self, least: float, most: float, n_levels: int = 41) -> Distribution:
        """Return the distribution of the share of new networks between two bounds."""
        levels = (np.arange(n_levels) + 0.5) / n_levels
        factor = np.sqrt(self.df / chi2.ppf(levels, self.df))[:, None]
        mean = self.mean[:, None, None] + self.error[:, None, None] * factor * norm.ppf(
            levels
        )
        total = self.total[:, None, None] * factor
        points = norm.cdf(most, mean, total) - norm.cdf(least, mean, total)
        weights = np.broadcast_to(self.nodes[:, None, None] / n_levels**2, points.shape)
        return Distribution(points.ravel(), weights.ravel())


def amounts(
    values: list[float] | np.ndarray,
    codes: dict[str, np.ndarray],
    scales: dict[str, float],
) -> Amounts:
    """Return the random-effects mean of networks: their effects as in the counts.

    Given the spreads, the mean and the residual variance have their reference prior, so that the
    mean is a t distribution; the spreads are weighed by the marginal likelihood.

    Examples
    --------
    >>> scales = {"dataset": 1.0, "author": 0.5, "kin": 0.5}
    >>> found = amounts([1.0, 2.0, 3.0, 4.0, 5.0], {}, scales)
    >>> [round(end, 2) for end in found.interval()]
    [3.0, 1.04, 4.96]
    """
    y, n = np.asarray(values, float), len(values)
    if n < 2:
        raise ValueError(f"values: {n} network; two are needed for an amount")
    design, effect = indicators(codes, n)
    variances = spreads(tuple(codes)) ** 2
    covariance = (
        design * variances[:, effect][:, None, :]
    ) @ design.T + RESIDUAL * np.eye(n)
    solved = np.linalg.solve(covariance, np.column_stack([np.ones(n), y]))
    of_ones, of_y = solved[:, :, 0], solved[:, :, 1]
    precision = of_ones.sum(axis=1)
    mean = of_y.sum(axis=1) / precision
    rest = (of_y - mean[:, None] * of_ones) @ y
    variance = np.maximum(rest, 1e-12 * max(1.0, float(y @ y))) / (n - 1)
    log_weight = log_prior(tuple(codes), scales) - np.linalg.slogdet(covariance)[1] / 2
    log_weight -= np.log(precision) / 2 + (n - 1) / 2 * np.log(variance)
    nodes = np.exp(log_weight - logsumexp(log_weight))
    total = np.sqrt(variance * (variances.sum(axis=1) + RESIDUAL))
    return Amounts(nodes, mean, np.sqrt(variance / precision), total, n - 1)
