"""Tests of the hypothesis that a model is calibrated.

Randomness comes from a generator, or the integer that seeds one: the same gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib.check import MOST_RESAMPLES, check_count, check_probabilities, check_rng, check_scores
from calib.doc import documented
from calib.intervals import (
    Metric,
    Options,
    Rng,
    n_rows,
    name_of,
    of_outcomes,
    plain,
    refuse_undefined,
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
) -> CalibrationTest:
    """Test calibration: is the metric larger than a calibrated model with these scores shows?

    Labels are drawn from the predicted probabilities (hits from the scores, for a metric of a
    view), which makes the model calibrated by construction, and the metric is computed anew. The
    predictions stay as they are. With r draws of B at least as large as the metric itself, the
    p-value is (1 + r) / (1 + B), which is valid at any n.

    Parameters
    ----------
    metric : callable
        ``metric(y_true, y_prob, **options) -> float``, large where calibration is bad.
    n_resamples : int
        Number B of draws.

    Returns
    -------
    CalibrationTest
        Its `null` holds the B metrics drawn under calibration.

    Source: Vaicenavicius et al. (2019), who also resample the predictions; Bröcker & Smith (2007).

    >>> from calib import ece
    >>> score, chance = np.random.default_rng(0).random((2, 1000))
    >>> consistency_test(ece, chance < score**2, score, n_resamples=199, rng=1).p_value
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
) -> CalibrationTest:
    r"""Spiegelhalter's z test: is the Brier score what calibrated scores would give?

    .. math:: z = \frac{\sum_i (h_i - s_i)(1 - 2 s_i)}
       {\sqrt{\sum_i (1 - 2 s_i)^2 s_i (1 - s_i)}}

    Returns
    -------
    CalibrationTest
        `statistic` is z; the p-value is two-sided, from the normal distribution.

    Notes
    -----
    Gaps at s and 1 - s weigh with opposite signs: the test is blind to errors that leave the Brier
    score as expected.

    Source: Spiegelhalter (1986).

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

    Source: Holm (1979).

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
    if np.ndim(y_prob) == 1 or (entry and entry.of == "pairs"):
        score, _, _ = view_pairs(
            y_true, y_prob, options.get("view", top_label) if entry else top_label
        )
        n, y_prob = len(score), score if entry is None else y_prob

        def draw() -> np.ndarray:
            return rng.random(n) < score
    else:
        below = np.cumsum(check_probabilities(y_prob), axis=1, dtype=float)[:, :-1]
        n = len(below)

        def draw() -> np.ndarray:
            return (below < rng.random((n, 1))).sum(axis=1)

    if entry is None:
        return lambda: metric(draw(), y_prob, **options)
    _, statistic = of_outcomes(metric, y_true, y_prob, options)
    ones = np.ones(n)
    return lambda: statistic(draw(), ones)
