"""Intervals of one number, from samples drawn again; Wilson's of a share, from a formula.

Randomness comes from a generator, or the integer that seeds one: the same gives the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.check import Pairs, Vectors, as_array
from calib.constants import ROUNDING_OF_SUMS
from calib.registry import MetricFunction
from calib.resampling import (
    MOST_SAMPLES,
    Rng,
    Statistic,
    check_resampling,
    cluster_numbers,
    p_value_of_draws,
    resample,
)
from calib.sampled_metrics import TAILORED, SampledFunction, sampled_metric


@dataclass(frozen=True)
class Estimate:
    """A number with its interval; of a statistic that is an array, arrays.

    Attributes
    ----------
    value, low, high, standard_error : float
        The metric of the samples themselves, and the ends of its interval.
    confidence_level : float
    n_resamples : int
    method : str
    resampled, null : ndarray of float, shape (n_resamples,)
        The metric of each resample and, where the method looks at them, of calibrated draws.
    """

    value: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n_resamples: int
    method: str
    resampled: np.ndarray | None = field(default=None, repr=False, compare=False)
    null: np.ndarray | None = field(default=None, repr=False, compare=False)

    @property
    def p_value(self) -> float | None:
        """How often a calibrated model shows as much; None where the method draws none."""
        return None if self.null is None else p_value_of_draws(self.null, self.value)

    def __str__(self) -> str:
        # of an array, each of its numbers in turn
        numbers = zip(*map(np.ravel, (self.value, self.low, self.high)), strict=True)
        return ", ".join(
            f"{value:.4f} ({low:.4f} to {high:.4f})" for value, low, high in numbers
        )


def bootstrap(
    metric: MetricFunction,
    y_true: ArrayLike | Pairs | Vectors,
    y_prob: ArrayLike,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str | None = None,
    clusters: ArrayLike | None = None,
    rng: Rng,
    **options: Any,
) -> Estimate:
    r"""Confidence interval of a metric, from samples drawn again with replacement.

    Each metric of calib has by default the interval that keeps its promise:

    * errors of calibration the ``"corrected"`` one. It ends :math:`z_{1 - a}` standard errors above
      the metric :math:`\hat\theta`; of a largest gap or sum (`mce`, `ks_error`), which is skewed,
      at the percentile where that is higher. It begins where the basic interval does, if that is
      above what a calibrated model with these scores exceeds once in twenty times (at the level
      0.95). Else it begins at :math:`\hat\theta` less that number, or at zero: by the triangle
      inequality an error exceeds the true one by no more than the error of the noise. Means of
      the errors of all classes always begin there. Of `clusters`, calibrated draws change the signs
      of whole clusters' gaps where the metric is a sum of these; else the samples of a cluster
      share one chance, which is the most that they can hang together. The interval of a square,
      `two_bin_error`, is that of its root;
    * `accuracy` ``"wilson"``, see :func:`wilson_interval`;
    * means of losses, `aurc` and functions of your own ``"basic"``: with q the quantiles of the
      metric over the resamples, from :math:`2 \hat\theta - q_{1 - a}` to
      :math:`2 \hat\theta - q_{a}`. ``"percentile"`` goes from :math:`q_{a}` to :math:`q_{1 - a}`.

    Errors of calibration are biased upwards, and resampling adds the same bias once more: the
    percentile interval counts it twice, the basic one takes it off, but of calibrated models it
    holds the zero in about half of the samples. The corrected one holds the truth there too, and
    begins at zero exactly where a test of calibration does not reject.

    The truth that an error in bins estimates, and that its interval holds, is the error of the very
    bins with unlimited samples: gaps that change sign within a bin are no part of it.

    By default no interval goes beyond what a metric of calib can be, and none has no width: where
    all resamples agree, or an error has less spread than that, it ends as far off as Wilson's of a
    share of which nothing was seen, :math:`z^2 / (n + z^2)`. A `method` that is named gives what
    its formula says.

    An infinite metric, such as the NLL of a label of probability zero, has an infinite interval:
    what was seen once happens with a positive probability. Its standard error is not a number.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, such as :func:`calib.ece`.
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    n_resamples : int
    confidence_level : float
    method : {"corrected", "wilson", "basic", "percentile"}, optional
        By default the one that suits the metric.
    clusters : array_like, shape (n,), optional
        What belongs together, by number or name: whole clusters are drawn.
    rng : numpy.random.Generator or int
    **options : dict
        Passed to the metric.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.
    NoIntervalError
        Where arguments are right, and the metric is no number; a ValueError too.

    References
    ----------
    Efron & Tibshirani (1993), chapters 12 and 13; Davison & Hinkley (1997), section 5.2;
    Bröcker & Smith (2007), the draws of a calibrated model.

    Examples
    --------
    >>> from calib import ece
    >>> score, chance = np.random.default_rng(0).random((2, 2000))
    >>> estimate = bootstrap(ece, chance < score**2, score, rng=1)
    >>> estimate.low < 1 / 6 < estimate.high  # the mean of score - score**2
    True
    """
    check_resampling(n_resamples, confidence_level, method or "basic", *TAILORED)
    sampled, rng = sampled_metric(metric, y_true, y_prob, options), check.rng(rng)
    cluster = None if clusters is None else cluster_numbers(clusters, sampled.n)
    chosen = method or sampled.suited(cluster)
    sampled.refuse_unsuited(chosen)
    value = sampled.value()
    unseen_share = largest_unseen(sampled.n, cluster, confidence_level)
    if chosen == "corrected":
        null, resampled = sampled.null_and_resampled(n_resamples, cluster, rng)
        interval = _corrected_square if sampled.is_square else _corrected
        return interval(value, null, resampled, confidence_level, sampled, unseen_share)
    resampled = resample(
        sampled.statistic_of_rows(), sampled.n, n_resamples, cluster, rng
    )
    sampled.refuse_undefined(resampled)
    if chosen == "wilson":
        return _wilson(value, sampled.n, resampled, confidence_level)
    title, basic = f"{chosen} bootstrap", chosen == "basic"
    estimate = estimate_of(value, resampled, confidence_level, title, basic=basic)
    # who names a method gets what its formula says
    if method or sampled.entry is None:
        return estimate
    return within_possible(estimate, 0.0, sampled.entry.largest, unseen_share)


def bootstrap_statistic(
    statistic: Statistic,
    n: int,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "basic",
    clusters: ArrayLike | None = None,
    rng: Rng,
) -> Estimate:
    """Confidence interval of any statistic, from samples drawn again with replacement.

    Parameters
    ----------
    statistic : callable
        Of rows, indices from 0 to n - 1; it returns a number, or an array of several.
    n : int
        Number of samples.
    n_resamples : int
    confidence_level : float
    method : {"basic", "percentile"}
        See :func:`bootstrap`.
    clusters : array_like, shape (n,), optional
        What belongs together, by number or name: whole clusters are drawn.
    rng : numpy.random.Generator or int

    Returns
    -------
    Estimate
        Of the statistic of all rows.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Efron & Tibshirani (1993), chapters 6 and 8; Davison & Hinkley (1997), section 5.2.

    Examples
    --------
    >>> x = np.arange(100.0)
    >>> estimate = bootstrap_statistic(lambda rows: x[rows].mean(), 100, rng=0)
    >>> bool(abs(estimate.standard_error - x.std() / 10) < 0.1)
    True
    """
    check_resampling(n_resamples, confidence_level, method)
    if not callable(statistic):
        raise TypeError(f"statistic: {statistic!r}, expected a function of rows")
    value = statistic(np.arange(check.count(n, "n", high=MOST_SAMPLES)))
    cluster = None if clusters is None else cluster_numbers(clusters, n)
    resampled = resample(statistic, n, n_resamples, cluster, check.rng(rng))
    title, basic = f"{method} bootstrap", method == "basic"
    return estimate_of(value, resampled, confidence_level, title, basic=basic)


def wilson_interval(
    hits: ArrayLike, n: ArrayLike, confidence_level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    r"""Wilson's interval of a share: every p with :math:`|h - n p| \leq z \sqrt{n p (1 - p)}`.

    Parameters
    ----------
    hits, n : array_like of float
        The hits are from 0 to n; sums of weights need not be whole.
    confidence_level : float

    Returns
    -------
    low, high : float, or ndarray of the common shape of `hits` and `n`
        From 0 to 1.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Wilson (1927).

    Examples
    --------
    >>> low, high = wilson_interval([9, 0], [13, 10])
    >>> low.round(3), high.round(3)
    (array([0.424, 0.   ]), array([0.873, 0.278]))
    """
    hits = np.asarray(as_array(hits, "hits"), float)
    n = np.asarray(as_array(n, "n"), float)
    try:
        hits, n = np.broadcast_arrays(hits, n)
    except ValueError:
        raise ValueError(f"n: shape {n.shape}, expected {hits.shape} as hits") from None
    if not np.all((hits >= 0) & (hits <= n) & (n < np.inf) & (n > 0)):
        raise ValueError(
            f"hits: {hits} of {n}, expected a number from 0 to n, and n positive"
        )
    level = check.fraction(confidence_level, "confidence_level")
    z = float(scipy.special.ndtri((1 + level) / 2))
    share, square = hits / n, z**2 / n
    centre = (share + square / 2) / (1 + square)
    half = z * np.sqrt(share * (1 - share) / n + square / (4 * n)) / (1 + square)
    # of no hit the lower end is zero, of which rounding would leave 1e-17
    low = np.where(hits > 0, np.maximum(0.0, centre - half), 0.0)
    return low[()], np.where(hits < n, np.minimum(1.0, centre + half), 1.0)[()]


def _corrected(
    value: float,
    null: np.ndarray,
    resampled: np.ndarray,
    confidence_level: float,
    sampled: SampledFunction,
    unseen_share: float,
) -> Estimate:
    """Return the interval that `bootstrap` describes, of an error of calibration."""
    title = "basic bootstrap, corrected for chance"
    basic = estimate_of(value, resampled, confidence_level, title, basic=True)
    chance_high = np.quantile(null, confidence_level)
    low = value - chance_high if sampled.kind == "errors of classes" else basic.low
    # chance alone shows as much: what is certain is the triangle inequality
    if low <= chance_high:
        low = value - chance_high
        # a value that ties with chance, but for the order of its sum, is no more than it
        low = low if low > ROUNDING_OF_SUMS else 0.0
    high = value + _upper_half_width(basic, sampled, unseen_share)
    if sampled.skewed:
        # a largest gap has a long upper tail, which a normal interval cuts off
        high = max(high, np.quantile(resampled, (1 + confidence_level) / 2))
    largest = sampled.entry.largest if sampled.entry else np.inf
    # a debiased metric may be negative; a true error is not
    low, high = min(low, max(value, 0.0)), min(high, largest)
    return replace(basic, low=float(low), high=float(high), null=null)


def _upper_half_width(
    basic: Estimate, sampled: SampledFunction, unseen_share: float
) -> float:
    """Return how far above the value an interval ends: a normal one, but never of no width."""
    level = basic.confidence_level
    half_width = float(scipy.special.ndtri((1 + level) / 2)) * basic.standard_error
    if half_width <= ROUNDING_OF_SUMS:  # all resamples agree
        return unseen_share
    if sampled.kind == "error":
        # a sample like none of these moves an error of pairs by 1 / n
        return max(half_width, largest_unseen(sampled.n, None, level))
    return half_width


def _corrected_square(
    value: float,
    null: np.ndarray,
    resampled: np.ndarray,
    confidence_level: float,
    sampled: SampledFunction,
    unseen_share: float,
) -> Estimate:
    """Return the square of the root's interval: the triangle inequality holds of the root."""
    root, roots = float(np.sqrt(value)), np.sqrt(resampled)
    of_root = _corrected(
        root, np.sqrt(null), roots, confidence_level, sampled, unseen_share
    )
    return replace(
        of_root,
        value=value,
        low=of_root.low**2,
        high=of_root.high**2,
        standard_error=float(np.std(resampled, ddof=1)),
        resampled=resampled,
        null=null,
    )


