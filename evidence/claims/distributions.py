"""Distributions on points, and mixtures of t distributions: what the model's answers are."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.stats import t


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
        # half of a point's weight lies below it
        cumulated = np.cumsum(self.weights[order]) - self.weights[order] / 2
        return np.interp(levels, cumulated, self.points[order]).tolist()


@dataclass(frozen=True)
class TMixture:
    """A mixture of t distributions with the same degrees of freedom."""

    weights: np.ndarray
    mean: np.ndarray
    width: np.ndarray
    df: int

    def below(self, bound: float) -> float:
        """Return the probability below a bound."""
        return float(self.weights @ t.cdf(bound, self.df, self.mean, self.width))

    def between(self, least: float, most: float) -> float:
        """Return the probability between two bounds."""
        below = t.cdf([[least], [most]], self.df, self.mean, self.width)
        return float(self.weights @ (below[1] - below[0]))

    def quantile(self, level: float) -> float:
        """Return the bound below which so much of the probability lies.

        Examples
        --------
        >>> same = TMixture(np.array([0.5, 0.5]), np.zeros(2), np.ones(2), 4)
        >>> round(same.quantile(0.975), 2)
        2.78
        """
        # it lies between the least and the greatest quantile of the parts, which may be one
        ends = t.ppf(level, self.df, self.mean, self.width)
        near = 1e-9 * self.width.max()
        return brentq(
            lambda bound: self.below(bound) - level,
            ends.min() - near,
            ends.max() + near,
        )


def nearest(
    points: np.ndarray, cdf: Callable[..., np.ndarray], **parameters: float
) -> np.ndarray:
    """Return how much of a distribution lies nearer to each of some points than to the others.

    Examples
    --------
    >>> nearest(np.array([-1.0, 0.0, 1.0]), lambda x: np.clip(x / 2 + 0.5, 0, 1)).tolist()
    [0.25, 0.5, 0.25]
    """
    edges = np.concatenate([[-np.inf], (points[1:] + points[:-1]) / 2, [np.inf]])
    return np.diff(cdf(edges, **parameters))
