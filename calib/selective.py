"""Declining to answer: the risk of the answers that are kept, at every coverage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.bins import group_by_score
from calib.check import Pairs, Weights
from calib.constants import ROUNDING_OF_SUMS
from calib.registry import metric
from calib.views import View, top_label, view_pairs


@dataclass(frozen=True)
class RiskCoverage:
    """Errors among the answers that are kept, the least confident declined first.

    Attributes
    ----------
    threshold, coverage, risk : ndarray of float, shape (m,)
        The different scores, falling; the share of the answers whose score is at least that, which
        are kept, rising to one; and the share of errors among them.
    """

    threshold: np.ndarray
    coverage: np.ndarray
    risk: np.ndarray

    def risk_at(self, coverage: float) -> float:
        """Return the risk at a coverage; answers that tie at the threshold are kept by lot."""
        _check_coverage(coverage)
        # the share of errors, not the risk, is a straight line between two thresholds: ties by lot
        at = np.append(0, self.coverage), np.append(0, self.coverage * self.risk)
        return float(np.interp(coverage, *at) / coverage)

    def threshold_at(self, coverage: float) -> float:
        """Return the highest score from which on at least that share of the answers is kept."""
        _check_coverage(coverage)
        # the last coverage may miss one by rounding
        return float(
            self.threshold[np.argmax(self.coverage >= coverage - ROUNDING_OF_SUMS)]
        )

    def threshold_for(self, risk: float) -> float:
        """Return the lowest score from which on errors are at most that share; inf if none is."""
        if check.nonnegative(risk, "risk") > 1:
            raise ValueError(f"risk: {risk!r}, expected a share from 0 to 1")
        fine = np.flatnonzero(self.risk <= risk)
        return float(self.threshold[fine[-1]]) if len(fine) else np.inf


def _check_coverage(coverage: float) -> None:
    if check.nonnegative(coverage, "coverage") > 1 or coverage == 0:
        raise ValueError(
            f"coverage: {coverage!r}, expected a share above 0 and at most 1"
        )


def risk_coverage(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> RiskCoverage:
    """Risk of the kept answers against the share of answers that is kept.

    An answer is the top label of probabilities, or a pair: a hit where it is right, and any score
    from 0 to 1 that ranks it. Of two classes pass both columns, not ``y_prob[:, 1]``.

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
    RiskCoverage

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    El-Yaniv & Wiener (2010); Geifman & El-Yaniv (2017).

    Examples
    --------
    >>> curve = risk_coverage([1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6])
    >>> curve.risk_at(0.75), curve.threshold_at(0.75), curve.threshold_for(0.3)
    (0.3333333333333333, 0.7, 0.6)
    """
    pairs = view_pairs(y_true, y_prob, view, sample_weight)
    threshold, answers, errors = _answers(pairs)
    return RiskCoverage(threshold, answers / answers[-1], errors / answers)


def _answers(pairs: Pairs) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the falling thresholds, and the weights of all and of wrong answers kept at each."""
    score, hit, weight = pairs
    threshold, total, misses = (
        values[::-1] for values in group_by_score(score, ~hit, weight)
    )
    answers, errors = np.cumsum(total), np.cumsum(misses)
    return threshold[total > 0], answers[total > 0], errors[total > 0]


def _area(answers: np.ndarray, errors: np.ndarray) -> float:
    """Return the mean risk over all coverages."""
    edges = np.append(0, answers) / answers[-1]
    width, error_share = np.diff(edges), np.diff(errors, prepend=0) / answers[-1]
    # the mean of -ln u over an interval is 1 less the difference of u ln u over its width
    minus_log = 1 - np.diff(_c_log_c(edges))[width > 0] / width[width > 0]
    return float(error_share[width > 0] @ minus_log)


def _c_log_c(c: np.ndarray | float) -> np.ndarray:
    return c * np.log(np.where(c > 0, c, 1))


def best_area(error_rate: float) -> float:
    """Return the AURC of the order in which every error comes last."""
    return float(error_rate + _c_log_c(1 - error_rate))


def _aurc(pairs: Pairs) -> float:
    _, answers, errors = _answers(pairs)
    return _area(answers, errors)


@metric("AURC", _aurc, reads="pairs", kind="mean", largest=1.0)
def aurc(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> float:
    r"""Area under the risk-coverage curve: the mean risk over all coverages.

    An answer is the top label of probabilities, or a pair: a hit where it is right, and any score
    from 0 to 1 that ranks it. Of two classes pass both columns, not ``y_prob[:, 1]``.

    An error that is declined at all coverages below u is a part of the risk
    :math:`\frac 1 c \int_0^c` for c from u to 1, hence counts :math:`\int_u^1 dc / c = -\ln u`:

    .. math:: \mathrm{AURC} = \int_0^1 R(c)\, dc = \frac 1 W \sum_i w_i\, (1 - h_i)\, (-\ln u_i) ,

    with the mean of :math:`-\ln u` over the coverages that sample i, or the samples that tie with
    it, take up. It depends on the order of the scores only.

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

    Notes
    -----
    Geifman et al. sum the curve at the n coverages 1/n, ..., 1; the integral differs by
    O(log n / n), treats ties as a lot would, and takes weights for repetitions.

    References
    ----------
    Geifman, Uziel & El-Yaniv (2019).

    Examples
    --------
    >>> round(aurc([1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6]), 4)
    0.1534
    >>> aurc([1, 1, 0, 0], [0.5, 0.5, 0.5, 0.5])
    0.5
    """
    return _aurc(view_pairs(y_true, y_prob, view, sample_weight))


def _excess_aurc(pairs: Pairs) -> float:
    _, answers, errors = _answers(pairs)
    # rounding may leave the best order a little below zero
    return max(0.0, _area(answers, errors) - best_area(errors[-1] / answers[-1]))


@metric("excess AURC", _excess_aurc, reads="pairs", kind="mean", largest=1.0)
def excess_aurc(
    y_true: ArrayLike | Pairs,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    sample_weight: Weights = None,
) -> float:
    r"""AURC less that of the best order, in which every error comes last.

    Of answers as in :func:`aurc`: of two classes pass both columns, not ``y_prob[:, 1]``.

    With the error rate r, the best order has the risk zero up to the coverage 1 - r and
    :math:`1 - (1 - r) / c` from there, so its area is :math:`r + (1 - r) \ln (1 - r)`.

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
    Geifman, Uziel & El-Yaniv (2019), "E-AURC".

    Examples
    --------
    >>> excess_aurc([1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6])
    0.0
    """
    return _excess_aurc(view_pairs(y_true, y_prob, view, sample_weight))
