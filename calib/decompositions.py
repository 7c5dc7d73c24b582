"""The Brier score in parts: Murphy's in bins, and CORP's in those of isotonic regression."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib.bins import Binning, EqualWidth, group, group_by_score
from calib.check import Pairs, Weights
from calib.metrics import mean_of
from calib.views import View, top_label, view_pairs


@dataclass(frozen=True)
class Decomposition:
    """A mean score in parts: ``score = reliability - resolution + uncertainty + within_bins``.

    Attributes
    ----------
    score, uncertainty : float
        The top-1 Brier score, and that of the share of hits as a constant forecast.
    reliability : float
        Lack of calibration; zero is best.
    resolution : float
        What telling samples apart gains; larger is better.
    within_bins : float
        What replacing the scores of a bin by their mean leaves out; zero without bins.
    """

    score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bins: float = 0.0


def murphy_decomposition(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    sample_weight: Weights = None,
) -> Decomposition:
    r"""Murphy's decomposition of the Brier score of a view.

    With c and a the mean score and the frequency of hits of bin b, w its share and h the share of
    hits,

    .. math:: \text{reliability} = \sum_b w_b (c_b - a_b)^2, \quad
       \text{resolution} = \sum_b w_b (a_b - h)^2, \quad \text{uncertainty} = h (1 - h) .

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
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.

    Returns
    -------
    Decomposition
        Exact where the scores of a bin are equal; else ``within_bins`` is the rest (Stephenson,
        Coelho & Jolliffe 2008).

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Murphy (1973); Bröcker (2009).

    Examples
    --------
    >>> d = murphy_decomposition([0, 1, 1, 1], [0.25, 0.25, 0.75, 0.75])
    >>> d.score, d.reliability, d.resolution, d.uncertainty
    (0.1875, 0.0625, 0.0625, 0.1875)
    """
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    score, hit, weight = pairs
    b = group(bins, EqualWidth(), pairs)
    brier = mean_of((hit - score) ** 2, weight)
    filled = b.weight > 0
    share = b.weight[filled] / b.weight.sum()
    share_of_hits = mean_of(hit, weight)
    reliability = float(share @ b.gap[filled] ** 2)
    resolution = float(share @ (b.mean_hit[filled] - share_of_hits) ** 2)
    uncertainty = share_of_hits * (1 - share_of_hits)
    # Stephenson, Coelho & Jolliffe (2008): what replacing scores by the mean of their bin leaves
    within = brier - (reliability - resolution + uncertainty)
    return Decomposition(brier, reliability, resolution, uncertainty, within)


def corp_decomposition(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> Decomposition:
    """CORP decomposition of the Brier score of a view: the bins are those of isotonic regression.

    Reliability is what recalibrating the scores by isotonic regression on these very samples gains,
    resolution what the recalibrated scores gain over a constant forecast. Neither can be negative,
    and nothing has to be chosen.

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
    Decomposition
        ``within_bins`` is zero.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Dimitriadis, Gneiting & Jordan (2021), equation 6.

    Examples
    --------
    >>> d = corp_decomposition([0, 1, 0, 1], [0.25, 0.5, 0.75, 1.0])
    >>> round(d.reliability, 6), round(d.resolution, 6), d.uncertainty
    (0.09375, 0.125, 0.25)
    """
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    values, total, hit_sum = group_by_score(*pairs)
    weighted = total > 0
    values, total = values[weighted], total[weighted]
    frequency = hit_sum[weighted] / total
    # of all rising forecasts the best on these samples, by any proper score
    recalibrated = scipy.optimize.isotonic_regression(frequency, weights=total).x
    share_of_hits = mean_of(pairs.hit, pairs.weight)

    def mean_score(forecast: np.ndarray) -> float:
        squares = frequency - 2 * frequency * forecast + forecast**2
        return float(np.average(squares, weights=total))

    score, best = mean_score(values), mean_score(recalibrated)
    constant = share_of_hits * (1 - share_of_hits)
    return Decomposition(score, score - best, constant - best, constant)
