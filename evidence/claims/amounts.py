"""By how much a sentence is true: the random-effects mean of networks, and the next network.

The effects are those of `shares`. The rest, which is a network's alone, has the logistic variance
pi^2 / 3 where the spreads are in units of the logit: what counts teach about likeness serves
amounts too.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp
from scipy.stats import chi2, norm

from evidence.claims.distributions import Distribution, TMixture
from evidence.claims.laplace import Design, design_of
from evidence.claims.network_intervals import ShownInterval
from evidence.claims.shares import EFFECTS, log_prior, spreads

RESIDUAL = np.pi**2 / 3  # the variance of a logistic variable


@dataclass(frozen=True)
class Amounts:
    """A mean over networks, and what the next network has: mixtures of t distributions."""

    nodes: np.ndarray  # the probability of each node of the spreads
    mean: np.ndarray  # at each node
    error: np.ndarray  # of the mean
    total: np.ndarray  # the standard deviation of a new network
    df: int

    def interval(self, *, new: bool = False) -> ShownInterval:
        """Return the mean with its 95 % interval, or that of a new network."""
        width = np.sqrt(self.error**2 + new * self.total**2)
        mixture = TMixture(self.nodes, self.mean, width, self.df)
        middle = float(self.nodes @ self.mean)
        return ShownInterval(middle, mixture.quantile(0.025), mixture.quantile(0.975))

    def mean_between(self, least: float, most: float) -> float:
        """Return the probability that the mean lies between two bounds."""
        return TMixture(self.nodes, self.mean, self.error, self.df).between(least, most)

    def share(self, least: float, most: float, n_levels: int = 41) -> Distribution:
        """Return the distribution of the share of new networks between two bounds.

        The residual variance and the mean are uncertain: each takes `n_levels` values that are
        equally likely.
        """
        levels = (np.arange(n_levels) + 0.5) / n_levels
        factor = np.sqrt(self.df / chi2.ppf(levels, self.df))[:, None]
        error = self.error[:, None, None] * factor
        mean = self.mean[:, None, None] + error * norm.ppf(levels)
        total = self.total[:, None, None] * factor
        points = norm.cdf(most, mean, total) - norm.cdf(least, mean, total)
        weights = np.broadcast_to(self.nodes[:, None, None] / n_levels**2, points.shape)
        return Distribution(points.ravel(), weights.ravel())


def shared_covariance(design: Design, variances: np.ndarray) -> np.ndarray:
    """Return what networks have in common by their effects, shape (nodes, networks, networks)."""
    indicators = design.indicators
    return (indicators * variances[:, design.effect][:, None, :]) @ indicators.T


@dataclass(frozen=True)
class FittedMean:
    """The mean of networks with shared effects, at each node of the spreads: least squares."""

    nodes: np.ndarray  # the probability of each node of the spreads
    mean: np.ndarray
    precision: np.ndarray  # of the mean, in units of one over the variance
    variance: np.ndarray  # the residual one, as a multiple of the covariance
    # the inverse covariance times what else was asked for, shape (nodes, networks, m)
    solved: np.ndarray


def fitted_mean(
    y: np.ndarray,
    shared: np.ndarray,
    log_prior_of_nodes: np.ndarray,
    others: np.ndarray | None = None,
) -> FittedMean:
    """Return the generalized least-squares mean of networks, and what each node weighs.

    With the covariance C = `shared` + `RESIDUAL` I the mean is 1'C^-1 y / 1'C^-1 1, and a node of
    the spreads is weighed by the marginal likelihood, the mean and the residual variance integrated
    out by their reference prior.

    Parameters
    ----------
    y : array of shape (n,)
        One value a network.
    shared : array of shape (nodes, n, n)
        What networks have in common, as `shared_covariance` returns it.
    log_prior_of_nodes : array of shape (nodes,)
    others : array of shape (nodes, n, m), optional
        What the inverse covariance is to be multiplied with besides.
    """
    n, n_nodes = len(y), len(shared)
    covariance = shared + RESIDUAL * np.eye(n)
    ones_and_y = np.broadcast_to(np.column_stack([np.ones(n), y]), (n_nodes, n, 2))
    right = [ones_and_y] if others is None else [ones_and_y, others]
    solved = np.linalg.solve(covariance, np.concatenate(right, axis=2))
    of_ones, of_y = solved[:, :, 0], solved[:, :, 1]
    precision = of_ones.sum(axis=1)
    mean = of_y.sum(axis=1) / precision
    rest = (of_y - mean[:, None] * of_ones) @ y
    # equal values have no rest: the floor is as little as their digits tell
    variance = np.maximum(rest, 1e-12 * max(1.0, float(y @ y))) / (n - 1)
    log_weight = log_prior_of_nodes - np.linalg.slogdet(covariance)[1] / 2
    log_weight -= np.log(precision) / 2 + (n - 1) / 2 * np.log(variance)
    nodes = np.exp(log_weight - logsumexp(log_weight))
    return FittedMean(nodes, mean, precision, variance, solved[:, :, 2:])


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
    >>> of_five = amounts([1.0, 2.0, 3.0, 4.0, 5.0], {}, scales)
    >>> [round(end, 2) for end in of_five.interval()]
    [3.0, 1.04, 4.96]
    """
    y, n = np.asarray(values, float), len(values)
    if n < 2:
        raise ValueError(f"values: {n} network; two are needed for an amount")
    variances = spreads(tuple(codes)) ** 2
    shared = shared_covariance(design_of(codes, EFFECTS, n), variances)
    fit = fitted_mean(y, shared, log_prior(tuple(codes), scales))
    # a new network has other effects of each kind, and its own rest
    total = np.sqrt(fit.variance * (variances.sum(axis=1) + RESIDUAL))
    error = np.sqrt(fit.variance / fit.precision)
    return Amounts(fit.nodes, fit.mean, error, total, n - 1)
