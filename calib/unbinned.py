"""Calibration errors without bins: cumulative sums, exponential decay and kernels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.bins import DrawnMetric, in_type_of
from calib.check import Pairs, Vectors, Weights
from calib.matrices import ENTRIES_AT_ONCE
from calib.metrics import classwise
from calib.registry import metric
from calib.views import View, top_label, view_pairs

GRID_INTERVALS = 1 << 13  # intervals of the grid on [0, 1] that the smooth errors use
FIRST_CELLS = 1 << 12  # intervals of [0, 1] that the cumulative error looks at first
# scores at which the prediction specific error looks
PSCE_SCORES = np.arange(101) / 100


def rising_scores(score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of rising scores, and the positions in it where tied scores end."""
    order = np.argsort(score, kind="stable")
    return order, np.flatnonzero(np.diff(score[order], append=np.inf))


def largest_sum(gap: np.ndarray, order: np.ndarray, last_of_ties: np.ndarray) -> float:
    """Return the largest absolute cumulative sum of gaps in an order, where ties end."""
    return np.abs(np.cumsum(gap[order])[last_of_ties]).max()


def _gaps(pairs: Pairs) -> tuple[np.ndarray, float]:
    """Return the weighted gap of each sample, and the whole weight."""
    gap, weight = pairs.hit - pairs.score, pairs.weight
    return (gap, len(gap)) if weight is None else (weight * gap, weight.sum())


