"""Rows drawn again, or dealt out to folds; outcomes that a calibrated model would have.

Randomness comes from a generator, or the integer that seeds one: the same gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.check import MOST_RESAMPLES
from calib.constants import ROUNDING_OF_SUMS

MOST_SAMPLES = 100_000_000
Statistic = Callable[[np.ndarray], Any]  # of rows
Rng = np.random.Generator | int


class NoIntervalError(ValueError):
    """A metric, or a difference of two models, has no interval, or p-value, of these samples.

    The arguments are right: the metric is no number, or no interval is known to keep its promise.
    """


def folds(
    y: ArrayLike | int,
    k: int,
    rng: Rng | None = None,
    clusters: ArrayLike | None = None,
) -> list[np.ndarray]:
    """Rows of each of k folds, as even as they can be.

    Parameters
    ----------
    y : array_like, shape (n,), or int
        Labels: each fold has its share of each class. A number n of samples: whatever falls to it.
    k : int
        Number of folds, at most that of samples, or clusters.
    rng : numpy.random.Generator or int, optional
        Shuffles the samples first. Without it those of each class, or clusters, go to the folds in
        turn, and a number of samples is cut into blocks.
    clusters : array_like, shape (n,), optional
        What belongs together, by number or name: none is split, and classes are not evened out.

    Returns
    -------
    list of ndarray of int

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> folds([0, 1, 0, 0, 1, 0], 2)
    [array([0, 3, 1]), array([2, 5, 4])]
    >>> [len(rows) for rows in folds(10, 3, rng=0)]
    [4, 3, 3]
    """
    labels = None if isinstance(y, Integral) else check.names(y, "y")
    n = len(labels) if labels is not None else check.count(y, "y", high=MOST_SAMPLES)
    cluster = None if clusters is None else cluster_numbers(clusters, n)
    units = n if cluster is None else int(cluster.max()) + 1
    check.count(k, "k", high=units)
    order = np.arange(units) if rng is None else check.rng(rng).permutation(units)
    if cluster is not None:
        fold = (order % k)[cluster]
        return [np.flatnonzero(fold == j) for j in range(k)]
    if labels is None:
        return np.array_split(order, k)
    # sorted by class and dealt out in turn, each fold has its share of each class
    order = order[np.argsort(labels[order], kind="stable")]
    return [order[j::k] for j in range(k)]


def p_value_of_draws(null: np.ndarray, value: float) -> float:
    """Return how often draws of a calibrated model show as much as a value.

    One is added on both sides: a p-value of zero would promise too much. A draw that is equal but
    for the order of its sum counts, as it does where few different scores make ties the rule.
    """
    beyond = np.sum(null >= value - ROUNDING_OF_SUMS)
    return float((1 + beyond) / (1 + len(null)))


def check_resampling(n_resamples: int, level: float, method: str, *more: str) -> None:
    check.count(n_resamples, "n_resamples", low=2, high=MOST_RESAMPLES)
    check.fraction(level, "confidence_level")
    check.choice(method, "method", (*more, "basic", "percentile"))


def cluster_numbers(clusters: ArrayLike, n: int) -> np.ndarray:
    """Return the clusters of n samples as numbers from 0."""
    return np.unique(check.names(clusters, "clusters", n), return_inverse=True)[1]


def resample(
    statistic: Statistic,
    n: int,
    n_resamples: int,
    cluster: np.ndarray | None,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return a statistic of the rows of each resample, of samples or of whole clusters."""
    if cluster is None:
        draws = (rng.integers(n, size=n, dtype=np.intp) for _ in range(n_resamples))
        return np.array([statistic(rows) for rows in draws])
    members = np.split(
        np.argsort(cluster, kind="stable"), np.cumsum(np.bincount(cluster))[:-1]
    )
    m = len(members)
    # clusters of several sizes make resamples of several sizes
    chosen = (rng.integers(m, size=m, dtype=np.intp) for _ in range(n_resamples))
    return np.array(
        [statistic(np.concatenate([members[c] for c in cs])) for cs in chosen]
    )


def times_drawn(rows: np.ndarray, n: int) -> np.ndarray:
    """Count how often each of n samples is drawn, as weights."""
    return np.bincount(rows, minlength=n).astype(float)


def cluster_signs(cluster: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return 1 or -1 for each sample, one for all of a cluster: their gaps hang together."""
    return (rng.integers(0, 2, int(cluster.max()) + 1) * 2.0 - 1)[cluster]


def calibrated_outcomes(
    p: np.ndarray, rng: np.random.Generator, cluster: np.ndarray | None = None
) -> Callable[[], np.ndarray]:
    """Return a function that draws hits from scores, (n,), or labels from probabilities, (n, K).

    Samples of a cluster share their chance: nobody knows how much they hang together, and this is
    the most.
    """
    n = len(p)
    each, m = (slice(None), n) if cluster is None else (cluster, int(cluster.max()) + 1)
    if p.ndim == 1:
        return lambda: rng.random(m)[each] < p
    # a label is the number of cumulated probabilities below the draw; the last is one
    below = np.cumsum(p, axis=1, dtype=float)[:, :-1]
    return lambda: (below < rng.random(m)[each, None]).sum(axis=1)
