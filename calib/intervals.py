"""Intervals from samples drawn again, folds of samples, and tests of calibration.

Randomness comes from a generator, or the integer that seeds one: the same gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from inspect import signature
from numbers import Integral
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check, metrics
from calib.bins import Binning, Bins, EqualWidth, assign, group
from calib.check import MOST_RESAMPLES, Pairs, Vectors, as_array
from calib.differences import Gaps, split_difference
from calib.unbinned import rising_scores
from calib.views import View, top_label, view_pairs

MOST_SAMPLES = 100_000_000
ROUNDING = 1e-12  # what the order of a sum may take from a draw that ties
TAILORED: dict[str, tuple[str, ...]] = {
    "corrected": ("error", "errors of classes"),
    "wilson": ("share",),
}

SUITED_TO = {  # in words
    "corrected": "errors of calibration",
    "wilson": "the share of hits, accuracy",
}

Metric = Callable[..., float]
Statistic = Callable[[np.ndarray], Any]  # of rows
Rng = np.random.Generator | int


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

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f})"


def bootstrap(
    metric: Metric,
    y_true: ArrayLike,
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
        they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number.
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

    References
    ----------
    Efron & Tibshirani (1993), chapters 12 and 13; Davison & Hinkley (1997), section 5.2;
    Bröcker & Smith (2007), the draws of a calibrated model.

    Examples
    --------
    >>> score, chance = np.random.default_rng(0).random((2, 2000))
    >>> estimate = bootstrap(metrics.ece, chance < score**2, score, rng=1)
    >>> estimate.low < 1 / 6 < estimate.high  # the mean of score - score**2
    True
    """
    _check_options(n_resamples, confidence_level, method or "basic", *TAILORED)
    sampled, rng = _sampled(metric, y_true, y_prob, options), check.rng(rng)
    cluster = None if clusters is None else _numbered(clusters, sampled.n)
    chosen = method or sampled.suited(cluster)
    sampled.refuse_unsuited(chosen)
    value, unseen = sampled.value(), _unseen(sampled.n, cluster, confidence_level)
    if chosen == "corrected":
        null, resampled = sampled.null_and_resampled(n_resamples, cluster, rng)
        interval = _corrected_square if sampled.is_square else _corrected
        return interval(value, null, resampled, confidence_level, sampled, unseen)
    resampled = _drawn(sampled.of_rows(), sampled.n, n_resamples, cluster, rng)
    sampled.refuse_undefined(resampled)
    if chosen == "wilson":
        return _wilson(value, sampled.n, resampled, confidence_level)
    estimate = _estimate(value, resampled, confidence_level, f"{chosen} bootstrap")
    # who names a method gets what its formula says
    if method or sampled.entry is None:
        return estimate
    return _possible(estimate, 0.0, sampled.entry.largest, unseen)


