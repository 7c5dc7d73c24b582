"""Where calibrated bins would fall: Poisson-binomial quantiles and what follows from them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.fft import irfft, rfft
from numpy.typing import ArrayLike
from scipy.fft import next_fast_len

from calib.bins import Binning, check_binning, equal_width
from calib.checks import check_fraction, check_scores


@dataclass(frozen=True)
class Band:
    """Where the accuracy of each bin would fall if the model were calibrated.

    Attributes
    ----------
    edges : ndarray of float, shape (M + 1,)
        Edges of the bins.
    count : ndarray of int, shape (M,)
        Number of samples in each bin.
    mean_score, low, high : ndarray of float, shape (M,)
        Mean score, and the ends of the range of the mean hit; NaN in empty bins.
    confidence_level : float
        Probability, at least, that a calibrated bin lies in its range.
    method : str
        How it was made.

    Examples
    --------
    >>> band = consistency_band([0.5] * 100, bins=equal_width(2))
    >>> band.count, band.low
    (array([100,   0]), array([0.4, nan]))
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
) -> "Band":
    """Range of each bin's accuracy that a calibrated model with these scores would show.

    If the model is calibrated, the number of hits in a bin is a sum of independent trials with the
    scores as probabilities: a Poisson-binomial variable, whose quantiles are computed exactly.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Scores in [0, 1], for example confidences.
    bins : callable, optional
        Binning, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    confidence_level : float
        Each bin's own level: of M bins, one in twenty is expected outside of a level of 0.95.

    Returns
    -------
    Band

    Raises
    ------
    ValueError
        Where a score is outside [0, 1] or the level is not inside (0, 1).

    References
    ----------
    Bröcker & Smith (2007), who resample; here the distribution is exact.

    Examples
    --------
    >>> band = consistency_band([0.5] * 100, bins=equal_width(1))
    >>> band.low, band.high
    (array([0.4]), array([0.6]))
    """
    check_fraction(confidence_level, "confidence_level")
    score = check_scores(score)
    binned = check_binning(bins, equal_width(15))(score, np.zeros(len(score)))
    in_bin = _split(score, binned)
    tail = (1 - confidence_level) / 2
    low, high = np.array([_poisson_binomial_range(p, tail) for p in in_bin]).T
    return Band(
        binned.edges,
        binned.count,
        binned.mean_score,
        low,
        high,
        confidence_level,
        "exact Poisson-binomial quantiles, each bin by itself",
    )


def error_if_calibrated(score: ArrayLike, *, bins: Binning | None = None) -> float:
    """Mean ECE that a calibrated model with these scores would show: the bias that bins bring.

    The mean of ``|hits - sum of scores|`` over the Poisson-binomial number of hits, summed over
    bins and divided by n.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Scores in [0, 1].
    bins : callable, optional
        Binning, see :mod:`calib.bins`; ``equal_width(15)`` by default.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where a score is outside [0, 1].

    Examples
    --------
    >>> error_if_calibrated([0.5, 0.5], bins=equal_width(1))
    0.25
    """
    score = check_scores(score)
    binned = check_binning(bins, equal_width(15))(score, np.zeros(len(score)))
    return sum(_mean_deviation(p) for p in _split(score, binned)) / len(score)


def poisson_binomial(prob: Any) -> np.ndarray:
    """Return the probabilities of 0, 1, ..., n successes in trials of n probabilities.

    Distributions of pairs of trials are convolved, then pairs of pairs: O(n log² n). What rounding
    has lifted above one counts as one.

    Examples
    --------
    >>> poisson_binomial([0.5, 0.5])
    array([0.25, 0.5 , 0.25])
    """
    prob = np.minimum(np.asarray(prob, float), 1)
    n = len(prob)
    mass = np.zeros((1 << max(n - 1, 0).bit_length(), 2))
    mass[:, 0] = 1
    mass[:n] = np.column_stack([1 - prob, prob])
    while len(mass) > 1:
        width = 2 * mass.shape[1] - 1
        size = next_fast_len(width, real=True)
        product = rfft(mass[::2], size) * rfft(mass[1::2], size)
        mass = irfft(product, size)[:, :width]
    return np.clip(mass[0, : n + 1], 0, None)


def _poisson_binomial_range(prob: np.ndarray, tail: float) -> Any:
    if len(prob) == 0:
        return np.nan, np.nan
    below = np.cumsum(poisson_binomial(prob))
    return np.searchsorted(below, [tail, 1 - tail]) / len(prob)


def _mean_deviation(prob: np.ndarray) -> float:
    hits = np.arange(len(prob) + 1)
    return float(poisson_binomial(prob) @ np.abs(hits - np.sum(prob)))


def _split(score: np.ndarray, bins: Any) -> list[np.ndarray]:
    """Return the scores of each bin."""
    bin_of = bins.assign(score)
    order = np.argsort(bin_of, kind="stable")
    return np.split(score[order], np.cumsum(bins.count)[:-1])
