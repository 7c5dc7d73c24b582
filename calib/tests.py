"""Tests of the hypothesis that a model is calibrated.

Randomness comes from a generator that the caller passes in: the same state gives the same bytes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.spatial.distance import cdist, pdist

from calib import errors
from calib.bins import Binning, check_binning, equal_mass
from calib.checks import (
    MOST_RESAMPLES,
    as_array,
    check_choice,
    check_count,
    check_labels,
    check_pairs,
    check_positive,
    check_probabilities,
    check_rng,
)
from calib.metrics import reads_pairs
from calib.resampling import (
    CLASSWISE_ENTRIES,
    as_they_are,
    classwise,
    name_of,
    plain,
    refuse_undefined,
    summed,
    value_of,
)
from calib.views import View, top_label, view_pairs

ROUNDING = 1e-12  # what the order of a sum may change a metric by


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


def consistency_test(
    metric: Callable[..., float],
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator,
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
    rng : numpy.random.Generator
    **options
        Passed to the metric.

    Returns
    -------
    CalibrationTest
        Its `null` holds the B metrics drawn under calibration.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; the metric raises its own errors.

    References
    ----------
    Vaicenavicius et al. (2019), who also resample the predictions; Bröcker & Smith (2007).

    Examples
    --------
    >>> from calib import ece
    >>> from calib.simulate import LabelNoise
    >>> y, p = LabelNoise(noise=0.2).sample(1000, np.random.default_rng(0))
    >>> consistency_test(ece, y, p, n_resamples=199, rng=np.random.default_rng(1)).p_value
    0.005
    """
    check_rng(rng)
    check_count(n_resamples, "n_resamples", high=MOST_RESAMPLES)
    value = value_of(metric, y_true, y_prob, options)
    drawn = _calibrated_statistic(metric, y_true, y_prob, options, rng)
    null = np.array([drawn() for _ in range(n_resamples)])
    refuse_undefined(metric, null)
    p_value = _share_as_large(null, value)
    method = f"consistency resampling of {name_of(metric)}, {n_resamples} draws, one-sided"
    return CalibrationTest(value, p_value, method, null)


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

    Raises
    ------
    ValueError
        Where the data are not what they should be, or every score is 0, 1/2 or 1, which leaves z
        undefined.

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
    score, hit, _ = view_pairs(y_true, y_prob, view)
    lean = 1 - 2 * score
    variance = np.sum(lean**2 * score * (1 - score))
    if not variance > 0:
        raise ValueError("y_prob: every score is 0, 1/2 or 1, which leaves the statistic undefined")
    z = float(np.sum((hit - score) * lean) / np.sqrt(variance))
    return CalibrationTest(z, float(2 * stats.norm.sf(abs(z))), "Spiegelhalter's z, two-sided")


def hosmer_lemeshow_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    n_fitted: int = 0,
) -> "CalibrationTest":
    r"""Hosmer-Lemeshow test: are the gaps of the bins larger than chance makes them?

    .. math:: \chi^2 = \sum_b \frac{n_b \, (\mathrm{acc}(B_b) - \mathrm{conf}(B_b))^2}
       {\mathrm{conf}(B_b) (1 - \mathrm{conf}(B_b))}

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K) or (n,)
    view : callable
        Which score and which event, see :mod:`calib.views`.
    bins : callable, optional
        Binning; ``equal_mass(10)`` by default.
    n_fitted : int
        Taken off the number of non-empty bins to give the degrees of freedom: 0 on data that the
        model has not seen, 2 on the data that a logistic regression was fitted to.

    Returns
    -------
    CalibrationTest
        `statistic` is chi squared; infinite where scores of 0 or 1 were wrong. A score above one,
        by rounding, counts as one.

    Raises
    ------
    ValueError
        Where the data are not what they should be, or no degree of freedom is left.

    References
    ----------
    Hosmer & Lemeshow (1980).

    Examples
    --------
    >>> from calib import equal_width
    >>> test = hosmer_lemeshow_test([1, 0, 1, 0], [0.5, 0.5, 0.8, 0.8], bins=equal_width(2))
    >>> round(test.statistic, 3), round(test.p_value, 3)
    (1.125, 0.57)
    """
    score, hit, _ = view_pairs(y_true, y_prob, view)
    binned = check_binning(bins, equal_mass(10))(np.minimum(score, 1), hit)
    full = binned.weight > 0
    freedom = int(full.sum()) - check_count(n_fitted, "n_fitted", low=0)
    if freedom < 1:
        raise ValueError(f"n_fitted: {n_fitted}, expected fewer than the {full.sum()} full bins")
    conf, square = binned.mean_score[full], binned.gap_sum[full] ** 2
    variance = binned.weight[full] * conf * (1 - conf)
    wrong = np.where(square > 0, np.inf, 0.0)
    statistic = float(np.divide(square, variance, out=wrong, where=variance > 0).sum())
    method = f"Hosmer-Lemeshow chi squared, {freedom} degrees of freedom"
    return CalibrationTest(statistic, float(stats.chi2.sf(statistic, freedom)), method)


