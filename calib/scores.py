"""Proper scores and their decompositions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import isotonic_regression

from calib.bins import Binning, check_binning, equal_width, group_by_score
from calib.checks import (
    ONE_COLUMN,
    check_labels,
    check_matrix,
    check_weights,
    label_places,
    probability_blocks,
)
from calib.docs import documented
from calib.views import View, top_label, view_pairs


@documented
def nll(y_true: ArrayLike, y_prob: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Negative log-likelihood: the mean of -log of the label's probability, in nats.

    Infinite where a label of positive weight has probability zero: nothing is clipped.

    %(of vectors)s

    References
    ----------
    Vasilev & D'yakonov (2021), equation 10.

    Examples
    --------
    >>> round(nll([0, 1], [[0.5, 0.5], [0.75, 0.25]]), 6)
    1.039721
    """
    y, p, weight = _check(y_true, y_prob, sample_weight)
    loss = np.empty(len(y))
    for start, rows in probability_blocks(p):
        part = slice(start, start + len(rows))
        own = rows.take(label_places(rows, y[part]), mode="clip")
        with np.errstate(divide="ignore"):
            loss[part] = -np.log(own, dtype=np.float64)
    return _mean(loss if weight is None else np.where(weight > 0, loss, 0), weight)


@documented
def brier(y_true: ArrayLike, y_prob: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Brier score: the squared distance of the probabilities from the label, summed over classes.

    It is from 0 to 2; for two classes it is twice the score of the binary convention.

    %(of vectors)s

    References
    ----------
    Brier (1950); Vasilev & D'yakonov (2021), equation 11.

    Examples
    --------
    >>> brier([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.8125
    """
    y, p, weight = _check(y_true, y_prob, sample_weight)
    loss, ones = np.empty(len(y)), np.ones(p.shape[1])
    for start, rows in probability_blocks(p):
        part = slice(start, start + len(rows))
        off = rows.astype(np.float64, order="C")
        off.reshape(-1)[label_places(rows, y[part])] -= 1
        loss[part] = np.square(off, out=off) @ ones
    return _mean(loss, weight)


@documented
def top1_brier(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Top-1 Brier score: the mean squared difference of the confidence and the hit.

    %(of a view)s

    %(float)s

    References
    ----------
    Gupta et al. (2021), Table 7.

    Examples
    --------
    >>> top1_brier([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.40625
    """
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    return _mean((hit - score) ** 2, weight)


@documented
def accuracy(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Accuracy: the share of samples whose predicted class, the first of tied ones, is the label.

    The view ``within_top_r(r)`` gives the top-r accuracy.

    %(of a view)s

    %(float)s

    Examples
    --------
    >>> accuracy([0, 1], [[0.5, 0.5], [0.75, 0.25]])
    0.5
    """
    _, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    return _mean(hit, weight)


@dataclass(frozen=True)
class Decomposition:
    """A mean score in parts: ``score = reliability - resolution + uncertainty + within_bins``.

    Attributes
    ----------
    score : float
        The top-1 Brier score.
    reliability : float
        Lack of calibration; zero is best.
    resolution : float
        What telling samples apart gains; larger is better.
    uncertainty : float
        The score of the share of hits as a constant forecast.
    within_bins : float
        What replacing the scores of a bin by their mean leaves out; zero without bins.

    Examples
    --------
    >>> d = murphy_decomposition([0, 1], [0.25, 0.75])
    >>> d.score == d.reliability - d.resolution + d.uncertainty + d.within_bins
    True
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float = 0.0


@documented
def murphy_decomposition(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    sample_weight: ArrayLike | None = None,
) -> "Decomposition":
    r"""Murphy's decomposition of the Brier score of a view.

    With c and a the mean score and the frequency of hits of bin b, w its share and h the share of
    hits,

    .. math:: \text{reliability} = \sum_b w_b (c_b - a_b)^2, \quad
       \text{resolution} = \sum_b w_b (a_b - h)^2, \quad \text{uncertainty} = h (1 - h) .

    Parameters
    ----------
    %(pairs)s
    %(view)s
    bins : callable, optional
        See :mod:`calib.bins`; ``equal_width(15)`` by default.
    sample_weight : array_like of float, shape (n,), optional

    Returns
    -------
    Decomposition
        Exact where the scores of a bin are equal; else ``within_bins`` is the rest (Stephenson,
        Coelho & Jolliffe 2008).

    %(faults)s

    References
    ----------
    Murphy (1973); Bröcker (2009).

    Examples
    --------
    >>> d = murphy_decomposition([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> d.score, d.reliability, d.resolution, d.uncertainty
    (0.1875, 0.0625, 0.0625, 0.1875)
    """
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    b = check_binning(bins, equal_width(15))(score, hit, weight)
    whole = _mean((hit - score) ** 2, weight)
    held = b.weight > 0
    share = b.weight[held] / b.weight.sum()
    hits = _mean(hit, weight)
    reliability = float(share @ b.gap[held] ** 2)
    resolution = float(share @ (b.mean_hit[held] - hits) ** 2)
    uncertainty = hits * (1 - hits)
    rest = whole - (reliability - resolution + uncertainty)
    return Decomposition(whole, reliability, resolution, uncertainty, rest)


@documented
def corp_decomposition(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: ArrayLike | None = None,
) -> "Decomposition":
    """CORP decomposition of the Brier score of a view: the bins are those of isotonic regression.

    Reliability is what recalibrating the scores by isotonic regression on these very samples gains,
    resolution what the recalibrated scores gain over a constant forecast. Neither can be negative,
    and nothing has to be chosen.

    %(of a view)s

    Returns
    -------
    Decomposition
        ``within_bins`` is zero.

    %(faults)s

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021), equation 6.

    Examples
    --------
    >>> d = corp_decomposition([0, 1, 0, 1], [0.25, 0.5, 0.75, 1.0])
    >>> round(d.reliability, 6), round(d.resolution, 6), d.uncertainty
    (0.09375, 0.125, 0.25)
    """
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    values, total, frequency = group_by_score(score, hit, weight)
    held = total > 0
    values, total, frequency = values[held], total[held], frequency[held] / total[held]
    recalibrated = isotonic_regression(frequency, weights=total).x
    hits = _mean(hit, weight)

    def mean_score(forecast: np.ndarray) -> float:
        return float(np.average(frequency - 2 * frequency * forecast + forecast**2, weights=total))

    whole, best, constant = mean_score(values), mean_score(recalibrated), hits * (1 - hits)
    return Decomposition(whole, whole - best, constant - best, constant)


def _check(y_true: Any, y_prob: Any, sample_weight: Any) -> tuple[Any, ...]:
    p = check_matrix(y_prob, "y_prob", ONE_COLUMN)
    y = check_labels(y_true, p.shape[1], n=len(p))
    return y, p, check_weights(sample_weight, len(y))


def _mean(loss: np.ndarray, weight: np.ndarray | None) -> float:
    return float(np.average(loss, weights=weight))
