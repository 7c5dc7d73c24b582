"""Calibration errors: a view, a grouping of its scores, and a norm over the gaps.

Every error is a fraction. All sums are float64, whatever the type of the probabilities.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.fft import dct, idct
from scipy.optimize import brentq
from scipy.special import ndtr, spherical_jn

from calib.bins import (
    MOST_BINS,
    Binning,
    EqualWidth,
    above_first_bin,
    check_binning,
    equal_mass,
    equal_width,
    group_by_score,
    mass_bins,
    rest_in_first_bin,
)
from calib.checks import (
    ENTRIES_AT_ONCE,
    check_choice,
    check_count,
    check_fraction,
    check_labels,
    check_nonnegative,
    check_probabilities,
    check_weights,
    columns,
    row_blocks,
)
from calib.docs import documented
from calib.views import View, top_label, view_pairs

GRID_INTERVALS = 1 << 13  # intervals of the grid on [0, 1] that the smooth errors use
FIRST_CELLS = 1 << 12  # intervals of [0, 1] that the cumulative error looks at first
PSCE_SCORES = np.arange(101) / 100  # scores at which the prediction specific error looks


@documented
def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    norm: str = "l1",
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Binned calibration error of a view.

    With :math:`D_b` the sum of hits minus the sum of scores in bin b, :math:`w_b` its weight (the
    count where there are no weights) and W the whole weight,

    .. math:: l_1 = \sum_b |D_b| / W, \quad l_2 = \sqrt{\sum_b D_b^2 / (w_b W)}, \quad
       \max = \max_b |D_b| / w_b .

    Parameters
    ----------
    %(pairs)s
    %(view)s
    bins : callable, optional
        Groups them, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    norm : {"l1", "l2", "max"}
        Weighted mean, root mean square or maximum of the gaps.
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    float
        A fraction, from 0 to 1.

    %(faults)s

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
    check_choice(norm, "norm", tuple(NORMS))
    binning = check_binning(bins, equal_width(15))
    return NORMS[norm](binning(*view_pairs(y_true, y_prob, view, sample_weight)))


@documented
def ece(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Expected calibration error: top label, bins of equal width, weighted mean gap.

    %(of the top label in bins)s

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
    Naeini et al. (2015); Guo et al. (2017), equation 3; Vasilev & D'yakonov (2021), equation 7.

    Examples
    --------
    >>> ece([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    >>> ece([0, 1], [0.25, 0.25])
    0.25
    """
    return _width_error(y_true, y_prob, n_bins, closed, "l1", sample_weight)


