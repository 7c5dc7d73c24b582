"""Tests of the hypothesis that a model is calibrated.

Randomness comes from a generator, or the integer that seeds one: the same gives the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib import metrics
from calib.check import (
    MOST_RESAMPLES,
    Pairs,
    Vectors,
    check_count,
    check_pairs,
    check_probabilities,
    check_rng,
    check_scores,
)
from calib.doc import documented
from calib.intervals import (
    CLASSWISE_ENTRIES,
    Metric,
    Options,
    Rng,
    classwise,
    n_rows,
    name_of,
    plain,
    refuse_undefined,
    summed,
    value_of,
)
from calib.metrics import known
from calib.views import View, top_label, view_pairs

ROUNDING = 1e-12  # what the order of a sum may take from a draw that ties


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

    Examples
    --------
    >>> spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2]).method
    "Spiegelhalter's z, two-sided"
    """

    statistic: float
    p_value: float
    method: str
    null: np.ndarray | None = field(default=None, repr=False, compare=False)


@documented
def consistency_test(
    metric: Metric,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: Rng,
    **options: Any,
) -> "CalibrationTest":
    """Test calibration: is the metric larger than a calibrated model with these scores shows?

    Labels are drawn from the predicted probabilities (hits from the scores, for a metric of a
    view), which makes the model calibrated by construction, and the metric is computed anew. The
    predictions stay as they are. With r draws of B at least as large as the metric itself, the
    p-value is (1 + r) / (1 + B), which is valid at any n.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, large where calibration is bad.
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    n_resamples : int
        Number B of draws.
    rng : numpy.random.Generator or int
    **options
        Passed to the metric.

    Returns
    -------
    CalibrationTest
        Its `null` holds the B metrics drawn under calibration.

    %(faults)s

    References
    ----------
    Vaicenavicius et al. (2019), who also resample the predictions; Bröcker & Smith (2007).

    Examples
    --------
    >>> from calib import ece
    >>> from book.evidence.simulate import LabelNoise
    >>> y, p = LabelNoise(noise=0.2).sample(1000, np.random.default_rng(0))
    >>> consistency_test(ece, y, p, n_resamples=199, rng=1).p_value
    0.005
    """
    rng = check_rng(rng)
    check_count(n_resamples, "n_resamples", high=MOST_RESAMPLES)
    n_rows(y_true, y_prob)
    value = value_of(metric, y_true, y_prob, options)
    drawn = _calibrated_statistic(metric, y_true, y_prob, options, rng)
    null = np.array([drawn() for _ in range(n_resamples)])
    refuse_undefined(metric, null)
    p_value = float((1 + np.sum(null >= value - ROUNDING)) / (1 + n_resamples))
    method = f"consistency resampling of {name_of(metric)}, {n_resamples} draws, one-sided"
    return CalibrationTest(value, p_value, method, null)


@documented
def spiegelhalter_test(
    y_true: ArrayLike, y_prob: ArrayLike, *, view: View = top_label
) -> "CalibrationTest":
    r"""Spiegelhalter's z test: is the Brier score what calibrated scores would give?

    .. math:: z = \frac{\sum_i (h_i - s_i)(1 - 2 s_i)}
       {\sqrt{\sum_i (1 - 2 s_i)^2 s_i (1 - s_i)}}

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    view : callable
        Which score and which event, see :mod:`calib.views`.

    Returns
    -------
    CalibrationTest
        `statistic` is z; the p-value is two-sided, from the normal distribution.

    %(faults)s

    Notes
    -----
    Gaps at s and 1 - s weigh with opposite signs: the test is blind to errors that leave the Brier
    score as expected.

    References
    ----------
    Spiegelhalter (1986).

    Examples
    --------
    >>> test = spiegelhalter_test([1, 1, 0], [0.9, 0.6, 0.2])
    >>> round(test.statistic, 3), round(test.p_value, 3)  # -0.28 / sqrt(0.1248)
    (-0.793, 0.428)
    """
    from scipy.special import ndtr

    score, hit, _ = view_pairs(y_true, y_prob, view)
    lean = 1 - 2 * score
    variance = np.sum(lean**2 * score * (1 - score))
    if not variance > 0:
        raise ValueError("y_prob: every score is 0, 1/2 or 1, which leaves the statistic undefined")
    z = float(np.sum((hit - score) * lean) / np.sqrt(variance))
    return CalibrationTest(z, float(2 * ndtr(-abs(z))), "Spiegelhalter's z, two-sided")


@documented
def holm(p_value: ArrayLike) -> np.ndarray:
    """P-values that hold for all hypotheses of a family at once, by Holm's method.

    Parameters
    ----------
    p_value : array_like of float, shape (m,)

    Returns
    -------
    ndarray of float, shape (m,)
        The i-th smallest is multiplied by m - i + 1, and none is below a smaller one.

    %(faults)s

    References
    ----------
    Holm (1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2)
    array([0.03, 0.06, 0.06])
    """
    p = check_scores(p_value, atol=0, name="p_value")
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def _calibrated_statistic(
    metric: Metric,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    options: Options,
    rng: np.random.Generator,
) -> Callable[[], float]:
    """Return a function that draws hits or labels from the predictions and computes the metric."""
    metric, options = plain(metric, options)
    entry = known(metric)
    if entry and entry.of == "pairs":
        score, _, _ = view_pairs(y_true, y_prob, options.get("view", top_label))
        sums = summed(metric, score, options)
        if sums is not None:
            ones = np.ones(len(score))
            return lambda: sums((rng.random(len(score)) < score) - score, ones)
        inner = entry.of_checked(**options)
        return lambda: inner(Pairs(score, rng.random(len(score)) < score))
    if np.ndim(y_prob) != 1:
        return _statistic_of_labels(metric, y_true, y_prob, options, rng)
    score, _ = check_pairs(y_prob, y_true, names=("y_prob", "y_true"))
    return lambda: metric(rng.random(len(score)) < score, score, **options)


def _statistic_of_labels(
    metric: Metric,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    options: Options,
    rng: np.random.Generator,
) -> Callable[[], float]:
    """Return a function that draws labels from the rows and computes the metric."""
    p = check_probabilities(y_prob)
    below = np.cumsum(p, axis=1, dtype=float)[:, :-1]

    def draw() -> np.ndarray:
        return (below < rng.random((len(below), 1))).sum(axis=1)

    if metric is metrics.classwise_ece and np.size(y_prob) <= CLASSWISE_ENTRIES:
        _, sums = classwise(y_true, y_prob, options)
        return lambda: sums(draw(), np.ones(len(below)))
    if entry := known(metric):
        inner = entry.of_checked(**options)
        return lambda: inner(Vectors(draw(), p))
    return lambda: metric(draw(), y_prob, **options)