def _merge(score: np.ndarray, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Merge the samples of each cell of a grid inside which the cumulative gap cannot be largest.

    Inside a cell it is at most what it was before plus all that rises there, and at least what it
    was before plus all that falls. What is left to be sorted is small.
    """
    cell = (score * FIRST_CELLS).astype(np.intp)
    rise = np.bincount(cell, np.maximum(gap, 0))
    fall = np.bincount(cell, np.minimum(gap, 0))
    after = np.cumsum(rise + fall)
    before = after - (rise + fall)
    largest = np.abs(after).max()
    merged = (before + rise <= largest) & (before + fall >= -largest)
    unmerged = ~merged[cell]
    cells = np.flatnonzero(merged)
    scores = np.append(score[unmerged], cells / FIRST_CELLS)
    return scores, np.append(gap[unmerged], (rise + fall)[cells])


def _prepare_ks(score: np.ndarray) -> DrawnMetric:
    order, last_of_ties = rising_scores(score)
    return lambda gap, w: float(largest_sum(gap * w, order, last_of_ties) / w.sum())


def _ks_error(pairs: Pairs) -> float:
    score = pairs.score.astype(np.float64, copy=False)
    gap, whole = _gaps(pairs._replace(score=score))
    # sorting few scores costs less than merging them
    if len(score) > 4 * FIRST_CELLS:
        score, gap = _merge(score, gap)
    return float(largest_sum(gap, *rising_scores(score)) / whole)


@metric("KS", _ks_error, reads="pairs", cumulative=True, prepare_draws=_prepare_ks)
def ks_error(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> float:
    r"""Kolmogorov-Smirnov calibration error: the largest gap of the cumulative sums.

    .. math:: \max_\sigma \Big| \frac{1}{n} \sum_{i: s_i \le \sigma} (h_i - s_i) \Big|

    The maximum is over thresholds, as in equations 9 and 10, so that tied scores move together and
    the order of the samples does not matter. It is at least the difference of accuracy and mean
    score.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Gupta et al. (2021), equations 9, 10 and 12.

    Examples
    --------
    >>> ks_error([0, 1, 1], [0.25, 0.5, 0.5])
    0.25
    """
    return _ks_error(view_pairs(y_true, y_prob, view, sample_weight))


def _classwise_ks(vectors: Vectors) -> float:
    return classwise(_ks_error, vectors)


@metric("classwise KS", _classwise_ks, reads="vectors", kind="errors of classes")
def classwise_ks(
    y_true: ArrayLike | Vectors, y_prob: ArrayLike, *, sample_weight: Weights = None
) -> float:
    """Mean over the classes of :func:`ks_error`, one class against the rest.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Gupta et al. (2021), equation 12, per class.

    Examples
    --------
    >>> classwise_ks([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    """
    return _classwise_ks(check.vectors(y_true, y_prob, sample_weight))


def _two_bin_mean(
    score: np.ndarray, gap: np.ndarray, order: np.ndarray, last: np.ndarray
) -> float:
    """Return the mean over thresholds of the squared sums of gaps below and above it."""
    below = np.append(0.0, np.cumsum(gap[order])[last])
    above = below[-1] - below
    edges = np.concatenate([[0.0], score[order][last], [1.0]])
    return float(np.dot(np.maximum(np.diff(edges), 0), below**2 + above**2))


def _prepare_two_bins(score: np.ndarray) -> DrawnMetric:
    score = score.astype(np.float64, copy=False)
    rising = rising_scores(score)
    return lambda gap, w: _two_bin_mean(score, gap * w, *rising) / w.sum() ** 2


def _two_bin_error(pairs: Pairs) -> float:
    score = pairs.score.astype(np.float64, copy=False)
    gap, whole = _gaps(pairs._replace(score=score))
    return _two_bin_mean(score, gap, *rising_scores(score)) / whole**2


@metric(
    "two bins",
    _two_bin_error,
    reads="pairs",
    square=True,
    prepare_draws=_prepare_two_bins,
)
def two_bin_error(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> float:
    r"""Averaged two-bin calibration error: no other number than one's belief makes it smaller.

    .. math:: \int_0^1 \Big( \frac{1}{n} \sum_{i: s_i < \tau} (h_i - s_i) \Big)^2
        + \Big( \frac{1}{n} \sum_{i: s_i \ge \tau} (h_i - s_i) \Big)^2 \, d\tau

    Whatever the threshold, chance adds the same, the variance of the sum of all hits. So its
    expected value is least where each score is the probability of its hit: on no finite sample
    does it pay to say something else, as it does with an error of bins. It is a square.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Hartline, Hu & Wu (2026), A perfectly truthful calibration measure.

    Examples
    --------
    >>> two_bin_error([1, 0], [0.5, 0.5])
    0.0
    >>> two_bin_error([1, 1], [0.5, 0.5])
    0.25
    """
    return _two_bin_error(view_pairs(y_true, y_prob, view, sample_weight))


def _psce_curve(pairs: Pairs, decay: float) -> np.ndarray:
    score, hit, weight = pairs
    weight = np.ones(len(score)) if weight is None else weight
    grid = in_type_of(score, PSCE_SCORES)
    # scores may exceed one by rounding
    at_or_above = np.minimum(np.searchsorted(grid, score, side="left"), 100)
    at_or_below = np.searchsorted(grid, score, side="right") - 1
    sides = []
    for node, step in ((at_or_above, 1), (at_or_below, -1)):
        share = weight * decay ** (100 * np.abs(PSCE_SCORES[node] - score))
        hits = _accumulate(np.bincount(node, share * hit, 101)[::step], decay)[::step]
        total = _accumulate(np.bincount(node, share, 101)[::step], decay)[::step]
        sides.append(np.divide(hits, total, out=np.full(101, np.nan), where=total > 0))
    # a side without samples leaves the value to the other
    return np.nanmean(sides, axis=0)


def _accumulate(values: np.ndarray, decay: float) -> np.ndarray:
    """Return sums over the grid: a point's own, plus decay times those of the point before."""
    # a step of the grid is always one hundredth, so that one pass sums over all distances
    for j in range(1, len(values)):
        values[j] += decay * values[j - 1]
    return values


def _check_decay(decay: float) -> float:
    if not 1e-6 <= check.fraction(decay, "decay"):
        # smaller powers of it vanish in float64
        raise ValueError(f"decay: {decay!r}, expected at least 1e-6")
    return decay


def psce_curve(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    decay: float = 0.9,
    sample_weight: Weights = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Frequency of hits near each of the scores 0.00, 0.01, ..., 1.00, by exponential decay.

    At each of the 101 grid points, the samples at or below it give one frequency and the samples
    at or above it another, each sample weighted by decay to the power of its distance in
    hundredths. The value is the mean of the two; a side without samples leaves it to the other.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    decay : float
        Weight, between 0 and 1, of a sample one hundredth away. The paper does not print it.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    grid, curve : ndarray of float64, shape (101,)

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Nixon et al. (2019), appendix A.2.

    Examples
    --------
    >>> grid, curve = psce_curve([1, 0], [0.25, 0.75], decay=0.5)
    >>> curve[[0, 50, 100]].round(6)
    array([1. , 0.5, 0. ])
    """
    decay = _check_decay(decay)
    return PSCE_SCORES.copy(), _psce_curve(
        view_pairs(y_true, y_prob, view, sample_weight), decay
    )


def _psce(pairs: Pairs, decay: float) -> float:
    decay = _check_decay(decay)
    score = pairs.score.astype(np.float64, copy=False)
    curve = _psce_curve(pairs._replace(score=score), decay)
    off = np.abs(np.interp(score, PSCE_SCORES, curve) - score)
    return float(np.average(off, weights=pairs.weight))


@metric("PSCE", _psce, reads="pairs")
def psce(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    decay: float = 0.9,
    sample_weight: Weights = None,
) -> float:
    """Prediction specific calibration error: mean distance of the scores from their curve.

    The mean over the samples of ``|curve(s) - s|``, the curve of :func:`psce_curve` interpolated
    linearly. The paper defines the curve only; this scalar is our choice.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    decay : float
        Weight, between 0 and 1, of a sample one hundredth away. The paper does not print it.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Nixon et al. (2019), section 5.4 and appendix A.2.

    Examples
    --------
    >>> psce([1, 0], [0.75, 0.75])
    0.25
    """
    return _psce(view_pairs(y_true, y_prob, view, sample_weight), decay)


def _smooth_ece(pairs: Pairs, width: float | None) -> float:
    if width is not None and width != np.inf:
        check.nonnegative(width, "width")
    gap, whole = _gaps(pairs)
    spectrum = scipy.fft.dct(_on_grid(pairs.score, gap), 1) / whole

    def error(width: float) -> float:
        return _integral(np.abs(_smoothed(spectrum, _gaussian, width)))

    if width is None:
        widest = 1 if error(1) <= 1 else 2  # scores may exceed one by rounding
        # the error falls where the width grows, so that error(w) - w has one root
        width = scipy.optimize.brentq(lambda w: error(w) - w, 0, widest)
    return error(width)


@metric("smooth ECE", _smooth_ece, reads="pairs")
def smooth_ece(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    width: float | None = None,
    sample_weight: Weights = None,
) -> float:
    r"""Smooth ECE: the gaps smoothed by a Gaussian kernel before their absolute value is taken.

    .. math:: \mathrm{smECE}_\sigma = \int_0^1 \Big| \frac{1}{n} \sum_i K_\sigma(t, s_i)
       (h_i - s_i) \Big| \, dt

    with the kernel reflected at 0 and 1 without end. Without a `width`, the one that equals its own
    error is taken; there is exactly one, as the error falls when the width grows. Evaluated on a
    grid of 8192 intervals, on which the reflected kernel is a product of cosine transforms.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    width : float, optional
        Standard deviation of the kernel. At infinity the error is ``|accuracy - mean score|``.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Błasiok & Nakkiran (2023), equation 5 and algorithm 2.

    Examples
    --------
    >>> round(smooth_ece([1, 0], [0.75, 0.75]), 6)
    0.25
    """
    return _smooth_ece(view_pairs(y_true, y_prob, view, sample_weight), width)


def _kde_ece(pairs: Pairs, bandwidth: float | None, frequency_weights: bool) -> float:
    if bandwidth is not None:
        check.nonnegative(bandwidth, "bandwidth")
    score, hit, weight = pairs
    weight = check.sample_counts(weight, frequency_weights)
    weight = np.ones(len(score)) if weight is None else weight
    if bandwidth is None:
        bandwidth = _rule_of_thumb(score, hit, weight)

    def density(mass: np.ndarray) -> np.ndarray:
        return _smoothed(scipy.fft.dct(_on_grid(score, mass), 1), _triweight, bandwidth)

    scores, hits = density(weight), density(weight * hit)
    t = np.linspace(0, 1, GRID_INTERVALS + 1)
    return _integral(np.abs(t * scores - hits)) / float(weight.sum())


def _rule_of_thumb(score: np.ndarray, hit: np.ndarray, weight: np.ndarray) -> float:
    """Return the bandwidth of the authors' released code: from the spread of the scores of hits."""
    share = weight * hit if (weight * hit).any() else weight
    mean = np.average(score, weights=share)
    spread = np.sqrt(np.average((score - mean) ** 2, weights=share))
    return float(spread * (2 * weight.sum()) ** -0.2)


@metric("KDE-ECE", _kde_ece, reads="pairs", weights_repeat=False)
def kde_ece(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bandwidth: float | None = None,
    sample_weight: Weights = None,
    frequency_weights: bool = False,
) -> float:
    r"""Calibration error by kernel density estimation.

    .. math:: \int_0^1 \big| t \hat f(t) - \hat g(t) \big| \, dt

    where f is the density of the scores and g that of the scores of hits (times the share of hits),
    both with a triweight kernel reflected at 0 and 1. Evaluated on a grid of 8192 intervals.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    bandwidth : float, optional
        Standard deviation of the kernel; it reaches three of them. By default, as in the authors'
        released code, the standard deviation of the scores of hits times (2 n)^(-1/5), n being the
        number of samples, Kish's of weighted ones; that of all scores where there is no hit.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.
    frequency_weights : bool
        Whether weights are numbers of repetitions, as in the `Pairs` of a resample.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Zhang, Kailkhura & Han (2020), Mix-n-Match, section 4.

    Examples
    --------
    >>> round(kde_ece([1, 0, 1, 1], [0.75, 0.75, 0.75, 0.75]), 6)
    0.0
    """
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    return _kde_ece(pairs, bandwidth, frequency_weights)


def _on_grid(score: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Share each sample's mass between the two nodes beside it; an end is its own mirror image."""
    nodes = np.zeros(GRID_INTERVALS + 1)
    for start in range(0, len(score), ENTRIES_AT_ONCE):
        block = slice(start, start + ENTRIES_AT_ONCE)
        position = np.minimum(score[block], 1) * GRID_INTERVALS
        # the score 1 is the right end of the last interval
        node = np.minimum(position.astype(np.intp), GRID_INTERVALS - 1)
        whole = np.bincount(node, mass[block], GRID_INTERVALS)
        right = np.bincount(node, mass[block] * (position - node), GRID_INTERVALS)
        nodes[:-1] += whole - right
        nodes[1:] += right
    nodes[[0, -1]] *= 2
    return nodes


def _smoothed(
    spectrum: np.ndarray, kernel: Callable[[np.ndarray], np.ndarray], width: float
) -> np.ndarray:
    # reflected at 0 and 1 without end, a convolution is a product of cosine transforms
    damped = spectrum.copy()
    damped[1:] *= kernel(np.pi * np.arange(1, GRID_INTERVALS + 1) * width)
    return scipy.fft.idct(damped, 1)


def _gaussian(frequency: np.ndarray) -> np.ndarray:
    """Transform of the normal density of unit variance."""
    return np.exp(-(frequency**2) / 2)


def _triweight(frequency: np.ndarray) -> np.ndarray:
    """Transform of 35/32 (1 - u^2)^3 on [-1, 1], scaled to unit variance (its own is 1/9)."""
    f = 3 * frequency
    with np.errstate(over="ignore"):  # 1 / inf is the 0 that a wide kernel leaves
        waves = 105 * scipy.special.spherical_jn(3, f)
        # the quotient of two numbers near zero has no digits left; its limit is one
        return np.divide(waves, f**3, out=np.ones_like(f), where=f > 1e-3)


def _integral(values: np.ndarray) -> float:
    return float(values.sum() - (values[0] + values[-1]) / 2)