def paired_difference(
    metric: Metric,
    y_true: ArrayLike,
    y_prob_a: ArrayLike,
    y_prob_b: ArrayLike,
    *,
    y_true_b: ArrayLike | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str | None = None,
    clusters: ArrayLike | None = None,
    rng: Rng,
    **options: Any,
) -> Estimate:
    r"""Difference of a metric between two models or maps on the same samples, a less b.

    Both are computed from the same resamples, so that what they have in common cancels: the
    interval is narrower than two intervals of one model each suggest.

    Losses and shares have the basic interval (see :func:`bootstrap`). Errors of calibration are
    larger than the true ones, by more the nearer a model is to calibration, so that a plain
    difference says too little of a repair. Of weighted mean gaps in bins (`ece`, and
    `calibration_error` of the norm "l1") the ``"split"`` difference is given, of errors without
    that bias. An ECE is the largest sum of gaps :math:`\pm d_b` over all signs. Here
    noise w, like that of the gaps, makes two independent parts of them: :math:`d + w / 2` chooses
    the signs, :math:`d - 2 w` is summed. So no gap counts because chance made it large. With the
    standard deviation :math:`\sigma_b` of a gap the mean over w is

    .. math:: \sum_b d_b \Big( 2 \Phi\Big(\frac{2 d_b}{\sigma_b}\Big) - 1 \Big)
       - 4 \sigma_b \, \phi\Big(\frac{2 d_b}{\sigma_b}\Big) ,

    zero on average where a model is calibrated, and below the error by what wrong signs take where
    gaps are about as large as their noise. The interval goes Student's quantile of standard errors
    to both sides, and beyond by an estimate of what each model is short of. In twenty simulated
    worlds, with 300 to 20,000 samples and with clusters, it holds the difference of the binned
    errors in 93 to 100 % of samples, mostly in 98 %: near calibration it is wider than it need be,
    by what nobody knows of the shortage. It calls two calibrated models different in at most 4 %.

    Of no other error of calibration is there a difference whose interval keeps its promise; they
    are refused, and `nll` or `brier` answer the question. A `method` that is named is taken for
    any metric.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, such as :func:`calib.ece`.
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob_a, y_prob_b : array_like, shape (n, K) or (n,)
    y_true_b : array_like of int, shape (n,), optional
        The hits of b, where they are not those of a.
    n_resamples : int
    confidence_level : float
    method : {"split", "basic", "percentile"}, optional
        By default the one that suits the metric.
    clusters : array_like, shape (n,), optional
        What belongs together, by number or name: whole clusters are drawn.
    rng : numpy.random.Generator or int
    **options : dict
        Passed to the metric.

    Returns
    -------
    Estimate
        Of ``metric(y_true, y_prob_a) - metric(y_true, y_prob_b)``; by "split" of the true errors of
        the same bins, so that its value is not the difference of two printed errors.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Notes
    -----
    Nothing is counted twice in the split interval: the standard error is that of the difference,
    and what a model is short of is a bias that the samples hardly show. Narrower ones by 7 to 18 %
    were tried in the same worlds (moved by the estimated shortages in place of wider by them, wider
    by a half of them or by the root of the sum of squares, errors of gaps drawn towards zero), and
    each held the truth in 82 to 91 % only in its worst world: few classes in clusters, or an
    accuracy that swings.

    References
    ----------
    Leiner, Duan, Wasserman & Ramdas (2023), two independent parts of a normal variable.

    Examples
    --------
    >>> score, chance = np.random.default_rng(0).random((2, 1000))
    >>> found = paired_difference(metrics.ece, chance < score**2, score, score**2, rng=1)
    >>> found.low < 1 / 6 < found.high  # the second is calibrated
    True
    """
    _check_options(n_resamples, confidence_level, method or "basic", "split")
    rng = check.rng(rng)
    a = _sampled(metric, y_true, y_prob_a, options)
    b = _sampled(metric, y_true if y_true_b is None else y_true_b, y_prob_b, options)
    if a.n != b.n:
        raise ValueError(f"y_prob_b: {b.n} rows, expected {a.n} as in y_prob_a")
    cluster = None if clusters is None else _numbered(clusters, a.n)
    pair = _Pair(a, b, cluster, n_resamples, confidence_level, rng)
    chosen = a.suited_to_difference(method)
    return (
        pair.split()
        if chosen == "split"
        else pair.resampled(chosen, by_default=method is None)
    )


@dataclass(frozen=True)
class _Pair:
    """Two models of the same samples, and how the interval of their difference is drawn."""

    a: _Sampled
    b: _Sampled
    cluster: np.ndarray | None
    n_resamples: int
    confidence_level: float
    rng: np.random.Generator

    def resampled(self, method: str, by_default: bool) -> Estimate:
        """Return the difference, and that of samples or clusters drawn again."""
        a, b = self.a, self.b
        value = a.value() - b.value()
        if np.isnan(value):
            raise ValueError(
                f"metric: {name_of(a.function)} is infinite for both, expected one at most"
            )
        first, second = a.of_rows(), b.of_rows()

        def difference(rows: np.ndarray) -> float:
            return first(rows) - second(rows)

        drawn = _drawn(difference, a.n, self.n_resamples, self.cluster, self.rng)
        a.refuse_undefined(drawn)
        found = _estimate(
            value, drawn, self.confidence_level, f"{method} paired bootstrap"
        )
        if a.entry is None or not by_default or a.same_as(b):
            return found
        return self._possible(found, a.entry.largest)

    def split(self) -> Estimate:
        """Return the difference of two errors of calibration free of what chance adds to them."""
        m = self.a.n if self.cluster is None else int(self.cluster.max()) + 1
        if m < 2:
            what = "row" if self.cluster is None else "cluster"
            raise ValueError(
                f"y_true: one {what}, expected two or more for an interval"
            )
        level, n_draws = self.confidence_level, self.n_resamples
        method = f"split difference, {n_draws} draws of noise"
        if self.a.same_as(self.b):
            return Estimate(
                0.0, 0.0, 0.0, 0.0, level, n_draws, method, np.zeros(n_draws)
            )
        gaps = self.a.gaps, self.b.gaps
        value, drawn, short = split_difference(
            *gaps, cluster=self.cluster, n_resamples=n_draws, rng=self.rng
        )
        se = float(np.std(drawn, ddof=1))
        half = float(scipy.special.stdtrit(m - 1, (1 + level) / 2)) * se
        low, high = value - half - short[1], value + half + short[0]
        return self._possible(
            Estimate(value, low, high, se, level, n_draws, method, drawn), 1.0
        )

    def _possible(self, found: Estimate, largest: float) -> Estimate:
        unseen = _unseen(self.a.n, self.cluster, self.confidence_level)
        return _possible(found, -largest, largest, unseen)


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
    _check_options(n_resamples, confidence_level, method)
    if not callable(statistic):
        raise TypeError(f"statistic: {statistic!r}, expected a function of rows")
    value = statistic(np.arange(check.count(n, "n", high=MOST_SAMPLES)))
    cluster = None if clusters is None else _numbered(clusters, n)
    resampled = _drawn(statistic, n, n_resamples, cluster, check.rng(rng))
    return _estimate(value, resampled, confidence_level, f"{method} bootstrap")


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
    hits, n = (
        np.asarray(as_array(hits, "hits"), float),
        np.asarray(as_array(n, "n"), float),
    )
    if not np.all((hits >= 0) & (hits <= n) & (n < np.inf) & (n > 0)):
        raise ValueError(
            f"hits: {hits} of {n}, expected a number from 0 to n, and n positive"
        )
    z = float(
        scipy.special.ndtri(
            (1 + check.fraction(confidence_level, "confidence_level")) / 2
        )
    )
    share, square = hits / n, z**2 / n
    centre = (share + square / 2) / (1 + square)
    half = z * np.sqrt(share * (1 - share) / n + square / (4 * n)) / (1 + square)
    # of no hit the lower end is zero, of which rounding would leave 1e-17
    low = np.where(hits > 0, np.maximum(0.0, centre - half), 0.0)
    return low[()], np.where(hits < n, np.minimum(1.0, centre + half), 1.0)[()]


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
        Shuffles the samples first; without it they go to the folds in turn.
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
    cluster = None if clusters is None else _numbered(clusters, n)
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