def _wilson(
    value: float, n: int, resampled: np.ndarray, confidence_level: float
) -> Estimate:
    title = "Wilson's interval of a share"
    estimate = estimate_of(value, resampled, confidence_level, title, basic=False)
    # without weights the share is of whole hits
    low, high = wilson_interval(round(value * n), n, confidence_level)
    return replace(estimate, low=float(low), high=float(high))


def largest_unseen(
    n: int, cluster: np.ndarray | None, confidence_level: float
) -> float:
    """Return Wilson's bound of the share of what none of n samples, or of the clusters, shows."""
    m = n if cluster is None else int(cluster.max()) + 1
    return float(wilson_interval(0, m, confidence_level)[1])


def within_possible(
    estimate: Estimate, least: float, most: float, unseen_share: float
) -> Estimate:
    """Return an interval within what is possible, and of some width where all resamples agree."""
    low, high = estimate.low, estimate.high
    if np.isfinite(estimate.value) and estimate.high - estimate.low <= ROUNDING_OF_SUMS:
        half_width = unseen_share * (most - max(least, 0.0))
        low, high = estimate.value - half_width, estimate.value + half_width
    return replace(estimate, low=max(low, least), high=min(high, most))


def estimate_of(
    value: float,
    resampled: np.ndarray,
    confidence_level: float,
    title: str,
    *,
    basic: bool,
) -> Estimate:
    """Return the basic interval of resampled values, or the percentile interval."""
    low, high, standard_error, tail = value, value, np.nan, (1 - confidence_level) / 2
    # an infinite metric has an infinite interval, and no standard error
    if np.all(np.isfinite(value)):
        standard_error = np.std(resampled, axis=0, ddof=1)
        low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
        # reflected at the value: what the metric of a resample is above it, the truth is below
        if basic:
            low, high = 2 * value - high, 2 * value - low
    if np.ndim(value) == 0:
        value, low, high, standard_error = map(
            float, (value, low, high, standard_error)
        )
    n = len(resampled)
    return Estimate(
        value, low, high, standard_error, confidence_level, n, title, resampled
    )
