"""The difference of a metric between two models of the same samples, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.check import Pairs, Vectors
from calib.intervals import Estimate, estimate_of, largest_unseen, within_possible
from calib.registry import MetricFunction
from calib.resampling import (
    NoIntervalError,
    Rng,
    check_resampling,
    cluster_numbers,
    resample,
)
from calib.sampled_metrics import SampledFunction, name_of, sampled_metric
from calib.split_errors import split_difference


def paired_difference(
    metric: MetricFunction,
    y_true: ArrayLike | Pairs | Vectors,
    y_prob_a: ArrayLike,
    y_prob_b: ArrayLike,
    *,
    y_true_b: ArrayLike | Pairs | Vectors | None = None,
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
        Labels; hits in {0, 1} where `y_prob_a` is 1-D.
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
    NoIntervalError
        Where arguments are right, and the difference has no interval; a ValueError too.

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
    >>> from calib import ece
    >>> score, chance = np.random.default_rng(0).random((2, 1000))
    >>> gain = paired_difference(ece, chance < score**2, score, score**2, rng=1)
    >>> gain.low < 1 / 6 < gain.high  # the second is calibrated
    True
    """
    check_resampling(n_resamples, confidence_level, method or "basic", "split")
    rng = check.rng(rng)
    if isinstance(y_true, Pairs | Vectors) and y_true_b is None:
        name = type(y_true).__name__
        raise ValueError(f"y_true_b: None, expected the {name} of b beside those of a")
    a = sampled_metric(metric, y_true, y_prob_a, options)
    b = sampled_metric(
        metric, y_true if y_true_b is None else y_true_b, y_prob_b, options
    )
    if a.n != b.n:
        raise ValueError(f"y_prob_b: {b.n} rows, expected {a.n} as in y_prob_a")
    cluster = None if clusters is None else cluster_numbers(clusters, a.n)
    models = _TwoModels(a, b, cluster, n_resamples, confidence_level, rng)
    chosen = a.suited_to_difference(method)
    if chosen == "split":
        return models.split()
    return models.resampled(chosen, by_default=method is None)


@dataclass(frozen=True)
class _TwoModels:
    """Two models of the same samples, and how the interval of their difference is drawn."""

    a: SampledFunction
    b: SampledFunction
    cluster: np.ndarray | None
    n_resamples: int
    confidence_level: float
    rng: np.random.Generator

    def resampled(self, method: str, by_default: bool) -> Estimate:
        """Return the difference, and that of samples or clusters drawn again."""
        a, b = self.a, self.b
        value = a.value() - b.value()
        if np.isnan(value):
            raise NoIntervalError(
                f"metric: {name_of(a.function)} is infinite for both, expected one at most"
            )
        first, second = a.statistic_of_rows(), b.statistic_of_rows()

        def difference(rows: np.ndarray) -> float:
            return first(rows) - second(rows)

        drawn = resample(difference, a.n, self.n_resamples, self.cluster, self.rng)
        a.refuse_undefined(drawn)
        title, basic = f"{method} paired bootstrap", method == "basic"
        interval = estimate_of(value, drawn, self.confidence_level, title, basic=basic)
        if a.entry is None or not by_default or a.same_as(b):
            return interval
        return self._possible(interval, a.entry.largest)

    def split(self) -> Estimate:
        """Return the difference of two errors of calibration free of what chance adds to them."""
        m = self.a.n if self.cluster is None else int(self.cluster.max()) + 1
        if m < 2:
            what = "row" if self.cluster is None else "cluster"
            raise NoIntervalError(
                f"y_true: one {what}, expected two or more for an interval"
            )
        level, n_draws = self.confidence_level, self.n_resamples
        title = f"split difference, {n_draws} draws of noise"
        if self.a.same_as(self.b):
            none = np.zeros(n_draws)
            return Estimate(0.0, 0.0, 0.0, 0.0, level, n_draws, title, none)
        a, b, cluster = self.a.gaps, self.b.gaps, self.cluster
        value, drawn, (short_a, short_b) = split_difference(
            a, b, cluster=cluster, n_resamples=n_draws, rng=self.rng
        )
        se = float(np.std(drawn, ddof=1))
        half = float(scipy.special.stdtrit(m - 1, (1 + level) / 2)) * se
        # the true error of a may be larger by what its split one is short of, and so that of b
        low, high = value - half - short_b, value + half + short_a
        interval = Estimate(value, low, high, se, level, n_draws, title, drawn)
        return self._possible(interval, 1.0)

    def _possible(self, interval: Estimate, largest: float) -> Estimate:
        unseen_share = largest_unseen(self.a.n, self.cluster, self.confidence_level)
        return within_possible(interval, -largest, largest, unseen_share)