@dataclass(frozen=True)
class Band:
    """Where the accuracy of each bin would fall if the model were calibrated.

    Attributes
    ----------
    edges, count : ndarray, shape (M + 1,) and (M,)
    mean_score, low, high : ndarray of float, shape (M,)
        Mean score, and the ends of the range of the mean hit; NaN in empty bins.
    confidence_level : float
        Probability, at least, that a calibrated bin lies in its range.
    method : str
    """

    edges: np.ndarray
    count: np.ndarray
    mean_score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence_level: float
    method: str


def consistency_band(
    score: ArrayLike, *, bins: Binning | None = None, confidence_level: float = 0.95
) -> Band:
    """Range of each bin's accuracy that a calibrated model with these scores would show.

    If the model is calibrated, the number of hits in a bin is a sum of independent trials with the
    scores as probabilities: a Poisson-binomial variable, whose quantiles are computed exactly.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Scores in [0, 1], such as confidences.
    bins : callable, optional
        Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    confidence_level : float
        Each bin's own level: of M bins, one in twenty is expected outside of a level of 0.95.

    Returns
    -------
    Band

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Bröcker & Smith (2007), who resample; here the distribution is exact.

    Examples
    --------
    >>> from calib import equal_width
    >>> band = consistency_band([0.5] * 100, bins=equal_width(1))
    >>> band.low, band.high
    (array([0.4]), array([0.6]))
    """
    tail = (1 - check.fraction(confidence_level, "confidence_level")) / 2
    binned, in_bin = _scores_in_bins(score, bins)
    low, high = np.array([_poisson_binomial_range(p, tail) for p in in_bin]).T
    edges, count, mean = binned.edges, binned.count, binned.mean_score
    method = "exact Poisson-binomial quantiles, each bin by itself"
    return Band(edges, count, mean, low, high, confidence_level, method)


def error_if_calibrated(score: ArrayLike, *, bins: Binning | None = None) -> float:
    """Mean ECE that a calibrated model with these scores would show: the bias that bins bring.

    The mean of ``|hits - sum of scores|`` over the Poisson-binomial number of hits, summed over
    bins and divided by n.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Scores in [0, 1], such as confidences.
    bins : callable, optional
        Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> from calib import equal_width
    >>> error_if_calibrated([0.5, 0.5], bins=equal_width(1))
    0.25
    """
    binned, in_bin = _scores_in_bins(score, bins)
    deviations = (
        poisson_binomial(p) @ np.abs(np.arange(len(p) + 1) - p.sum()) for p in in_bin
    )
    return sum(map(float, deviations)) / int(binned.count.sum())


