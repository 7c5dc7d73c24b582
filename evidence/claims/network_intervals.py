"""Intervals of networks that are alike: of as many networks drawn singly as would tell as much.

Every number that the ledger judges is one of networks: a mean, a difference, a slope, a
correlation. A hundred networks on one data set tell less than a hundred on as many. How much less
is the intraclass correlation, `LIKENESS`; ``data/results/shares/operating_characteristics.csv``
says how often intervals of means and of correlations err.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import t

FEWEST = 5  # networks, drawn singly
# What two networks have in common, of a data set, an author or a model: an intraclass correlation.
# Of a mean, a slope or a correlation nothing learns it. These are chosen near those of the coins of
# networks whose spreads are the medians of the priors in ``data/ledger/ledger-spreads.csv``: .26,
# .10 and .01 of the variance of the logit; one of a model is taken for more alike.
LIKENESS = {"dataset": 0.3, "author": 0.1, "kin": 0.1}

Bound = np.ndarray | float


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval, and the p-value of both sides against a bound."""

    estimate: Bound
    low: Bound = np.nan
    high: Bound = np.nan
    p: Callable[[float], float] = lambda bound: np.nan


class ShownInterval(NamedTuple):
    """An estimate and the ends of its 95 % interval, in the unit in which they are shown."""

    estimate: float
    low: float
    high: float


class DrawnSingly(NamedTuple):
    """Networks that are alike, and how many drawn singly would tell as much of their mean."""

    weights: np.ndarray  # of the networks in the mean
    n: float


def drawn_singly(n: int, clusters: dict[str, Any]) -> DrawnSingly:
    """Return the weights of networks, and how many drawn singly would tell as much of their mean.

    Two networks have in common what `LIKENESS` says of their data set, author and model together.
    A network of a data set of m weighs 1 / (1 + LIKENESS (m - 1)), as in a random-effects mean:
    the tenth of one tells less than the first.
    """
    codes = {
        name: np.unique(of, return_inverse=True)[1] for name, of in clusters.items()
    }
    data = codes.get("dataset", np.arange(n))
    weights = 1 / (1 + LIKENESS["dataset"] * (np.bincount(data)[data] - 1))
    weights = weights / weights.sum()
    alone = 1 - sum(LIKENESS[name] for name in codes)
    variance = alone * (weights**2).sum()
    for name, of in codes.items():
        variance += LIKENESS[name] * (np.bincount(of, weights) ** 2).sum()
    return DrawnSingly(weights, float(1 / variance))


def t_interval(estimate: float, error: float, df: float) -> Interval:
    """Return an estimate with its t interval."""
    half = t.ppf(0.975, df) * error if df > 0 else np.nan

    def p(bound: float) -> float:
        if error == 0:
            # networks that are all alike tell nothing of a bound that they are equal to
            return float(estimate == bound)
        return float(2 * t.sf(abs(estimate - bound) / error, df))

    return Interval(estimate, estimate - half, estimate + half, p)


def mean_interval(
    values: np.ndarray | pd.Series, clusters: dict[str, np.ndarray]
) -> Interval:
    """Return the mean over networks, or settings, with its t interval by as many drawn singly.

    The mean squared deviation is that of one network less that of the mean, whatever they have in
    common, so that divided by the number less one it is the variance of the mean.
    """
    values = np.asarray(values, dtype=float)
    weights, n = drawn_singly(values.shape[-1], clusters)
    mean = values @ weights
    if values.shape[-1] < 2:
        return Interval(mean)
    variance = ((values - mean[..., None]) ** 2 @ weights) / (n - 1)
    return t_interval(mean, np.sqrt(variance), n - 1)


def correlation_interval(rho: float, n: int, singly: float) -> Interval:
    """Return Fisher's z of rank correlations of n networks with the interval of Bonett and Wright.

    A perfect order has that of one with two neighbours exchanged, since its own has no width.
    """
    exchanged = 1 - 12 / (n * (n**2 - 1))
    z = np.arctanh(np.clip(rho, -exchanged, exchanged))
    return t_interval(
        z, np.sqrt((1 + rho**2 / 2) / (max(singly, 3 + 1e-9) - 3)), np.inf
    )


def evident(low: Bound, high: Bound, least: float, most: float) -> str:
    """Return the verdict of an interval: does it lie between what the claim asks for?

    A claim of no effect, whose bounds lie on both sides of zero, fails as well where the interval
    excludes zero and reaches beyond the margin.

    Examples
    --------
    >>> evident(0.6, 0.9, 0.5, np.inf), evident(0.2, 0.4, 0.5, np.inf), evident(0.1, 0.9, 0.5, 1.0)
    ('holds', 'fails', 'mixed')
    >>> evident(0.1, 0.9, -0.2, 0.2), evident(-0.1, 0.1, -0.2, 0.2)
    ('fails', 'holds')
    """
    if np.isnan(low):
        return "too few cases"
    if least < low and high < most:
        return "holds"
    none = least < 0 < most and np.isfinite([least, most]).all()
    outside = low > 0 or high < 0 if none else high < least or low > most
    return "fails" if outside else "mixed"
