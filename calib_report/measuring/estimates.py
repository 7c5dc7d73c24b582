"""Means, shares and areas of samples, or of whole clusters of them, with their intervals."""

# Mirrored by the answer desk, book/assets/desk/measure.js: change both.

from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln, stdtrit, xlog1py, xlogy

import calib
from calib.constants import NORMAL_95
from calib_report.schema import Change, Interval, Number

SAME = 1e-12  # a width that rounding alone leaves of equal values


class Mean(NamedTuple):
    """A mean, its standard error, infinite where it is not known, and its freedom."""

    value: float
    standard_error: float
    freedom: float  # degrees of Student's t, of many samples infinite


def mean_with_standard_error(
    values: np.ndarray, clusters: np.ndarray | None = None
) -> Mean:
    """Mean with its standard error, of clusters that of their sums, which leave m - 1 degrees."""
    values = np.asarray(values, float)
    mean = float(np.mean(values))
    if not np.isfinite(mean):
        return Mean(mean, np.inf, np.inf)
    deviation: np.ndarray = values - mean
    if clusters is not None:
        # rows of a cluster hang together: their sum is one observation
        deviation = np.bincount(clusters, deviation)
    m = len(deviation)
    freedom = np.inf if clusters is None else float(max(m - 1, 1))
    # of one sample, or cluster, no standard error is known
    if m < 2:
        return Mean(mean, np.inf, freedom)
    standard_error = float((deviation @ deviation * m / (m - 1)) ** 0.5 / len(values))
    return Mean(mean, standard_error, freedom)


def mean_with_interval(
    values: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """Mean with its 95 % normal interval; of m clusters Student's, of their sums."""
    mean, standard_error, freedom = mean_with_standard_error(values, clusters)
    if np.isinf(standard_error):
        return {"value": mean}
    return interval_of(mean, standard_error, freedom)


def interval_of(value: float, standard_error: float, freedom: float) -> Number:
    """Return a number with its 95 % interval: normal, or Student's where the freedom is finite."""
    # of numpy a float is no float of a file of numbers
    beyond = float(quantile_95(freedom) * standard_error)
    return {"value": value, "low": value - beyond, "high": value + beyond}


def quantile_95(freedom: float | np.ndarray) -> Any:
    """Return how many standard errors to both sides hold 95 %."""
    # clusters are often few, so that the tails of Student's t matter
    return np.where(np.isinf(freedom), NORMAL_95, stdtrit(freedom, 0.975))[()]


def change_with_interval(
    after: np.ndarray, before: np.ndarray, clusters: np.ndarray | None
) -> Change:
    """Mean of paired differences with its interval."""
    mean = mean_with_interval(after - before, clusters)
    change: Change = {"difference": mean["value"]}
    if "low" in mean:
        change |= {"low": mean["low"], "high": mean["high"]}
    return change


def is_of_equal_values(interval: Interval) -> bool:
    """Tell whether an interval has no width: nothing tells how much other values would differ."""
    return "low" not in interval or interval["high"] - interval["low"] <= SAME


def is_beyond_chance(interval: Interval) -> bool:
    """Tell whether an interval leaves zero out; without one nothing is known."""
    return "low" in interval and not interval["low"] <= 0 <= interval["high"]


def mean_with_interval_if_varied(
    values: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """Mean with its interval, or without one where all values are equal."""
    number = mean_with_interval(values, clusters)
    return {"value": number["value"]} if is_of_equal_values(number) else number


def loss_with_interval(
    values: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """Mean of losses with its interval; none of them is negative, and so is no end."""
    number = mean_with_interval_if_varied(values, clusters)
    return number | {"low": max(number["low"], 0.0)} if "low" in number else number


def mean_probability(values: np.ndarray, clusters: np.ndarray | None = None) -> Number:
    """Mean of probabilities with its interval, whose ends are probabilities too."""
    number = mean_with_interval_if_varied(values, clusters)
    if "low" not in number:
        return number
    return number | {"low": max(number["low"], 0.0), "high": min(number["high"], 1.0)}


def share_with_interval(hits: np.ndarray, clusters: np.ndarray | None = None) -> Number:
    """Share of hits with its 95 % interval, Wilson's (1927) where samples stand alone."""
    share, n_units = float(np.mean(hits)), len(hits)
    if clusters is not None:
        number = mean_with_interval(hits, clusters)
        if not is_of_equal_values(number):
            return share_between(share, number)
        # all alike: each cluster tells as much as one sample
        n_units = len(np.unique(clusters))
    return share_by_wilson(share, n_units)


def share_between(share: float, interval: Interval) -> Number:
    """Return a share with its interval, which ends where shares do."""
    low, high = max(interval["low"], 0.0), min(interval["high"], 1.0)
    return {"value": share, "low": low, "high": high}


def share_by_wilson(share: float, n_units: int) -> Number:
    """Return a share of so many samples that stand alone, with Wilson's interval (1927)."""
    low, high = calib.wilson_interval(share * n_units, n_units)
    return {"value": share, "low": float(low), "high": float(high)}


def skill_with_interval(
    score: np.ndarray, hit: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """Brier skill, 1 - B / a (1 - a) with the accuracy a, and the interval of its linearisation."""
    square, a = (score - hit) ** 2, float(np.mean(hit))
    if (of_constant := a * (1 - a)) == 0:
        return {"value": float("nan")}
    ratio = float(square.mean()) / of_constant
    # the influence of each sample on 1 - B / a (1 - a), to first order
    linear = (ratio * (1 - 2 * a) * (hit - a) - square) / of_constant
    return mean_with_interval(1 + linear, clusters)


def auroc_with_interval(
    score: np.ndarray, hit: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """AUROC, with the interval of its placements (DeLong, DeLong & Clarke-Pearson 1988)."""
    hit = np.asarray(hit, int)
    count = np.bincount(hit, minlength=2)
    if not count.all():
        return {"value": float("nan")}
    # a rank among all less that on one's own side counts the other side's scores below
    below = ranks(score)
    for side in (0, 1):
        below[hit == side] -= ranks(score[hit == side])
    share = np.where(hit == 1, below / count[0], 1 - below / count[1])
    value = float(share[hit == 1].mean())
    placements = value + (share - value) * len(hit) / count[hit]
    number = mean_with_interval(placements, clusters)
    if is_of_equal_values(number):
        # all pairs are in one order: as many as the rarer side are seen
        return share_by_wilson(value, int(count.min()))
    return share_between(value, number)


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the ranks of numbers from 1, those of ties their mean."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def mean_deviation(count: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Mean absolute deviation of binomial hits (De Moivre 1730; Diaconis & Zabell 1991)."""
    n = np.maximum(count, 1)
    p = np.clip(mean / n, 0, 1)
    # De Moivre: the mass of one count, the first beyond the mean, is all that is needed
    k = np.minimum(np.floor(n * p) + 1, n)
    log_mass = (
        gammaln(n + 1)
        - gammaln(k + 1)
        - gammaln(n - k + 1)
        + xlogy(k, p)
        + xlog1py(n - k, -p)
    )
    return np.where(count > 0, 2 * k * (1 - p) * np.exp(log_mass), 0.0)
