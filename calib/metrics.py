"""Binned calibration errors and proper scores.

A calibration error is a view, a grouping of its scores, and a norm over the gaps. Every error is a
fraction. All sums are float64, whatever the type of the probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.bins import (
    MOST_BINS,
    NORMS,
    Binning,
    Bins,
    ClassEntries,
    DrawnMetric,
    EqualMass,
    EqualWidth,
    ErrorInBins,
    check_binning,
    equal_width,
    group,
    group_by_score,
    narrowest_type,
)
from calib.check import Pairs, Vectors, Weights
from calib.matrices import columns, label_positions, row_blocks
from calib.registry import metric
from calib.views import View, top_label, view_pairs

SCORES_AT_ONCE = 1 << 16  # of a sweep, over rows of all scores
Blocks = Callable[[np.ndarray], Iterator[tuple[int, np.ndarray]]]
# probabilities up to which the classwise ECE is kept as sums
CLASSWISE_ENTRIES = 1 << 24


@ErrorInBins
def _calibration_error(bins: Binning | None, norm: str) -> tuple[Binning, str]:
    return check_binning(bins, equal_width(15)), norm


@ErrorInBins
def _ece(n_bins: int, closed: str) -> tuple[Binning, str]:
    return equal_width(n_bins, closed), "l1"


@ErrorInBins
def _mce(n_bins: int, closed: str) -> tuple[Binning, str]:
    return equal_width(n_bins, closed), "max"


@ErrorInBins
def _rmsce(n_bins: int, closed: str) -> tuple[Binning, str]:
    return equal_width(n_bins, closed), "l2"


@metric("calibration error", _calibration_error, reads="pairs")
def calibration_error(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    norm: str = "l1",
    sample_weight: Weights = None,
) -> float:
    r"""Binned calibration error of a view.

    With :math:`D_b` the sum of hits minus the sum of scores in bin b, :math:`w_b` its weight (the
    count where there are no weights) and W the whole weight,

    .. math:: l_1 = \sum_b |D_b| / W, \quad l_2 = \sqrt{\sum_b D_b^2 / (w_b W)}, \quad
       \max = \max_b |D_b| / w_b .

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    bins : callable, optional
        Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    norm : {"l1", "l2", "max"}
        Weighted mean, root mean square or maximum of the gaps.
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
    Guo et al. (2017); Kumar et al. (2019); Vasilev & D'yakonov (2021), equations 7 to 9.

    Examples
    --------
    >>> from calib import equal_mass, top_r
    >>> y_prob = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.1, 0.4]]
    >>> round(calibration_error([0, 1, 2], y_prob, view=top_r(2), bins=equal_mass(1)), 6)
    0.033333
    """
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    return _calibration_error(pairs, bins=bins, norm=norm)


@metric("ECE, 15 bins", _ece, reads="pairs")
def ece(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: Weights = None,
) -> float:
    """Expected calibration error: top label, bins of equal width, weighted mean gap.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    n_bins : int
        Number of bins M, at most a million.
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.equal_width`.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Notes
    -----
    Of two classes, both columns give the error of the top label, the second column alone that of
    the second class, which is another number. A scorer that scikit-learn's ``make_scorer`` makes is
    handed that one column, and labels that may be names. This one is right of any number of classes
    and any labels, as ``scoring=negative_ece``:

    >>> def negative_ece(model, X, y):
    ...     column = {name: k for k, name in enumerate(model.classes_)}
    ...     return -ece([column[name] for name in y], model.predict_proba(X))

    References
    ----------
    Naeini et al. (2015); Guo et al. (2017), equation 3; Vasilev & D'yakonov (2021),
    equation 7.

    Examples
    --------
    >>> ece([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    >>> ece([0, 1], [0.25, 0.25])
    0.25
    """
    pairs = view_pairs(y_true, y_prob, top_label, sample_weight)
    return _ece(pairs, n_bins=n_bins, closed=closed)


@metric("MCE", _mce, reads="pairs")
def mce(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: Weights = None,
) -> float:
    """Maximum calibration error: top label, bins of equal width, largest gap.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    n_bins : int
        Number of bins M, at most a million.
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.equal_width`.
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
    Naeini et al. (2015); Vasilev & D'yakonov (2021), equation 8.

    Examples
    --------
    >>> mce([0, 1, 1], [[0.9, 0.1], [0.75, 0.25], [0.25, 0.75]], n_bins=10)
    0.25
    """
    pairs = view_pairs(y_true, y_prob, top_label, sample_weight)
    return _mce(pairs, n_bins=n_bins, closed=closed)


@metric("RMSCE", _rmsce, reads="pairs")
def rmsce(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: Weights = None,
) -> float:
    """Root mean square calibration error: top label, bins of equal width, l2 norm.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    n_bins : int
        Number of bins M, at most a million.
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.equal_width`.
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
    Kumar et al. (2019), definition 2.3.

    Examples
    --------
    >>> rmsce([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    """
    pairs = view_pairs(y_true, y_prob, top_label, sample_weight)
    return _rmsce(pairs, n_bins=n_bins, closed=closed)


def class_gaps(
    p: np.ndarray, bins: EqualWidth
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Return the sums of gaps in the bins of each class, (K, M), from labels and weights.

    In the first column is the sum of all bins, see :meth:`calib.bins.ClassEntries.sums`.
    """
    entries, p = bins.class_entries(p), p.astype(np.float64, copy=False)

    def gaps(y: np.ndarray, weight: np.ndarray) -> np.ndarray:
        hit = y[entries.row] == entries.label
        whole = np.bincount(y, weight, entries.n_classes) - weight @ p
        return entries.sums(weight[entries.row] * (hit - entries.score), whole)

    return gaps


def classwise_norm(gap: np.ndarray, whole: float) -> float:
    """Return the mean over the classes of the weighted mean gap, of the sums of `class_gaps`."""
    gap = ClassEntries.first_bin_apart(gap)
    return float(np.abs(gap).sum() / (len(gap) * whole))


def _prepare_classwise(p: np.ndarray, n_bins: int, closed: str) -> DrawnMetric | None:
    if p.size > CLASSWISE_ENTRIES:
        return None
    gaps = class_gaps(p, equal_width(n_bins, closed))
    return lambda y, weight: classwise_norm(gaps(y, weight), weight.sum())


def classwise(error: Callable[[Pairs], float], vectors: Vectors) -> float:
    """Return the mean over the classes of an error of pairs, one class against the rest."""
    y, p, weight = vectors
    each = [error(Pairs(score, y == k, weight)) for k, score in enumerate(columns(p))]
    return float(np.mean(each))


def _classwise_ece(vectors: Vectors, n_bins: int, closed: str) -> float:
    (y, p, weight), bins = vectors, equal_width(n_bins, closed)
    weight = np.ones(len(y)) if weight is None else weight
    gaps = np.zeros((p.shape[1], n_bins))
    for start, rows in row_blocks(p):
        block = slice(start, start + len(rows))
        gaps += class_gaps(rows, bins)(y[block], weight[block])
    return classwise_norm(gaps, weight.sum())


@metric(
    "classwise ECE",
    _classwise_ece,
    reads="vectors",
    kind="errors of classes",
    prepare_draws=_prepare_classwise,
)
def classwise_ece(
    y_true: ArrayLike | Vectors,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: Weights = None,
) -> float:
    """Classwise ECE, also called SCE: one class against the rest, mean over the classes.

    The weights of a class's bins are over all n samples. The mean is over all K columns, classes
    without samples included.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.
    n_bins : int
        Number of bins M, at most a million.
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.equal_width`.
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
    Kull et al. (2019); Nixon et al. (2019), section 5.1; Vasilev & D'yakonov (2021),
    equation 9.

    Examples
    --------
    >>> round(classwise_ece([0, 1], [[0.9, 0.1], [0.2, 0.8]]), 6)
    0.15
    """
    return _classwise_ece(check.vectors(y_true, y_prob, sample_weight), n_bins, closed)


sce = classwise_ece


def _ace(vectors: Vectors, n_bins: int) -> float:
    return _tace(vectors, None, n_bins, "ranges")


def _tace(
    vectors: Vectors, threshold: float | None, n_bins: int, average: str
) -> float:
    if threshold is not None:
        check.nonnegative(threshold, "threshold")
    check.choice(average, "average", ("ranges", "kept", "samples"))
    n_bins = check.count(n_bins, "n_bins", high=MOST_BINS)
    return classwise(
        lambda pairs: _adaptive(pairs, threshold, n_bins, average), vectors
    )


@metric("ACE", _ace, reads="vectors", kind="errors of classes")
def ace(
    y_true: ArrayLike | Vectors,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    sample_weight: Weights = None,
) -> float:
    """Adaptive calibration error: per class, mean gap of R ranges of equal mass.

    The plain mean of ``|acc - conf|`` over the K R ranges. Tied scores stay together, so that a
    range may be empty; it counts as zero.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.
    n_bins : int
        Number of ranges R per class. The paper does not print its own.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Notes
    -----
    Two other things are called ACE in libraries: the top-label error with bins of equal mass, which
    is ``calibration_error(y_true, y_prob, bins=equal_mass(15))``, and the plain mean of the
    top-label gaps over the bins of equal width that hold samples.

    References
    ----------
    Nixon et al. (2019), section 5.2.

    Examples
    --------
    >>> round(ace([0, 1], [[0.9, 0.1], [0.2, 0.8]], n_bins=2), 6)
    0.15
    """
    return _ace(check.vectors(y_true, y_prob, sample_weight), n_bins)


@metric("TACE, threshold 0.01", _tace, reads="vectors", kind="errors of classes")
def tace(
    y_true: ArrayLike | Vectors,
    y_prob: ArrayLike,
    *,
    threshold: float | None = 0.01,
    n_bins: int = 15,
    average: str = "ranges",
    sample_weight: Weights = None,
) -> float:
    """Thresholded adaptive calibration error: ACE over the scores above a threshold.

    Per class, only the scores strictly above the threshold enter, and the ranges hold equal shares
    of those. A class with no such score counts as zero.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.
    threshold : float or None
        None keeps all scores, zeros too.
    n_bins : int
        Number of ranges R per class.
    average : {"ranges", "kept", "samples"}
        What the gaps are divided by. "ranges": the plain mean over the K R ranges, as the paper
        prints it. "kept": within a class each gap is weighted by the range's share of the kept
        scores, as in the authors' released code. "samples": by its share of all n samples, which
        is smaller the fewer scores are kept.
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
    Nixon et al. (2019), section 5.3.

    Examples
    --------
    >>> round(tace([0, 1], [[0.9, 0.1], [0.2, 0.8]], threshold=0.15, n_bins=1), 6)
    0.125
    """
    vectors = check.vectors(y_true, y_prob, sample_weight)
    return _tace(vectors, threshold, n_bins, average)


def _adaptive(
    pairs: Pairs, threshold: float | None, n_bins: int, average: str
) -> float:
    above = pairs if threshold is None else _above(pairs, threshold)
    total_above = _whole_weight(above)
    if total_above == 0:
        return 0.0
    bins = EqualMass(n_bins).group_checked(above)
    if average == "ranges":
        # an empty range counts as zero, and as a range all the same
        return np.nansum(np.abs(bins.gap)) / n_bins
    whole = total_above if average == "kept" else _whole_weight(pairs)
    return np.abs(bins.gap_sum).sum() / whole


def _above(pairs: Pairs, threshold: float) -> Pairs:
    """Return the pairs whose score is above a threshold."""
    score, hit, weight = pairs
    # compared as edges are: in the type of the scores
    rows = score > np.float64(narrowest_type(score)(threshold))
    return Pairs(score[rows], hit[rows], None if weight is None else weight[rows])


def _whole_weight(pairs: Pairs) -> float:
    """Return the sum of the weights, the number of pairs where there are none."""
    return len(pairs.score) if pairs.weight is None else pairs.weight.sum()


def _debiased_ece(
    pairs: Pairs, bins: Binning | None, norm: str, frequency_weights: bool
) -> float:
    check.choice(norm, "norm", ("l1", "l2"))
    check.flag(frequency_weights, "frequency_weights")
    b = group(bins, EqualMass(), pairs)
    counts = b.weight if frequency_weights else _effective_counts(pairs, b)
    # a bin of one sample says nothing of its variance: it counts as zero
    used = counts > (1 if norm == "l2" else 0)
    count, frequency, gap = counts[used], b.mean_hit[used], np.abs(b.gap[used])
    share, variance = b.weight[used] / b.weight.sum(), frequency * (1 - frequency)
    if norm == "l2":
        return float(np.sqrt(max(0.0, share @ (gap**2 - variance / (count - 1)))))
    return float(share @ (2 * gap - _redrawn(gap, np.sqrt(variance / count))))


def _redrawn(gap: np.ndarray, std: np.ndarray) -> np.ndarray:
    """Return the mean of each bin's ``|gap|`` if its frequency were drawn anew, in closed form.

    Kumar et al. (2019), section 5.
    """
    # where all hits of a bin are alike nothing is drawn anew: the mean is the gap itself
    z = np.divide(gap, std, out=np.full_like(gap, np.inf), where=std > 0)
    redrawn = std * np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2)
    redrawn += gap * (1 - 2 * scipy.special.ndtr(-z))
    return redrawn


@metric("debiased l2 error", _debiased_ece, reads="pairs", weights_repeat=False)
def debiased_ece(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    norm: str = "l2",
    sample_weight: Weights = None,
    frequency_weights: bool = False,
) -> float:
    r"""Binned calibration error less the bias that comes of finite bins.

    A bin's frequency of hits a has the variance a (1 - a) / n_b, so that gaps appear where there
    are none. "l2" subtracts an unbiased estimate of it from every squared gap,

    .. math:: \sqrt{\max\Big(0, \sum_b \frac{n_b}{n} \Big[ (a_b - c_b)^2 -
       \frac{a_b (1 - a_b)}{n_b - 1} \Big]\Big)} ,

    bins of one sample counting as zero. Of weighted samples n_b is Kish's number, which only the
    ratios of the weights matter to. "l1" returns twice the plain error less the mean error if
    each a were drawn anew from a normal distribution with that mean and variance; the mean is taken
    in closed form (folded normal), so that no random numbers are needed. It may be negative.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    bins : callable, optional
        See :mod:`calib.bins`; ``equal_mass(15)`` by default.
    norm : {"l2", "l1"}
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
    Kumar et al. (2019), definition 5.1 ("l2") and section 5 ("l1"); Bröcker (2012).

    Examples
    --------
    >>> from calib import equal_mass
    >>> debiased_ece([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], bins=equal_mass(1))
    0.0
    """
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    return _debiased_ece(pairs, bins, norm, frequency_weights)


def _effective_counts(pairs: Pairs, bins: Bins) -> np.ndarray:
    """Return Kish's number of samples in each bin, the squared sum of weights over that of squares.

    Of equal weights it is the count.
    """
    if pairs.weight is None:
        return bins.weight
    bin_of, n_bins = bins.assign(pairs.score), len(bins.weight)
    squares = np.bincount(bin_of, pairs.weight**2, n_bins)
    return np.divide(bins.weight**2, squares, out=np.zeros(n_bins), where=squares > 0)


def _sweep_ece(pairs: Pairs, norm: str) -> float:
    check.choice(norm, "norm", tuple(NORMS))
    n_bins = _most_rising_bins(pairs, min(len(pairs.score), MOST_BINS))
    chosen = EqualMass(n_bins).group_checked(pairs)
    return NORMS[norm](chosen.gap_sum, chosen.weight)


@metric("ECE, monotone sweep", _sweep_ece, reads="pairs", weights_repeat=False)
def sweep_ece(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    norm: str = "l1",
    sample_weight: Weights = None,
) -> float:
    """Monotone-sweep ECE: as many bins of equal mass as keep the frequencies of hits rising.

    The number of bins grows from one, to n or a million at most, until for the first time a bin has
    a lower frequency of hits than a bin of lower scores; the number before that is taken. Mostly
    that is soon; where only a few samples among many ties break the order it takes time in
    proportion to the number of bins, times that of different scores.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    norm : {"l1", "l2", "max"}
        Weighted mean, root mean square or maximum of the gaps.
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
    Roelofs et al. (2022), algorithm 1.

    Examples
    --------
    >>> sweep_ece([0, 1, 0, 1], [0.25, 0.25, 0.75, 0.75])
    0.25
    """
    return _sweep_ece(view_pairs(y_true, y_prob, view, sample_weight), norm)


def _most_rising_bins(pairs: Pairs, most: int) -> int:
    """Return how many bins of equal mass, at most, keep the frequencies of hits rising."""
    _, total, hits = group_by_score(*pairs)
    filled = total > 0
    if (np.diff(hits[filled] / total[filled]) >= 0).all():
        # then so in bins, however many
        return most
    if pairs.weight is None:
        falls = _falls(total.astype(np.int64), hits.astype(np.int64), most)
    else:
        falls = _falls_of_weighted(pairs, most)
    return next((n_bins - 1 for n_bins, fall in falls if fall), most)


def _falls_of_weighted(pairs: Pairs, most: int) -> Iterator[tuple[int, bool]]:
    """Yield numbers of bins, from two on, and whether a frequency is below the one before."""
    for n_bins in range(2, most + 1):
        finer = EqualMass(n_bins).group_checked(pairs)
        yield n_bins, bool((np.diff(finer.mean_hit[finer.weight > 0]) < 0).any())


def _falls(
    total: np.ndarray, hits: np.ndarray, most: int
) -> Iterator[tuple[int, bool]]:
    """Yield the same from the numbers of samples and of hits of each distinct score.

    The bin of a score is floor(M r / n), with r samples below it.
    """
    n, n_scores = int(total.sum()), len(total)
    below = np.cumsum(total) - total
    for n_bins in range(2, min(n_scores, most) + 1):
        # the first score of each bin is looked up
        # the first rank of bin m is the ceiling of m n / M
        ranks = -(-np.arange(1, n_bins) * n // n_bins)
        first = np.searchsorted(below, ranks)
        yield n_bins, _some_fall(np.append(0, first[first < n_scores]), total, hits)[0]
    # of few scores many numbers of bins are looked at together
    at_once = max(1, SCORES_AT_ONCE // n_scores)
    for start in range(n_scores + 1, most + 1, at_once):
        numbers = np.arange(start, min(start + at_once, most + 1))
        bin_of = numbers[:, None] * below // n
        first = np.flatnonzero(np.diff(bin_of, axis=1, prepend=-1) > 0)
        of_rows = np.tile(total, len(numbers)), np.tile(hits, len(numbers))
        falls = _some_fall(first, *of_rows, len(numbers))
        yield from zip(numbers.tolist(), falls, strict=True)


def _some_fall(
    first: np.ndarray, total: np.ndarray, hits: np.ndarray, n_rows: int = 1
) -> list[bool]:
    """Tell, of rows of scores one after the other, in which of them a frequency falls.

    `first` are the positions at which bins begin, among them that of each row.
    """
    first = np.unique(first)
    count, hit = np.add.reduceat(total, first), np.add.reduceat(hits, first)
    row = first * n_rows // len(total)
    fall = (hit[1:] / count[1:] < hit[:-1] / count[:-1]) & (row[1:] == row[:-1])
    falls: list[bool] = (np.bincount(row[1:][fall], minlength=n_rows) > 0).tolist()
    return falls


def mean_of(loss: np.ndarray, weight: np.ndarray | None) -> float:
    """Return the mean of losses, shape (n,); weights of None are equal."""
    return float(np.average(loss, weights=weight))


def _log_loss(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    # a label of probability zero has an infinite loss, as the definition says
    with np.errstate(divide="ignore"):
        return -np.log(rows.take(labels, mode="clip"), dtype=np.float64)


def _squared_distance(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    off = rows.astype(np.float64, order="C")
    off.reshape(-1)[labels] -= 1
    # a product with ones sums short rows quicker than numpy does
    return np.square(off, out=off) @ np.ones(rows.shape[1])


def _per_sample(
    loss_of: Callable[[np.ndarray, np.ndarray], np.ndarray],
    vectors: Vectors,
    blocks: Blocks = row_blocks,
) -> np.ndarray:
    """Return ``loss_of(rows, positions of the labels)``, shape (n,), block by block."""
    y, p, _ = vectors
    loss = np.empty(len(y))
    for start, rows in blocks(p):
        block = slice(start, start + len(rows))
        loss[block] = loss_of(rows, label_positions(rows, y[block]))
    return loss


def log_losses(vectors: Vectors) -> np.ndarray:
    """Return -log of each label's probability, of what is checked."""
    return _per_sample(_log_loss, vectors)


def _nll(vectors: Vectors) -> float:
    loss, weight = log_losses(vectors), vectors.weight
    # an infinite loss of weight zero would make the mean a NaN
    return mean_of(loss if weight is None else np.where(weight > 0, loss, 0), weight)


@metric("NLL", _nll, reads="vectors", kind="mean", largest=inf)
def nll(
    y_true: ArrayLike | Vectors, y_prob: ArrayLike, *, sample_weight: Weights = None
) -> float:
    """Negative log-likelihood: the mean of -log of the label's probability, in nats.

    Infinite where a label of positive weight has probability zero: nothing is clipped.

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
    Vasilev & D'yakonov (2021), equation 10.

    Examples
    --------
    >>> round(nll([0, 1], [[0.5, 0.5], [0.75, 0.25]]), 6)
    1.039721
    """
    return _nll(check.vectors(y_true, y_prob, sample_weight))


def nll_per_sample(y_true: ArrayLike | Vectors, y_prob: ArrayLike) -> np.ndarray:
    """Return what each sample adds to :func:`nll`: -log of the label's probability, in nats.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> nll_per_sample([0, 1], [[0.5, 0.5], [1.0, 0.0]]).round(4)
    array([0.6931,    inf])
    """
    return log_losses(check.vectors(y_true, y_prob))


def _brier(vectors: Vectors, blocks: Blocks = row_blocks) -> float:
    return mean_of(_per_sample(_squared_distance, vectors, blocks), vectors.weight)


@metric("Brier", _brier, reads="vectors", kind="mean", largest=2.0)
def brier(
    y_true: ArrayLike | Vectors, y_prob: ArrayLike, *, sample_weight: Weights = None
) -> float:
    """Brier score: the squared distance of the probabilities from the label, summed over classes.

    It is from 0 to 2; for two classes it is twice the score of the binary convention.

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
    Brier (1950); Vasilev & D'yakonov (2021), equation 11.

    Examples
    --------
    >>> brier([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.8125
    """
    # rows are checked when their losses are taken: all is read once
    vectors = check.vectors(y_true, y_prob, sample_weight, rows=False)
    return _brier(vectors, check.probability_blocks)


def brier_per_sample(y_true: ArrayLike | Vectors, y_prob: ArrayLike) -> np.ndarray:
    """Return what each sample adds to :func:`brier`, from 0 to 2.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> brier_per_sample([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    array([0.5  , 1.125])
    """
    return _per_sample(_squared_distance, check.vectors(y_true, y_prob))


def _top1_brier(pairs: Pairs) -> float:
    return mean_of((pairs.hit - pairs.score) ** 2, pairs.weight)


@metric("top-1 Brier", _top1_brier, reads="pairs", kind="mean", largest=1.0)
def top1_brier(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> float:
    """Top-1 Brier score: the mean squared difference of the confidence and the hit.

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
    Gupta et al. (2021), Table 7.

    Examples
    --------
    >>> top1_brier([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.40625
    """
    return _top1_brier(view_pairs(y_true, y_prob, view, sample_weight))


def _accuracy(pairs: Pairs) -> float:
    return mean_of(pairs.hit, pairs.weight)


@metric("accuracy", _accuracy, reads="pairs", kind="share")
def accuracy(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> float:
    """Accuracy: the share of hits, of labels that are the predicted class.

    Of tied classes the first is predicted. Hits that come with scores are counted as they stand: of
    two classes pass both columns, since with ``y_prob[:, 1]`` alone the labels would be taken for
    hits. The view ``within_top_r(r)`` gives the top-r accuracy.

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

    Examples
    --------
    >>> accuracy([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.5
    >>> accuracy([1, 1, 0, 1], [0.9, 0.4, 0.8, 0.6])  # of hits
    0.75
    """
    return _accuracy(view_pairs(y_true, y_prob, view, sample_weight))
