"""Tests of the hypothesis that a model is calibrated, and Holm's correction for many of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.check import MOST_RESAMPLES, Pairs, Vectors
from calib.registry import MetricFunction
from calib.resampling import Rng, cluster_numbers, p_value_of_draws
from calib.sampled_metrics import SampledFunction, name_of, sampled_metric
from calib.unbinned import rising_scores
from calib.views import View, top_label, view_pairs

SERIES = np.arange(1, 1001)  # terms of the series of p-values
SIGN = (-1.0) ** (SERIES + 1)


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
    metric: MetricFunction,
    y_true: ArrayLike | Pairs | Vectors,
    y_prob: ArrayLike,
    *,
    n_resamples: int = 1000,
    clusters: ArrayLike | None = None,
    rng: Rng,
    **options: Any,
) -> CalibrationTest:
    """Test calibration: is the metric larger than a calibrated model with these scores shows?

    Labels are drawn from the predicted probabilities (hits from the scores, for a metric of a
    view), which makes the model calibrated by construction, and the metric is computed anew. The
    predictions stay as they are. With r of the B draws (`n_resamples`) at least as large as the
    metric itself the p-value is (1 + r) / (1 + B). It is valid at any n. Samples of a cluster are
    drawn together, as :func:`bootstrap` draws its `null`.

    The metric must be large where calibration is bad. Losses and shares of hits are not: a model
    that is too unsure has a smaller NLL than its own probabilities expect. Those of calib are
    refused; :func:`spiegelhalter_test` judges a Brier score on both sides.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, an error of calibration such as
        :func:`calib.ece`, or a function of your own.
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    n_resamples : int
    clusters : array_like, shape (n,), optional
        What hangs together, by number or name. A sum of gaps, such as the ECE, draws a sign for
        each cluster's own gaps; of any other metric the samples of a cluster share one draw.
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
    >>> from calib import ece
    >>> score, chance = np.random.default_rng(0).random((2, 1000))
    >>> consistency_test(ece, chance < score**2, score, n_resamples=199, rng=1).p_value
    0.005
    """
    rng = check.rng(rng)
    check.count(n_resamples, "n_resamples", high=MOST_RESAMPLES)
    sampled = sampled_metric(metric, y_true, y_prob, options)
    _refuse_what_is_no_error(sampled)
    cluster = None if clusters is None else cluster_numbers(clusters, sampled.n)
    value, statistic = sampled.value(), sampled.of_calibrated(rng, cluster)
    null = np.array([statistic() for _ in range(n_resamples)])
    sampled.refuse_undefined(null)
    p_value = p_value_of_draws(null, value)
    method = (
        f"consistency resampling of {name_of(sampled.function)}, "
        f"{n_resamples} draws, one-sided"
    )
    return CalibrationTest(value, p_value, method, null)


def _refuse_what_is_no_error(sampled: SampledFunction) -> None:
    """Refuse a metric of calib that need not be larger where calibration is worse."""
    if sampled.entry is not None and sampled.entry.smooth:
        raise ValueError(
            f"metric: {name_of(sampled.function)} need not grow as calibration gets worse, "
            "expected an error of calibration such as calib.ece"
        )


def spiegelhalter_test(
    y_true: ArrayLike | Pairs, y_prob: ArrayLike, *, view: View = top_label
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
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
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
    pairs = view_pairs(y_true, y_prob, view)
    check.refuse_weights(pairs)
    score, hit, _ = pairs
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
    y_true: ArrayLike | Pairs,
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
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
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
    pairs = view_pairs(y_true, y_prob, view)
    check.refuse_weights(pairs)
    score, hit, _ = pairs
    variance = np.sum(score * (1 - score))
    if not variance > 0:
        raise ValueError(
            "y_prob: every score is 0 or 1, which leaves the statistic undefined"
        )
    order, last_of_ties = rising_scores(score)
    cumulated = np.cumsum((hit - score)[order])[last_of_ties]
    sums = np.append(0.0, cumulated) / np.sqrt(variance)
    if statistic == "ks":
        x = float(np.abs(sums).max())
        p_value = _p_of_largest(x)
    else:
        x = float(np.ptp(sums))
        p_value = _p_of_range(x)
    method = f"cumulative gaps, {statistic}"
    return CalibrationTest(x, float(np.clip(p_value, 0, 1)), method)


def _p_of_largest(x: float) -> float:
    """Return the probability that a Brownian motion leaves [-x, x] before the time 1."""
    # a series that converges wherever x is above zero
    odd = 2 * SERIES - 1
    terms = SIGN / odd * np.exp(-((odd * np.pi / max(x, 1e-9)) ** 2) / 8)
    return float(1 - 4 / np.pi * terms.sum())


def _p_of_range(x: float) -> float:
    """Return the probability that the range of a Brownian motion on [0, 1] is above x.

    Feller (1951).
    """
    # below 1e-2, where the series needs more terms, it is one all the same
    terms = SIGN * SERIES * scipy.special.ndtr(-SERIES * max(x, 1e-2))
    return float(8 * terms.sum())


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