@documented
def mce(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Maximum calibration error: top label, bins of equal width, largest gap.

    %(of the top label in bins)s

    References
    ----------
    Naeini et al. (2015); Vasilev & D'yakonov (2021), equation 8.

    Examples
    --------
    >>> mce([0, 1, 1], [[0.9, 0.1], [0.75, 0.25], [0.25, 0.75]], n_bins=10)
    0.25
    """
    return _width_error(y_true, y_prob, n_bins, closed, "max", sample_weight)


@documented
def rmsce(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Root mean square calibration error: top label, bins of equal width, l2 norm.

    %(of the top label in bins)s

    References
    ----------
    Kumar et al. (2019), definition 2.3.

    Examples
    --------
    >>> rmsce([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    """
    return _width_error(y_true, y_prob, n_bins, closed, "l2", sample_weight)


@documented
def classwise_ece(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    closed: str = "right",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Classwise ECE, also called SCE: one class against the rest, mean over the classes.

    The weights of a class's bins are over all n samples. The mean is over all K columns, classes
    without samples included.

    Parameters
    ----------
    %(vectors)s
    n_bins : int
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.equal_width`.
    %(weighted float)s

    References
    ----------
    Kull et al. (2019); Nixon et al. (2019), section 5.1; Vasilev & D'yakonov (2021), equation 9.

    Examples
    --------
    >>> round(classwise_ece([0, 1], [[0.9, 0.1], [0.2, 0.8]]), 6)
    0.15
    """
    bins = equal_width(n_bins, closed)
    p = check_probabilities(y_prob)
    y = check_labels(y_true, p.shape[1], n=len(p))
    weight = check_weights(sample_weight, len(y))
    weight = np.ones(len(y)) if weight is None else weight
    gaps = np.zeros((p.shape[1], bins.n_bins))
    for start, rows in row_blocks(p):
        part = slice(start, start + len(rows))
        gaps += class_gaps(rows, bins)(y[part], weight[part])
    return classwise_norm(rest_in_first_bin(gaps), weight.sum())


sce = classwise_ece


@documented
def ace(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 15,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Adaptive calibration error: per class, mean gap of R ranges of equal mass.

    The plain mean of ``|acc - conf|`` over the K R ranges. Tied scores stay together, so that a
    range may be empty; it counts as zero.

    Parameters
    ----------
    %(vectors)s
    n_bins : int
        Number of ranges R per class. The paper does not print its own.
    %(weighted float)s

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
    return tace(y_true, y_prob, threshold=None, n_bins=n_bins, sample_weight=sample_weight)


@documented
def tace(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    threshold: float | None = 0.01,
    n_bins: int = 15,
    average: str = "ranges",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Thresholded adaptive calibration error: ACE over the scores above a threshold.

    Per class, only the scores strictly above the threshold enter, and the ranges hold equal shares
    of those. A class with no such score counts as zero.

    Parameters
    ----------
    %(vectors)s
    threshold : float or None
        None keeps all scores, zeros too.
    n_bins : int
        Number of ranges R per class.
    average : {"ranges", "kept", "samples"}
        What the gaps are divided by. "ranges": the plain mean over the K R ranges, as the paper
        prints it. "kept": within a class each gap is weighted by the range's share of the kept
        scores, as in the authors' released code. "samples": by its share of all n samples, which
        is smaller the fewer scores are kept.
    %(weighted float)s

    References
    ----------
    Nixon et al. (2019), section 5.3.

    Examples
    --------
    >>> round(tace([0, 1], [[0.9, 0.1], [0.2, 0.8]], threshold=0.15, n_bins=1), 6)
    0.125
    """
    if threshold is not None:
        check_nonnegative(threshold, "threshold")
    check_choice(average, "average", ("ranges", "kept", "samples"))
    check_count(n_bins, "n_bins", high=MOST_BINS)

    def error(score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> float:
        kept = slice(None) if threshold is None else score > np.float64(threshold)
        kept_weight = None if weight is None else weight[kept]
        kept_total = score[kept].size if kept_weight is None else kept_weight.sum()
        if kept_total == 0:
            return 0.0
        bins = mass_bins(score[kept], hit[kept], kept_weight, n_bins)
        if average == "ranges":
            return np.nansum(np.abs(bins.gap)) / n_bins
        whole = len(score) if weight is None else weight.sum()
        return np.abs(bins.gap_sum).sum() / (kept_total if average == "kept" else whole)

    return _class_mean(error, y_true, y_prob, sample_weight)


@documented
def psce_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    decay: float = 0.9,
    sample_weight: ArrayLike | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Frequency of hits near each of the scores 0.00, 0.01, ..., 1.00, by exponential decay.

    At each of the 101 grid points, the samples at or below it give one frequency and the samples
    at or above it another, each sample weighted by decay to the power of its distance in
    hundredths. The value is the mean of the two; a side without samples leaves it to the other.
    Each side is one pass over the grid: a point's sums are its own samples plus decay times the
    previous sums.

    Parameters
    ----------
    %(pairs)s
    view : callable
        ``one_vs_rest(k)`` gives the curve of class k.
    decay : float
        Weight, between 0 and 1, of a sample one hundredth away. The paper does not print it.
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    grid, curve : ndarray of float64, shape (101,)

    %(faults)s

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
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    return PSCE_SCORES.copy(), _psce_curve(*pairs, decay=decay)


@documented
def psce(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    decay: float = 0.9,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Prediction specific calibration error: mean distance of the scores from their curve.

    The mean over the samples of ``|curve(s) - s|``, the curve of :func:`psce_curve` interpolated
    linearly. The paper defines the curve only; this scalar is our choice.

    Parameters
    ----------
    %(pairs)s
    view : callable
        ``one_vs_rest(k)`` gives the error of class k.
    decay : float
        Weight, between 0 and 1, of a sample one hundredth away.
    %(weighted float)s

    References
    ----------
    Nixon et al. (2019), section 5.4 and appendix A.2.

    Examples
    --------
    >>> psce([1, 0], [0.75, 0.75])
    0.25
    """
    decay = _check_decay(decay)
    return _psce(*view_pairs(y_true, y_prob, view, sample_weight), decay=decay)


@documented
def classwise_psce(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    decay: float = 0.9,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Mean over the classes of :func:`psce`, one class against the rest.

    Parameters
    ----------
    %(vectors)s
    decay : float
        Weight, between 0 and 1, of a sample one hundredth away.
    %(weighted float)s

    Examples
    --------
    >>> classwise_psce([1, 0], [[0.25, 0.75], [0.25, 0.75]])
    0.25
    """
    decay = _check_decay(decay)
    return _class_mean(lambda *pairs: _psce(*pairs, decay=decay), y_true, y_prob, sample_weight)


@documented
def ks_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Kolmogorov-Smirnov calibration error: the largest gap of the cumulative sums.

    .. math:: \max_\sigma \Big| \frac{1}{n} \sum_{i: s_i \le \sigma} (h_i - s_i) \Big|

    The maximum is over thresholds, as in equations 9 and 10, so that tied scores move together and
    the order of the samples does not matter.

    %(of a view)s

    Returns
    -------
    float
        At least the difference of accuracy and mean score.

    %(faults)s

    References
    ----------
    Gupta et al. (2021), equations 9, 10 and 12.

    Examples
    --------
    >>> ks_error([0, 1, 1], [0.25, 0.5, 0.5])
    0.25
    """
    return _ks(*view_pairs(y_true, y_prob, view, sample_weight))


@documented
def classwise_ks(
    y_true: ArrayLike, y_prob: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean over the classes of :func:`ks_error`, one class against the rest.

    %(of vectors)s

    References
    ----------
    Gupta et al. (2021), equation 12, per class.

    Examples
    --------
    >>> classwise_ks([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    """
    return _class_mean(_ks, y_true, y_prob, sample_weight)


@documented
def smooth_ece(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    width: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Smooth ECE: the gaps smoothed by a Gaussian kernel before their absolute value is taken.

    .. math:: \mathrm{smECE}_\sigma = \int_0^1 \Big| \frac{1}{n} \sum_i K_\sigma(t, s_i)
       (h_i - s_i) \Big| \, dt

    with the kernel reflected at 0 and 1 without end. Without a `width`, the one that equals its own
    error is taken; there is exactly one, as the error falls when the width grows. Evaluated on a
    grid of 8192 intervals, on which the reflected kernel is a product of cosine transforms.

    Parameters
    ----------
    %(pairs)s
    %(view)s
    width : float, optional
        Standard deviation of the kernel. At infinity the error is ``|accuracy - mean score|``.
    %(weighted float)s

    References
    ----------
    Błasiok & Nakkiran (2023), equation 5 and algorithm 2.

    Examples
    --------
    >>> round(smooth_ece([1, 0], [0.75, 0.75]), 6)
    0.25
    """
    if width is not None and width != np.inf:
        check_nonnegative(width, "width")
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    gap, whole = _gaps(score, hit, weight)
    spectrum = dct(_on_grid(score, gap), 1) / whole

    def error(width: float) -> float:
        return _integral(np.abs(_smoothed(spectrum, _gaussian, width)))

    if width is None:
        most = 1 if error(1) <= 1 else 2  # scores may exceed one by rounding
        width = brentq(lambda w: error(w) - w, 0, most)
    return error(width)


@documented
def kde_ece(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bandwidth: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Calibration error by kernel density estimation.

    .. math:: \int_0^1 \big| t \hat f(t) - \hat g(t) \big| \, dt

    where f is the density of the scores and g that of the scores of hits (times the share of hits),
    both with a triweight kernel reflected at 0 and 1. Evaluated on a grid of 8192 intervals.

    Parameters
    ----------
    %(pairs)s
    %(view)s
    bandwidth : float, optional
        Standard deviation of the kernel; it reaches three of them. By default, as in the authors'
        released code, the standard deviation of the scores of hits times (2 n)^(-1/5), n being the
        number of samples, whatever their weights; that of all scores where there is no hit.
    %(weighted float)s

    References
    ----------
    Zhang, Kailkhura & Han (2020), Mix-n-Match, section 4.

    Examples
    --------
    >>> round(kde_ece([1, 0, 1, 1], [0.75, 0.75, 0.75, 0.75]), 6)
    0.0
    """
    if bandwidth is not None:
        check_nonnegative(bandwidth, "bandwidth")
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    weight = np.ones(len(score)) if weight is None else weight
    if bandwidth is None:
        spread = _std(score, weight * hit if (weight * hit).any() else weight)
        bandwidth = spread * (2 * len(score)) ** -0.2
    scores = _smoothed(dct(_on_grid(score, weight), 1), _triweight, bandwidth)
    hits = _smoothed(dct(_on_grid(score, weight * hit), 1), _triweight, bandwidth)
    t = np.linspace(0, 1, GRID_INTERVALS + 1)
    return _integral(np.abs(t * scores - hits)) / float(weight.sum())


@documented
def debiased_ece(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    norm: str = "l2",
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Binned calibration error less the bias that comes of finite bins.

    A bin's frequency of hits a has the variance a (1 - a) / n_b, so that gaps appear where there
    are none. "l2" subtracts an unbiased estimate of it from every squared gap,

    .. math:: \sqrt{\max\Big(0, \sum_b \frac{n_b}{n} \Big[ (a_b - c_b)^2 -
       \frac{a_b (1 - a_b)}{n_b - 1} \Big]\Big)} ,

    bins of one sample counting as zero. "l1" returns twice the plain error less the mean error if
    each a were drawn anew from a normal distribution with that mean and variance; the mean is taken
    in closed form (folded normal), so that no random numbers are needed. It may be negative.

    Parameters
    ----------
    %(pairs)s
    %(view)s
    bins : callable, optional
        See :mod:`calib.bins`; ``equal_mass(15)`` by default.
    norm : {"l2", "l1"}
    sample_weight : array_like of float, shape (n,), optional
        How often each sample is repeated: a bin's weight stands for its count.

    %(float)s

    References
    ----------
    Kumar et al. (2019), definition 5.1 ("l2") and section 5 ("l1"); Bröcker (2012).

    Examples
    --------
    >>> from calib import equal_mass
    >>> debiased_ece([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], bins=equal_mass(1))
    0.0
    """
    check_choice(norm, "norm", ("l1", "l2"))
    binning = check_binning(bins, equal_mass(15))
    b = binning(*view_pairs(y_true, y_prob, view, sample_weight))
    held = b.weight > (1 if norm == "l2" else 0)
    count, hit, gap = b.weight[held], b.mean_hit[held], b.gap[held]
    share = count / b.weight.sum()
    if norm == "l2":
        squares = gap**2 - hit * (1 - hit) / (count - 1)
        return float(np.sqrt(max(0.0, share @ squares)))
    redrawn = _mean_of_folded_normal(gap, np.sqrt(hit * (1 - hit) / count))
    return float(share @ (2 * np.abs(gap) - redrawn))


@documented
def sweep_ece(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    strategy: str = "mass",
    norm: str = "l1",
    sample_weight: ArrayLike | None = None,
    bins: Any = None,
) -> float:
    """Monotone-sweep ECE: as many bins as keep the frequencies of hits rising.

    The number of bins grows from one, to n or a million at most, until for the first time a bin has
    a lower frequency of hits than a bin of lower scores; the number before that is taken. Mostly
    that is soon; it takes O(n²) time where only a few samples among many ties break the order.

    Parameters
    ----------
    %(pairs)s
    %(view)s
    strategy : {"mass", "width"}
        Bins of equal mass or of equal width.
    norm : {"l1", "l2", "max"}
    sample_weight : array_like of float, shape (n,), optional
    bins : {equal_mass, equal_width}, optional
        The former name of `strategy`, until version 0.4.

    %(float)s

    References
    ----------
    Roelofs et al. (2022), algorithm 1.

    Examples
    --------
    >>> sweep_ece([0, 1, 0, 1], [0.25, 0.25, 0.75, 0.75])
    0.25
    """
    check_choice(norm, "norm", tuple(NORMS))
    if bins is not None:
        warnings.warn("sweep_ece: bins= is now strategy=", DeprecationWarning, stacklevel=2)
        if bins not in (equal_mass, equal_width):
            raise TypeError(f"bins: {bins!r}, expected equal_mass or equal_width")
        strategy = "mass" if bins is equal_mass else "width"
    check_choice(strategy, "strategy", ("mass", "width"))
    binning = equal_mass if strategy == "mass" else equal_width
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    most = min(len(pairs[0]), MOST_BINS)
    if _rises(*pairs):  # then so do the bins, however many
        return NORMS[norm](binning(most)(*pairs))
    chosen = binning(1)(*pairs)
    for n_bins in range(2, most + 1):
        finer = binning(n_bins)(*pairs)
        if (np.diff(finer.mean_hit[finer.weight > 0]) < 0).any():
            break
        chosen = finer
    return NORMS[norm](chosen)


def l1_norm(bins: Any) -> float:
    """Return the weighted mean gap of `bins`."""
    return float(np.abs(bins.gap_sum).sum() / bins.weight.sum())


def l2_norm(bins: Any) -> float:
    """Return the weighted root mean square gap of `bins`."""
    held = bins.weight > 0
    squares = bins.gap_sum[held] ** 2 / bins.weight[held]
    return float(np.sqrt(squares.sum() / bins.weight.sum()))


def max_norm(bins: Any) -> float:
    """Return the largest gap of `bins`."""
    held = bins.weight > 0
    return float((np.abs(bins.gap_sum[held]) / bins.weight[held]).max())


NORMS = {"l1": l1_norm, "l2": l2_norm, "max": max_norm}


def class_gaps(p: np.ndarray, bins: EqualWidth) -> Callable[[np.ndarray, np.ndarray], Any]:
    """Return the sums of gaps in the bins of each class, (K, M), from labels and weights.

    The first column is the sum of all bins, see :func:`calib.bins.rest_in_first_bin`.
    """
    row, k, score, bin_of = above_first_bin(p, bins)
    p = p.astype(np.float64, copy=False)
    place, shape = bins.n_bins * k + bin_of, (p.shape[1], bins.n_bins)

    def gaps(y: np.ndarray, weight: np.ndarray) -> np.ndarray:
        gap = np.bincount(place, weight[row] * ((y[row] == k) - score), shape[0] * shape[1])
        gap = gap.reshape(shape).astype(np.float64, copy=False)  # integers where none is counted
        gap[:, 0] = np.bincount(y, weight, len(gap)) - weight @ p
        return gap

    return gaps


def classwise_norm(gap: np.ndarray, whole: float) -> float:
    """Return the mean over the classes of the weighted mean gap, of sums of gaps (K, M)."""
    return float(np.abs(gap).sum() / (len(gap) * whole))


def _width_error(
    y_true: Any, y_prob: Any, n_bins: int, closed: str, norm: str, sample_weight: Any
) -> float:
    return calibration_error(
        y_true,
        y_prob,
        bins=equal_width(n_bins, closed),
        norm=norm,
        sample_weight=sample_weight,
    )


def _class_mean(error: Callable[..., Any], y_true: Any, y_prob: Any, sample_weight: Any) -> float:
    """Return the mean over the classes of ``error(score, hit, weight)``, one against the rest."""
    p = check_probabilities(y_prob)
    y = check_labels(y_true, p.shape[1], n=len(p))
    weight = check_weights(sample_weight, len(y))
    return float(np.mean([error(score, y == k, weight) for k, score in enumerate(columns(p))]))


def rising_scores(score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of rising scores, and the places in it where tied scores end."""
    order = np.argsort(score, kind="stable")
    return order, np.flatnonzero(np.diff(score[order], append=np.inf))


def _ks(score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> float:
    score = score.astype(np.float64, copy=False)
    gap, whole = _gaps(score, hit, weight)
    if len(score) > 4 * FIRST_CELLS:
        score, gap = _merge(score, gap)
    order, last_of_ties = rising_scores(score)
    return float(largest_sum(gap, order, last_of_ties) / whole)


def _gaps(
    score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None
) -> tuple[np.ndarray, float]:
    """Return the weighted gap of each sample, and the whole weight."""
    gap = hit - score
    return (gap, len(gap)) if weight is None else (weight * gap, weight.sum())


def largest_sum(gap: np.ndarray, order: np.ndarray, last_of_ties: np.ndarray) -> float:
    """Return the largest absolute cumulative sum of gaps in an order, where ties end."""
    return np.abs(np.cumsum(gap[order])[last_of_ties]).max()


def _merge(score: Any, gap: Any) -> Any:
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
    kept = ~merged[cell]
    cells = np.flatnonzero(merged)
    return np.append(score[kept], cells / FIRST_CELLS), np.append(gap[kept], (rise + fall)[cells])


def _psce_curve(
    score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None, *, decay: float
) -> np.ndarray:
    weight = np.ones(len(score)) if weight is None else weight
    at_or_above = np.minimum(np.searchsorted(PSCE_SCORES, score, side="left"), 100)
    at_or_below = np.searchsorted(PSCE_SCORES, score, side="right") - 1
    sides = []
    for node, step in ((at_or_above, 1), (at_or_below, -1)):
        share = weight * decay ** (100 * np.abs(PSCE_SCORES[node] - score))
        hits = _accumulate(np.bincount(node, share * hit, 101)[::step], decay)[::step]
        total = _accumulate(np.bincount(node, share, 101)[::step], decay)[::step]
        sides.append(np.divide(hits, total, out=np.full(101, np.nan), where=total > 0))
    return np.nanmean(sides, axis=0)


def _accumulate(values: np.ndarray, decay: float) -> np.ndarray:
    for j in range(1, len(values)):
        values[j] += decay * values[j - 1]
    return values


def _psce(score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None, *, decay: float) -> float:
    score = score.astype(np.float64, copy=False)
    curve = _psce_curve(score, hit, weight, decay=decay)
    return float(np.average(np.abs(np.interp(score, PSCE_SCORES, curve) - score), weights=weight))


def _rises(score: np.ndarray, hit: np.ndarray, weight: np.ndarray | None) -> bool:
    """Return whether the frequency of hits never falls from one score to the next."""
    _, total, hits = group_by_score(score, hit, weight)
    return bool((np.diff(hits[total > 0] / total[total > 0]) >= 0).all())


def _on_grid(score: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Share each sample's mass between the two nodes beside it; an end is its own mirror image."""
    nodes = np.zeros(GRID_INTERVALS + 1)
    for start in range(0, len(score), ENTRIES_AT_ONCE):
        part = slice(start, start + ENTRIES_AT_ONCE)
        place = np.minimum(score[part], 1) * GRID_INTERVALS
        node = np.minimum(place.astype(np.intp), GRID_INTERVALS - 1)
        whole = np.bincount(node, mass[part], GRID_INTERVALS)
        right = np.bincount(node, mass[part] * (place - node), GRID_INTERVALS)
        nodes[:-1] += whole - right
        nodes[1:] += right
    nodes[[0, -1]] *= 2
    return nodes


def _smoothed(spectrum: np.ndarray, kernel: Callable[..., Any], width: float) -> np.ndarray:
    damped = spectrum.copy()
    damped[1:] *= kernel(np.pi * np.arange(1, GRID_INTERVALS + 1) * width)
    return idct(damped, 1)


def _gaussian(frequency: np.ndarray) -> np.ndarray:
    return np.exp(-(frequency**2) / 2)


def _triweight(frequency: np.ndarray) -> np.ndarray:
    """Transform of 35/32 (1 - u^2)^3 on [-1, 1], scaled to unit variance (its own is 1/9)."""
    f = 3 * np.asarray(frequency)
    with np.errstate(over="ignore"):  # 1 / inf is the 0 that a wide kernel leaves
        return np.divide(105 * spherical_jn(3, f), f**3, out=np.ones_like(f), where=f > 1e-3)


def _check_decay(decay: float) -> float:
    if not 1e-6 <= check_fraction(decay, "decay"):  # smaller powers of it vanish in float64
        raise ValueError(f"decay: {decay!r}, expected at least 1e-6")
    return decay


def _integral(values: np.ndarray) -> float:
    return float(values.sum() - (values[0] + values[-1]) / 2)


def _std(values: np.ndarray, weight: np.ndarray) -> float:
    mean = np.average(values, weights=weight)
    return np.sqrt(np.average((values - mean) ** 2, weights=weight))


def _mean_of_folded_normal(mean: Any, std: Any) -> Any:
    """Return E|X| for X normal."""
    mean = np.abs(mean)
    z = np.divide(mean, std, out=np.full_like(mean, np.inf), where=std > 0)
    return std * np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2) + mean * (1 - 2 * ndtr(-z))