def poisson_binomial(prob: np.ndarray) -> np.ndarray:
    """Return the probabilities of 0, 1, ..., n successes in trials of n probabilities.

    Distributions of pairs of trials are convolved, then pairs of pairs: O(n log² n). What rounding
    has lifted above one counts as one.
    """
    p, n = np.minimum(prob, 1), len(prob)
    # filled up with trials that never succeed to a power of two, so that all have a partner
    mass = np.zeros((1 << max(n - 1, 0).bit_length(), 2))
    mass[:, 0] = 1
    mass[:n] = np.column_stack([1 - p, p])
    while len(mass) > 1:
        width = 2 * mass.shape[1] - 1
        size = scipy.fft.next_fast_len(width, real=True)
        product = np.fft.rfft(mass[::2], size) * np.fft.rfft(mass[1::2], size)
        mass = np.fft.irfft(product, size)[:, :width]
    # the transform leaves masses of about -1e-17
    return np.clip(mass[0, : n + 1], 0, None)


def _poisson_binomial_range(prob: np.ndarray, tail: float) -> np.ndarray:
    if len(prob) == 0:
        return np.full(2, np.nan)
    below = np.cumsum(poisson_binomial(prob))
    return np.searchsorted(below, [tail, 1 - tail]) / len(prob)


def _scores_in_bins(
    score: ArrayLike, bins: Binning | None
) -> tuple[Bins, list[np.ndarray]]:
    """Return bins of the scores, and the scores of each."""
    s = check.scores(score)
    binned = group(bins, EqualWidth(), Pairs(s, np.zeros(len(s), bool)))
    order = np.argsort(assign(s, binned.edges, binned.closed), kind="stable")
    return binned, np.split(s[order], np.cumsum(binned.count)[:-1])


def value_of(
    function: Metric, y_true: Any, y_prob: Any, options: metrics.Options
) -> float:
    """Return the metric of the samples themselves."""
    if not callable(function):
        raise TypeError(f"metric: {function!r}, expected a metric such as calib.ece")
    return _defined(function(y_true, y_prob, **options), function)


def _defined(value: float, function: Metric) -> float:
    """Return the value of a metric, which must be a number."""
    if np.isnan(value):
        raise ValueError(
            f"metric: {name_of(function)} is not a number for these samples"
        )
    return float(value)


def name_of(function: Metric) -> str:
    """Return what an error calls a metric."""
    return getattr(function, "__name__", "the metric")