def skce(
    y_true: ArrayLike, y_prob: ArrayLike, *, estimator: Any = "quadratic", bandwidth: Any = None
) -> float:
    r"""Squared kernel calibration error, of the whole probability vector.

    With e the one-hot label less the probabilities,

    .. math:: h_{ij} = e_i^\top e_j \exp(-\mathrm{TV}(p_i, p_j) / \nu),

    TV being the total variation distance, half the sum of absolute differences. Its mean over two
    independent samples is zero if and only if the model is calibrated in the strong sense.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or the scores of pairs: then e = h - s and TV is the distance of the scores,
        which is half of what the two columns 1 - s and s give.
    estimator : {"quadratic", "linear", "biased"}
        Mean of h over all pairs of different samples (unbiased, takes O(n²) time); over samples 1
        and 2, 3 and 4, ... (unbiased, O(n), less exact); over all pairs, i = j included.
    bandwidth : float, optional
        The bandwidth ν; by default the median distance of up to 1000 samples, evenly spaced.

    Returns
    -------
    float
        The two unbiased estimates may be negative.

    Raises
    ------
    ValueError
        Where the data are not what they should be, an unbiased estimate is asked of one sample, or
        the median distance is zero.

    References
    ----------
    Widmann, Lindsten & Zachariah (2019).

    Examples
    --------
    >>> round(skce([1, 0], [0.8, 0.8], bandwidth=1.0), 6)
    -0.16
    """
    check_choice(estimator, "estimator", ("quadratic", "linear", "biased"))
    error, p = _errors(y_true, y_prob)
    width = _bandwidth(p, bandwidth)
    if estimator == "biased":
        total = sum(block.sum() for _, block in _kernel_blocks(error, p, width))
        return float(total / len(p) ** 2)
    if len(p) < 2:
        raise ValueError("y_prob: 1 row, expected at least 2 for an unbiased estimate")
    if estimator == "linear":
        return float(_kernel_of_pairs(error, p, width).mean())
    total = sum(_without_diagonal(*block).sum() for block in _kernel_blocks(error, p, width))
    return float(total / (len(p) * (len(p) - 1)))


def skce_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    estimator: Any = "quadratic",
    bandwidth: Any = None,
    n_resamples: int = 1000,
    rng: np.random.Generator | None = None,
) -> "CalibrationTest":
    """Test calibration in the strong sense with the squared kernel calibration error.

    "linear": the mean of h over n/2 independent pairs is compared with a normal distribution of
    the pairs' standard deviation. "quadratic": each draw gives every sample a random sign and takes
    the mean of sign times sign times h, which is what the estimator does under calibration, where
    h has mean zero given either of its samples. Both are one-sided; the quadratic one finds smaller
    errors, and takes O(n² B) time.

    Parameters
    ----------
    y_true, y_prob
        As in :func:`skce`.
    estimator : {"quadratic", "linear"}
    bandwidth : float, optional
        As in :func:`skce`.
    n_resamples : int
        Number B of draws of "quadratic".
    rng : numpy.random.Generator
        Needed by "quadratic".

    Returns
    -------
    CalibrationTest

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; "linear" needs four samples, whose two values differ.

    References
    ----------
    Widmann, Lindsten & Zachariah (2019), lemma 3 and appendix G; Arcones & Giné (1992).

    Examples
    --------
    >>> from calib.simulate import LabelNoise
    >>> y, p = LabelNoise(noise=0.3).sample(500, np.random.default_rng(0))
    >>> skce_test(y, p, rng=np.random.default_rng(1)).p_value < 0.01
    True
    """
    check_choice(estimator, "estimator", ("quadratic", "linear"))
    error, p = _errors(y_true, y_prob)
    width = _bandwidth(p, bandwidth)
    if estimator == "linear":
        h = _kernel_of_pairs(error, p, width)
        if len(h) < 2 or np.ptp(h) == 0:
            raise ValueError(f"y_prob: {len(p)} rows, expected two pairs that differ")
        z = h.mean() / (h.std(ddof=1) / np.sqrt(len(h)))
        method = "linear SKCE over its standard error, normal, one-sided"
        return CalibrationTest(float(z), float(stats.norm.sf(z)), method)
    rng = check_rng(rng)
    check_count(n_resamples, "n_resamples", high=MOST_RESAMPLES)
    if len(p) < 2:
        raise ValueError("y_prob: 1 row, expected at least 2")
    sign = rng.integers(2, size=(len(p), n_resamples)) * 2.0 - 1
    value, null = 0.0, np.zeros(n_resamples)
    for start, block in _kernel_blocks(error, p, width):
        h = _without_diagonal(start, block)
        value += h.sum()
        null += np.einsum("ib,ib->b", sign[start : start + len(h)], h @ sign)
    pairs = len(p) * (len(p) - 1)
    value, null = float(value / pairs), null / pairs
    method = f"quadratic SKCE, {n_resamples} draws of random signs, one-sided"
    return CalibrationTest(value, _share_as_large(null, value), method, null)


