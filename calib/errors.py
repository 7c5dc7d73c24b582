"""Calibration errors: a view, a grouping of its scores, and a norm over the gaps."""

import numpy as np

from calib.bins import equal_width
from calib.checks import check_choice, check_labels, check_probabilities, check_weights
from calib.views import top_label

NORMS = ("l1", "l2", "max")


def calibration_error(y_true, y_prob, *, view=top_label, bins=None, norm="l1", sample_weight=None):
    r"""Binned calibration error of a view.

    With D_b = sum of hits - sum of scores in bin b, w_b its weight and W the whole weight,

    .. math:: l_1 = \sum_b |D_b| / W, \quad l_2 = \sqrt{\sum_b D_b^2 / (w_b W)}, \quad
       \max = \max_b |D_b| / w_b .

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or the scores of pairs.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    bins : callable, optional
        Groups them, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    norm : {"l1", "l2", "max"}
        Weighted mean, root mean square or maximum of the gaps.
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    float
        A fraction, from 0 to 1.

    Raises
    ------
    ValueError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Guo et al. (2017); Vasilev & D'yakonov (2021), equations 7 to 9; Kumar et al. (2019).

    Examples
    --------
    >>> from calib import equal_mass, top_r
    >>> y_prob = [[0.6, 0.3, 0.1], [0.2, 0.7, 0.1], [0.5, 0.1, 0.4]]
    >>> round(calibration_error([0, 1, 2], y_prob, view=top_r(2), bins=equal_mass(1)), 6)
    0.033333
    """
    check_choice(norm, "norm", NORMS)
    score, hit = view(y_true, y_prob)
    weight = check_weights(sample_weight, len(score))
    binning = equal_width() if bins is None else bins
    return NORM[norm](binning(score, hit, weight))


def ece(y_true, y_prob, *, n_bins=15, closed="right", sample_weight=None):
    """Expected calibration error: top label, bins of equal width, mean gap.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or the scores of pairs.
    n_bins : int
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.bins.equal_width`.
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Naeini et al. (2015); Guo et al. (2017), equation 3; Vasilev & D'yakonov (2021), equation 7.

    Examples
    --------
    >>> ece([0, 1], [[0.75, 0.25], [0.75, 0.25]])
    0.25
    """
    return calibration_error(
        y_true, y_prob, bins=equal_width(n_bins, closed), sample_weight=sample_weight
    )


def mce(y_true, y_prob, *, n_bins=15, closed="right", sample_weight=None):
    """Maximum calibration error: top label, bins of equal width, largest gap.

    Parameters, errors: see :func:`ece`.

    Returns
    -------
    float

    References
    ----------
    Naeini et al. (2015); Vasilev & D'yakonov (2021), equation 8.

    Examples
    --------
    >>> mce([0, 1, 1, 0], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.4, 0.6]], n_bins=10)
    0.8
    """
    return calibration_error(
        y_true, y_prob, bins=equal_width(n_bins, closed), norm="max", sample_weight=sample_weight
    )


def classwise_ece(y_true, y_prob, *, n_bins=15, closed="right", sample_weight=None):
    """Classwise ECE, also called SCE: one class against the rest, mean over the classes.

    The weights of a class's bins are over all n samples. The mean is over all K columns, classes
    without samples included.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K)
    n_bins : int
    closed : {"right", "left"}
        Which end of a bin belongs to it, see :func:`calib.bins.equal_width`.
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Kull et al. (2019); Nixon et al. (2019), section 5.1; Vasilev & D'yakonov (2021), equation 9.

    Examples
    --------
    >>> round(classwise_ece([0, 1], [[0.9, 0.1], [0.2, 0.8]]), 6)
    0.15
    """
    return float(
        np.mean(
            [
                l1_norm(bins)
                for bins in _classwise(y_true, y_prob, equal_width(n_bins, closed), sample_weight)
            ]
        )
    )


def l1_norm(bins):
    """Return the weighted mean gap of `bins`."""
    return float(np.abs(bins.gap_sum).sum() / bins.weight.sum())


def l2_norm(bins):
    """Return the weighted root mean square gap of `bins`."""
    held = bins.weight > 0
    squares = bins.gap_sum[held] ** 2 / bins.weight[held]
    return float(np.sqrt(squares.sum() / bins.weight.sum()))


def max_norm(bins):
    """Return the largest gap of `bins`."""
    held = bins.weight > 0
    return float(np.max(np.abs(bins.gap_sum[held]) / bins.weight[held]))


NORM = {"l1": l1_norm, "l2": l2_norm, "max": max_norm}


def _classwise(y_true, y_prob, binning, sample_weight):
    """Yield the bins of each class against the rest."""
    p = check_probabilities(y_prob)
    y = check_labels(y_true, p.shape[1], n=len(p))
    weight = check_weights(sample_weight, len(y))
    for k in range(p.shape[1]):
        yield binning(p[:, k], y == k, weight)


sce = classwise_ece