class _Sampled:
    """A function of a user's, and the samples that it judges; nothing is known of it."""

    entry: metrics.Metric | None = None  # in `METRICS`
    kind: str | None = None  # what chance does to it, see `metrics.Metric`
    smooth = True  # whether chance moves it to both sides alike, as far as is known
    splits = False  # whether it is a sum of gaps, whose signs may be chosen and measured apart
    skewed = False  # whether it is one gap or sum, the largest, which chance lets jump upwards

    def __init__(
        self, function: Metric, y_true: Any, y_prob: Any, options: metrics.Options
    ):
        self.function, self.options = function, options
        self.outcome, self.predicted = np.atleast_1d(y_true), np.atleast_1d(y_prob)
        self.n = len(self.outcome)
        if len(self.predicted) != self.n:
            raise ValueError(
                f"y_prob: {len(self.predicted)} rows, expected {self.n} as in y_true"
            )

    @property
    def gaps(self) -> Gaps:
        """The gaps that make up an error, in its bins, where it `splits`."""
        raise NotImplementedError

    @property
    def is_square(self) -> bool:
        """Whether the interval is that of the root of the metric."""
        return self.entry is not None and self.entry.square

    def suited(self, cluster: np.ndarray | None) -> str:
        """Return the method of the interval that keeps its promise."""
        return "basic"

    def refuse_unsuited(self, method: str) -> None:
        """Refuse a method that is for metrics of another kind."""
        if method in TAILORED and self.kind not in TAILORED[method]:
            raise ValueError(
                f"method: {method!r} is for {SUITED_TO[method]}, not {name_of(self.function)}"
            )

    def suited_to_difference(self, method: str | None) -> str:
        """Return the method of a difference; refuse a metric that none is known to suit."""
        chosen = method or ("split" if self.splits else "basic")
        suits = self.splits or (self.smooth if method is None else chosen != "split")
        if suits:
            return chosen
        raise ValueError(
            f"metric: no interval of a difference of {name_of(self.function)} is known to keep its "
            "promise; nll, brier and ece have one, and method='basic' promises nothing"
        )

    def value(self) -> float:
        """Return the metric of the samples themselves."""
        return value_of(self.function, self.outcome, self.predicted, self.options)

    def of_rows(self) -> Statistic:
        """Return the metric as a function of the rows drawn."""
        function, options, n = self.function, self.options, self.n
        p, y = self.predicted, self.outcome
        if "sample_weight" in signature(function).parameters:
            # no probability is copied
            return lambda rows: function(y, p, sample_weight=_times(rows, n), **options)
        return lambda rows: function(y[rows], p[rows], **options)

    def of_calibrated(
        self, rng: np.random.Generator, cluster: np.ndarray | None = None
    ) -> Callable[[], float]:
        """Return the metric as a function that draws hits, or labels, from the predictions."""
        function, options, p = self.function, self.options, self.predicted
        p = (
            view_pairs(self.outcome, p, top_label).score
            if p.ndim == 1
            else check.probabilities(p)
        )
        draw = _outcomes(p, rng)
        return lambda: function(draw(), p, **options)

    def null_and_resampled(
        self, n_resamples: int, cluster: np.ndarray | None, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the metric of calibrated draws, and of samples or clusters drawn again."""
        calibrated = self.of_calibrated(rng, cluster)
        null = np.array([calibrated() for _ in range(n_resamples)])
        resampled = _drawn(self.of_rows(), self.n, n_resamples, cluster, rng)
        self.refuse_undefined(null)
        self.refuse_undefined(resampled)
        return null, resampled

    def same_as(self, other: _Sampled) -> bool:
        """Whether two models say the same of all samples, so that nothing can tell them apart."""
        same = self.predicted.shape == other.predicted.shape
        same = same and np.array_equal(self.predicted, other.predicted)
        return same and np.array_equal(self.outcome, other.outcome)

    def refuse_undefined(self, drawn: np.ndarray) -> None:
        """Refuse draws that are not a number: what the others say is not of the same samples."""
        if n_undefined := int(np.isnan(drawn).sum()):
            share = f"is not a number for {n_undefined} of {len(drawn)} draws"
            name = name_of(self.function)
            raise ValueError(
                f"metric: {name} {share}, expected one that every draw has"
            )


class _SampledMetric(_Sampled):
    """A metric of calib, which checks the samples once, and what is known of it."""

    entry: metrics.Metric

    def __init__(
        self, entry: metrics.Metric, y_true: Any, y_prob: Any, options: metrics.Options
    ):
        self.entry, self.kind = entry, entry.kind
        self.formula = entry.of_checked(**options)
        self.checked = entry.checked(y_true, y_prob, options)
        if isinstance(self.checked, Pairs):
            super().__init__(
                entry.function, self.checked.hit, self.checked.score, options
            )
        else:
            super().__init__(entry.function, self.checked.y, self.checked.p, options)
        self.in_bins = entry.in_bins(options)
        norm = self.in_bins[1] if self.in_bins else None
        self.smooth = entry.kind in ("mean", "share")
        self.splits = norm == "l1"
        self.skewed = entry.cumulative or norm == "max"

    @property
    def gaps(self) -> Gaps:
        # as `splits` says
        assert isinstance(self.checked, Pairs) and self.in_bins is not None
        return Gaps.of(self.checked, self.in_bins[0])

    def suited(self, cluster: np.ndarray | None) -> str:
        if self.kind == "share" and cluster is None:
            return "wilson"
        return "basic" if self.smooth else "corrected"

    def value(self) -> float:
        return _defined(self.formula(self.checked), self.function)

    @cached_property
    def of_sums(self) -> metrics.OfSums | None:
        """The metric as a function of sums, None where it is none; see :class:`metrics.Metric`."""
        return self.entry.of_sums(self.predicted, self.options)

    def of_rows(self) -> Statistic:
        of_sums, n, of_pairs = self.of_sums, self.n, isinstance(self.checked, Pairs)
        p, y = self.predicted, self.outcome
        if of_sums:
            values = y - p if of_pairs else y
            return lambda rows: of_sums(values, _times(rows, n))
        order = np.argsort(p) if of_pairs else slice(None)  # sorted once for all draws
        p, y = p[order], y[order]
        return lambda rows: self.formula(self.joined(p, y, _times(rows, n)[order]))

    def of_calibrated(
        self, rng: np.random.Generator, cluster: np.ndarray | None = None
    ) -> Callable[[], float]:
        of_sums, p = self.of_sums, self.predicted
        draw, ones = _outcomes(p, rng, cluster), np.ones(self.n)
        if not of_sums:
            return lambda: self.formula(self.joined(p, draw()))
        if not isinstance(self.checked, Pairs):
            return lambda: of_sums(draw(), ones)
        if cluster is None:
            return lambda: of_sums(draw() - p, ones)
        gap = self.outcome - p
        return lambda: of_sums(gap * _signs(cluster, rng), ones)

    def null_and_resampled(
        self, n_resamples: int, cluster: np.ndarray | None, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        if self.in_bins and isinstance(self.checked, Pairs):
            return _draws_in_bins(
                self.checked, *self.in_bins, cluster, n_resamples, rng
            )
        return super().null_and_resampled(n_resamples, cluster, rng)

    def joined(
        self,
        predicted: np.ndarray,
        outcome: np.ndarray,
        weight: np.ndarray | None = None,
    ) -> Pairs | Vectors:
        """Return `Pairs`, or `Vectors`, that the formula takes."""
        if isinstance(self.checked, Pairs):
            return Pairs(predicted, outcome, weight)
        return Vectors(outcome, predicted, weight)


def _sampled(
    metric: Metric, y_true: Any, y_prob: Any, options: metrics.Options
) -> _Sampled:
    """Return a metric, less the options that it carries, with samples and all options."""
    function, carried = metrics.unwrapped(metric)
    options = carried | options
    if options.pop("sample_weight", None) is not None:
        raise ValueError("sample_weight: not defined for resampled data, expected none")
    entry = metrics.metric_of(function)
    if entry is None:
        return _Sampled(function, y_true, y_prob, options)
    return _SampledMetric(entry, y_true, y_prob, options)


def _times(rows: np.ndarray, n: int) -> np.ndarray:
    """Count how often each of n samples is drawn, as weights."""
    return np.bincount(rows, minlength=n).astype(float)


def _signs(cluster: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return 1 or -1 for each sample, one for all of a cluster: their gaps hang together."""
    return (rng.integers(0, 2, int(cluster.max()) + 1) * 2.0 - 1)[cluster]


def _outcomes(
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


def _check_options(n_resamples: int, level: float, method: str, *more: str) -> None:
    check.count(n_resamples, "n_resamples", low=2, high=MOST_RESAMPLES)
    check.fraction(level, "confidence_level")
    check.choice(method, "method", (*more, "basic", "percentile"))


def _numbered(clusters: ArrayLike, n: int) -> np.ndarray:
    """Return the clusters of n samples as numbers from 0."""
    return np.unique(check.names(clusters, "clusters", n), return_inverse=True)[1]


def _drawn(
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


def _draws_in_bins(
    pairs: Pairs,
    bins: Binning,
    norm: str,
    cluster: np.ndarray | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return an error of calibrated draws, and of clusters drawn again, in the bins of all."""
    score, hit, _ = pairs
    n, binned = len(score), group(bins, EqualWidth(), pairs)
    place, n_bins = assign(score, binned.edges, binned.closed), len(binned.count)
    unit = np.arange(n) if cluster is None else cluster
    m = int(unit.max()) + 1
    # each cluster is summed once: a draw is then a product of a sparse (n_bins, m) and m counts
    csr_array, values = scipy.sparse.csr_array, (hit - score, np.ones(n))
    gaps, counts = (csr_array((v, (unit, place)), (m, n_bins)).T for v in values)
    size, error = counts.sum(axis=0), metrics.NORMS[norm]

    def calibrated() -> float:
        if cluster is not None:
            # hits of a cluster hang together: its gaps keep or change sign
            return error(gaps @ (rng.integers(0, 2, m) * 2.0 - 1), binned.weight)
        gap = (rng.random(n) < score) - score
        return error(np.bincount(place, gap, n_bins), binned.weight)

    def resampled() -> float:
        # no product of BLAS, whose threads would wait for the next one
        times = np.bincount(rng.integers(m, size=m, dtype=np.intp), minlength=m).astype(
            float
        )
        return error(
            gaps @ times, (times * size).sum() if norm == "l1" else counts @ times
        )

    null = np.array([calibrated() for _ in range(n_resamples)])
    return null, np.array([resampled() for _ in range(n_resamples)])


def _corrected(
    value: float,
    null: np.ndarray,
    resampled: np.ndarray,
    confidence_level: float,
    sampled: _Sampled,
    unseen: float,
) -> Estimate:
    basic = _estimate(
        value, resampled, confidence_level, "basic bootstrap, corrected for chance"
    )
    by_chance = np.quantile(null, confidence_level)
    low = value - by_chance if sampled.kind == "errors of classes" else basic.low
    # chance alone shows as much: what is certain is the triangle inequality
    if low <= by_chance:
        low = max(value - by_chance, 0.0)
    half = float(scipy.special.ndtri((1 + confidence_level) / 2)) * basic.standard_error
    if half <= ROUNDING:  # all resamples agree
        half = unseen
    elif sampled.kind == "error":
        # a sample like none of these moves an error of pairs by 1 / n
        half = max(half, _unseen(sampled.n, None, confidence_level))
    high = value + half
    if sampled.skewed:
        # a largest gap has a long upper tail, which a normal interval cuts off
        high = max(high, np.quantile(resampled, (1 + confidence_level) / 2))
    largest = sampled.entry.largest if sampled.entry else np.inf
    # a debiased metric may be negative; a true error is not
    low, high = min(low, max(value, 0.0)), min(high, largest)
    return replace(basic, low=float(low), high=float(high), null=null)


def _corrected_square(
    value: float,
    null: np.ndarray,
    resampled: np.ndarray,
    confidence_level: float,
    sampled: _Sampled,
    unseen: float,
) -> Estimate:
    """Return the square of the root's interval: the triangle inequality holds of the root."""
    root, roots = float(np.sqrt(value)), np.sqrt(resampled)
    of_root = _corrected(root, np.sqrt(null), roots, confidence_level, sampled, unseen)
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
    estimate = _estimate(
        value, resampled, confidence_level, "Wilson's interval of a share"
    )
    # without weights the share is of whole hits
    low, high = wilson_interval(round(value * n), n, confidence_level)
    return replace(estimate, low=float(low), high=float(high))


def _unseen(n: int, cluster: np.ndarray | None, confidence_level: float) -> float:
    """Return Wilson's bound of the share of what none of n samples, or of the clusters, shows."""
    m = n if cluster is None else int(cluster.max()) + 1
    return float(wilson_interval(0, m, confidence_level)[1])


def _possible(estimate: Estimate, least: float, most: float, unseen: float) -> Estimate:
    """Return an interval within what is possible, and of some width where all resamples agree."""
    low, high = estimate.low, estimate.high
    if np.isfinite(estimate.value) and estimate.high - estimate.low <= ROUNDING:
        reach = unseen * (most - max(least, 0.0))
        low, high = estimate.value - reach, estimate.value + reach
    return replace(estimate, low=max(low, least), high=min(high, most))


def _estimate(
    value: float, resampled: np.ndarray, confidence_level: float, method: str
) -> Estimate:
    low, high, spread, tail = value, value, np.nan, (1 - confidence_level) / 2
    # an infinite metric has an infinite interval, and no standard error
    if np.all(np.isfinite(value)):
        spread = np.std(resampled, axis=0, ddof=1)
        low, high = np.quantile(resampled, [tail, 1 - tail], axis=0)
        # reflected at the value: what the metric of a resample is above it, the truth is below
        if method.startswith("basic"):
            low, high = 2 * value - high, 2 * value - low
    if np.ndim(value) == 0:
        value, low, high, spread = map(float, (value, low, high, spread))
    n = len(resampled)
    return Estimate(value, low, high, spread, confidence_level, n, method, resampled)


@dataclass(frozen=True)
class CalibrationTest:
    """Outcome of a test of the hypothesis that a model is calibrated.

    Attributes
    ----------
    statistic : float
    p_value : float
        Probability of a statistic at least as extreme if the model is calibrated.
    method : str
        The test, and how its p-value was made.
    null : ndarray of float, or None
        Statistics drawn under the hypothesis, where the test draws any.
    """

    statistic: float
    p_value: float
    method: str
    null: np.ndarray | None = field(default=None, repr=False, compare=False)


def consistency_test(
    metric: Metric,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: Rng,
    **options: Any,
) -> CalibrationTest:
    """Test calibration: is the metric larger than a calibrated model with these scores shows?

    Labels are drawn from the predicted probabilities (hits from the scores, for a metric of a
    view), which makes the model calibrated by construction, and the metric is computed anew. The
    predictions stay as they are. With r of the B draws (`n_resamples`) at least as large as the
    metric itself, which is large where calibration is bad, the p-value is (1 + r) / (1 + B). It is
    valid at any n.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, such as :func:`calib.ece`.
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number.
    n_resamples : int
    rng : numpy.random.Generator or int
    **options : dict
        Passed to the metric.

    Returns
    -------
    CalibrationTest
        Its `null` holds the B metrics drawn under calibration.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Vaicenavicius et al. (2019), who also resample the predictions; Bröcker & Smith (2007).

    Examples
    --------
    >>> score, chance = np.random.default_rng(0).random((2, 1000))
    >>> consistency_test(metrics.ece, chance < score**2, score, n_resamples=199, rng=1).p_value
    0.005
    """
    rng = check.rng(rng)
    check.count(n_resamples, "n_resamples", high=MOST_RESAMPLES)
    sampled = _sampled(metric, y_true, y_prob, options)
    value, statistic = sampled.value(), sampled.of_calibrated(rng)
    null = np.array([statistic() for _ in range(n_resamples)])
    sampled.refuse_undefined(null)
    p_value = float((1 + np.sum(null >= value - ROUNDING)) / (1 + n_resamples))
    method = (
        f"consistency resampling of {name_of(sampled.function)}, "
        f"{n_resamples} draws, one-sided"
    )
    return CalibrationTest(value, p_value, method, null)


def spiegelhalter_test(
    y_true: ArrayLike, y_prob: ArrayLike, *, view: View = top_label
) -> CalibrationTest:
    r"""Spiegelhalter's z test: is the Brier score what calibrated scores would give?

    .. math:: z = \frac{\sum_i (h_i - s_i)(1 - 2 s_i)}
       {\sqrt{\sum_i (1 - 2 s_i)^2 s_i (1 - s_i)}}

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.

    Returns
    -------
    CalibrationTest
        `statistic` is z; the p-value is two-sided, from the normal distribution.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Notes
    -----
    Gaps at s and 1 - s weigh with opposite signs: the test is blind to errors that leave the Brier
    score as expected.

    The normal distribution is an approximation whose far end is too thin: of three calibrated
    classes 25 to 100 samples have a p-value below 0.0025 in 0.33 to 0.46 % of samples, 500 in
    0.26 %. Twenty such tests of 25 samples, after :func:`holm`, reject in 9 % in place of 5 %.

    References
    ----------
    Spiegelhalter (1986).

    Examples
    --------
    >>> test = spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2])
    >>> round(test.statistic, 3), round(test.p_value, 3)  # -0.28 / sqrt(0.1248)
    (-0.793, 0.428)
    """
    score, hit, _ = view_pairs(y_true, y_prob, view)
    lean = 1 - 2 * score
    variance = np.sum(lean**2 * score * (1 - score))
    if not variance > 0:
        raise ValueError(
            "y_prob: every score is 0, 1/2 or 1, which leaves the statistic undefined"
        )
    z = float(np.sum((hit - score) * lean) / np.sqrt(variance))
    p_value = float(2 * scipy.special.ndtr(-abs(z)))
    return CalibrationTest(z, p_value, "Spiegelhalter's z, two-sided")


def cumulative_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    statistic: str = "ks",
    view: View = top_label,
) -> CalibrationTest:
    r"""Test calibration by the cumulative gaps in order of the score, without bins or draws.

    If the model is calibrated the sums :math:`\sum_{s_i \leq t} (h_i - s_i)`, divided by
    :math:`\sqrt{\sum_i s_i (1 - s_i)}`, are nearly a Brownian motion on [0, 1] where n is large.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: of two classes, ``y_prob[:, 1]`` gives the error of P(second), another number.
    statistic : {"ks", "kuiper"}
        The largest absolute sum, or the largest sum less the smallest, zero included. Kuiper's sees
        a gap of one sign wherever it lies; the first sees best one of all scores together.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.

    Returns
    -------
    CalibrationTest
        `statistic` is in standard deviations of the whole sum.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Gupta et al. (2021), the KS error; Tygert (2023), both p-values; Feller (1951),
    the range of a Brownian motion.

    Examples
    --------
    >>> score, chance = np.random.default_rng(0).random((2, 1000))
    >>> test = cumulative_test(chance < score**2, score, statistic="kuiper")
    >>> test.p_value < 1e-6, cumulative_test(chance < score, score).p_value > 0.05
    (True, True)
    """
    check.choice(statistic, "statistic", ("ks", "kuiper"))
    score, hit, _ = view_pairs(y_true, y_prob, view)
    variance = np.sum(score * (1 - score))
    if not variance > 0:
        raise ValueError(
            "y_prob: every score is 0 or 1, which leaves the statistic undefined"
        )
    order, last_of_ties = rising_scores(score)
    sums = np.append(0.0, np.cumsum((hit - score)[order])[last_of_ties]) / np.sqrt(
        variance
    )
    k = np.arange(1, 1001)
    if statistic == "ks":
        # the largest |B| on [0, 1], by a series that converges wherever x is above zero
        x, odd = float(np.abs(sums).max()), 2 * k - 1
        terms = (
            (-1.0) ** (k + 1) / odd * np.exp(-((odd * np.pi / max(x, 1e-9)) ** 2) / 8)
        )
        p_value = 1 - 4 / np.pi * terms.sum()
    else:
        # Feller (1951): the range of B; below 1e-2 its p-value is one all the same
        x = float(np.ptp(sums))
        terms = (-1.0) ** (k + 1) * k * scipy.special.ndtr(-k * max(x, 1e-2))
        p_value = 8 * terms.sum()
    return CalibrationTest(
        x, float(np.clip(p_value, 0, 1)), f"cumulative gaps, {statistic}"
    )


def holm(p_value: ArrayLike) -> np.ndarray:
    """P-values that hold for all hypotheses of a family at once, by Holm's method.

    Parameters
    ----------
    p_value : array_like of float, shape (m,)

    Returns
    -------
    ndarray of float, shape (m,)
        The i-th smallest is multiplied by m - i + 1, and none is below a smaller one.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Holm (1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2)
    array([0.03, 0.06, 0.06])
    """
    p = check.scores(p_value, atol=0, name="p_value")
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted
