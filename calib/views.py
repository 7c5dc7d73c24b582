"""Views: which score, and which event, of a probability vector is looked at.

A view turns labels (n,) and probabilities (n, K) into pairs: a score in [0, 1] and a hit,
whether the event happened. Pairs that are given already (1-D scores, hits in {0, 1}) pass
through :func:`top_label` unchanged. A pair is always (score, hit).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.check import Pairs, Weights, as_array, probability_blocks
from calib.matrices import label_positions, row_blocks

Viewed = tuple[np.ndarray, np.ndarray]
View = Callable[..., Viewed]


def top_label(
    y_true: ArrayLike, y_prob: ArrayLike, *, atol: float | None = None
) -> Viewed:
    """View of the predicted class: its score is the confidence, a hit is a right prediction.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels; hits in {0, 1} where `y_prob` is 1-D.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or the scores of pairs, which are passed through.
    atol : float, optional
        How far a row sum may be from one: 1e-4, of float16 1e-2.

    Returns
    -------
    score : ndarray of float64, shape (n,)
        Largest probability of each row.
    hit : ndarray of bool, shape (n,)
        Whether the label is the predicted class: of tied classes, the first.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Guo et al. (2017); Gupta et al. (2021), equation 3 with r = 1.

    Examples
    --------
    >>> top_label([0, 1], [[0.7, 0.3], [0.8, 0.2]])
    (array([0.7, 0.8]), array([ True, False]))
    """
    y_prob = as_array(y_prob, "y_prob")
    if y_prob.ndim == 1:
        names = "y_prob", "y_true", "sample_weight"
        score, hit, _ = check.pairs(y_prob, y_true, atol=atol, names=names)
        return score, hit
    p = check.matrix(y_prob, "y_prob")
    y = check.labels(y_true, p.shape[1], n=len(p))
    score, hit = np.empty(len(y)), np.empty(len(y), bool)
    for start, rows in probability_blocks(p, atol=atol):
        block = slice(start, start + len(rows))
        score[block], hit[block] = _top(y[block], rows)
    return score, hit


@dataclass(frozen=True)
class NumberedView:
    """View of a class, or of ranks: ``view(y_true, y_prob, *, atol=None) -> (score, hit)``."""

    name: str
    number: int
    lowest: int
    formula: Callable[[np.ndarray, np.ndarray, int], Viewed] = field(repr=False)

    def __call__(
        self, y_true: ArrayLike, y_prob: ArrayLike, *, atol: float | None = None
    ) -> Viewed:
        p = check.probabilities(y_prob, atol=atol)
        y = check.labels(y_true, p.shape[1], n=len(p))
        # a class is numbered from 0, a rank from 1
        check.count(
            self.number, self.name, low=self.lowest, high=self.lowest + p.shape[1] - 1
        )
        return self.formula(y, p, self.number)


def one_vs_rest(k: int) -> NumberedView:
    """View of one class: its score is the class's probability, a hit is a sample of the class.

    Parameters
    ----------
    k : int
        The class, from 0 to K - 1.

    Returns
    -------
    NumberedView

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Gupta et al. (2021), equation 2.

    Examples
    --------
    >>> one_vs_rest(1)([0, 1], [[0.7, 0.3], [0.8, 0.2]])
    (array([0.3, 0.2]), array([False,  True]))
    """
    return NumberedView("k", check.count(k, "k", low=0), 0, _of_class)


def top_r(r: int) -> NumberedView:
    """View of the class ranked r-th: its score, and whether it is the label.

    Parameters
    ----------
    r : int
        Rank from 1, the largest probability, to K. Tied classes are ranked by their number.

    Returns
    -------
    NumberedView

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Gupta et al. (2021), equations 3 and 4.

    Examples
    --------
    >>> top_r(2)([1, 2], [[0.2, 0.3, 0.5], [0.1, 0.6, 0.3]])
    (array([0.3, 0.3]), array([ True,  True]))
    """
    return NumberedView("r", check.count(r, "r"), 1, _of_rank)


def within_top_r(r: int) -> NumberedView:
    """View of the r largest classes together: the sum of their scores, and whether one is right.

    Parameters
    ----------
    r : int
        Number of classes, from 1 to K. Tied classes are ranked by their number.

    Returns
    -------
    NumberedView

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Gupta et al. (2021), equation 5.

    Examples
    --------
    >>> within_top_r(2)([2, 0], [[0.25, 0.25, 0.5], [0.125, 0.625, 0.25]])
    (array([0.75 , 0.875]), array([ True, False]))
    """
    return NumberedView("r", check.count(r, "r"), 1, _within_ranks)


def view_pairs(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    view: View,
    sample_weight: Weights = None,
) -> Pairs:
    """Take a view of predictions; return scores, hits and weights, checked; pairs as they are."""
    if isinstance(y_true, Pairs):
        check.refuse_second_weights(sample_weight)
        if view is not top_label:
            raise ValueError(
                f"view: {view!r} beside Pairs, expected none: a view has given them"
            )
        return y_true
    if not callable(view):
        raise TypeError(f"view: {view!r}, expected a view such as calib.top_label")
    score, hit = view(y_true, y_prob)
    # what a view of a user returns is checked; those of calib return what is
    if view is not top_label and not isinstance(view, NumberedView):
        return check.pairs(score, hit, sample_weight, atol=1e-2)
    return Pairs(score, hit, check.weights(sample_weight, len(score)))


def _top(y: np.ndarray, p: np.ndarray) -> Viewed:
    """Return the largest entry of each row, and whether it is the label's."""
    if p.shape[1] < 64:  # numpy is slow along short rows, and quick down long columns
        columns = p.T.copy()
        score = columns.max(axis=0)
        if np.count_nonzero(columns == score) == len(p):
            return score, p.take(label_positions(p, y), mode="clip") == score
    predicted = p.argmax(axis=1)  # of tied classes, the first
    return _entries(p, predicted), predicted == y


def _of_class(y: np.ndarray, p: np.ndarray, k: int) -> Viewed:
    return p[:, k].astype(np.float64), y == k


def _of_rank(y: np.ndarray, p: np.ndarray, r: int) -> Viewed:
    ranked = _ranked(p, r)[:, r - 1]
    return _entries(p, ranked), ranked == y


def _within_ranks(y: np.ndarray, p: np.ndarray, r: int) -> Viewed:
    ranked = _ranked(p, r)
    score = np.take_along_axis(p, ranked, axis=1).sum(axis=1, dtype=np.float64)
    return score, (ranked == y[:, None]).any(axis=1)


def _entries(p: np.ndarray, columns: np.ndarray) -> np.ndarray:
    return np.take_along_axis(p, columns[:, None], axis=1)[:, 0].astype(np.float64)


def _ranked(p: np.ndarray, r: int) -> np.ndarray:
    """Return the first r of :func:`calib.matrices.ranking`, without sorting the rest."""
    ranked = np.empty((len(p), r), np.intp)
    for start, rows in row_blocks(p):
        # r passes over a block cost less than sorting its rows, where r is small
        remaining, every = rows.copy(), np.arange(len(rows))
        for rank in range(r):
            ranked[start + every, rank] = remaining.argmax(axis=1)
            # below every probability, so that the next maximum is another class
            remaining[every, ranked[start + every, rank]] = -1
    return ranked
