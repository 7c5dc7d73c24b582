"""What a calibrated model would show in bins: the range of each accuracy, and the mean ECE."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.bins import Binning, Bins, EqualWidth, assign, group
from calib.check import Pairs


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