def _calibrated_statistic(
    metric: Callable[..., float],
    y_true: Any,
    y_prob: Any,
    options: dict[str, Any],
    rng: np.random.Generator,
) -> Callable[..., Any]:
    """Return a function that draws hits or labels from the predictions and computes the metric."""
    metric, options = plain(metric, options)
    if reads_pairs(metric):
        score, _, _ = view_pairs(y_true, y_prob, options.get("view", top_label))
        sums = summed(metric, score, options)
        if sums is not None:
            ones = np.ones(len(score))
            return lambda: sums((rng.random(len(score)) < score) - score, ones)
        options = options | {"view": as_they_are}
    elif np.ndim(y_prob) == 1:
        score, _ = check_pairs(y_prob, y_true, names=("y_prob", "y_true"))
    else:
        return _statistic_of_labels(metric, y_true, y_prob, options, rng)
    return lambda: metric(rng.random(len(score)) < score, score, **options)


def _statistic_of_labels(
    metric: Callable[..., float],
    y_true: Any,
    y_prob: Any,
    options: dict[str, Any],
    rng: np.random.Generator,
) -> Callable[..., Any]:
    """Return a function that draws labels from the rows and computes the metric."""
    below = np.cumsum(check_probabilities(y_prob), axis=1, dtype=float)[:, :-1]

    def draw() -> np.ndarray:
        return (below < rng.random((len(below), 1))).sum(axis=1)

    if metric is errors.classwise_ece and np.size(y_prob) <= CLASSWISE_ENTRIES:
        _, sums = classwise(y_true, y_prob, options)
        return lambda: sums(draw(), np.ones(len(below)))
    return lambda: metric(draw(), y_prob, **options)


def _errors(y_true: Any, y_prob: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return one-hot labels less probabilities, and the probabilities, both with columns."""
    y_prob = as_array(y_prob, "y_prob")
    if y_prob.ndim == 1:
        score, hit = check_pairs(y_prob, y_true, names=("y_prob", "y_true"))
        return (hit - score)[:, None], score[:, None]
    p = check_probabilities(y_prob).astype(float)
    error = -p
    error[np.arange(len(p)), check_labels(y_true, p.shape[1], n=len(p))] += 1
    return error, p


def _distance_scale(p: np.ndarray) -> float:
    """Total variation distance over the sum of absolute differences of columns."""
    return 1.0 if p.shape[1] == 1 else 0.5


def _bandwidth(p: np.ndarray, bandwidth: Any) -> float:
    if bandwidth is not None:
        return check_positive(bandwidth, "bandwidth")
    if len(p) < 2:
        return 1.0
    some = p[:: -(-len(p) // 1000)]
    median = _distance_scale(p) * float(np.median(pdist(some, "cityblock")))
    if median == 0:
        raise ValueError("bandwidth: the median distance of the predictions is 0, give a number")
    return median


def _kernel_of_pairs(error: np.ndarray, p: np.ndarray, width: float) -> np.ndarray:
    """Return h of samples 0 and 1, 2 and 3, ..."""
    n = len(p) // 2 * 2
    distance = _distance_scale(p) * np.abs(p[0:n:2] - p[1:n:2]).sum(axis=1)
    return np.exp(-distance / width) * np.einsum("ik,ik->i", error[0:n:2], error[1:n:2])


def _kernel_blocks(
    error: np.ndarray, p: np.ndarray, width: float, rows: int = 256
) -> Iterator[Any]:
    """Yield (first row, rows of the matrix h)."""
    for start in range(0, len(p), rows):
        block = slice(start, start + rows)
        distance = _distance_scale(p) * cdist(p[block], p, "cityblock")
        yield start, np.exp(-distance / width) * (error[block] @ error.T)


def _without_diagonal(start: int, block: np.ndarray) -> np.ndarray:
    own = np.arange(len(block))
    block[own, start + own] = 0
    return block


def _share_as_large(null: np.ndarray, value: float) -> float:
    """Return the p-value (1 + r) / (1 + B); draws that rounding alone puts below count in r."""
    return float((1 + np.sum(null >= value - ROUNDING)) / (1 + len(null)))
