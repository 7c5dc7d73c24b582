"""New class frequencies: probabilities for other priors, and priors found without labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.check import HEAVIEST, Weights, as_array
from calib.constants import TINY
from calib.maps.base import ConvergenceError

# information on a direction, as a share of the whole weight, that is rounding
UNINFORMED = 1e-12


@dataclass(frozen=True)
class PriorEstimate:
    """Class frequencies of unlabelled samples, with intervals.

    Attributes
    ----------
    priors, low, high, standard_error : ndarray of float, shape (K,)
        They sum to one; ends of intervals, one class at a time, within [0, 1].
    p_value : float
        Of the hypothesis that the priors are the old ones (likelihood ratio).
    n_iter : int
    """

    priors: np.ndarray
    low: np.ndarray
    high: np.ndarray
    standard_error: np.ndarray
    p_value: float
    n_iter: int


def adjust_priors(
    y_prob: ArrayLike, priors: ArrayLike, new_priors: ArrayLike
) -> np.ndarray:
    r"""Probabilities for other class frequencies.

    Where only the frequencies change, :math:`p(x \mid k)` stays, and Bayes' rule gives

    .. math:: p'_k \propto p_k\, \pi'_k / \pi_k .

    Parameters
    ----------
    y_prob : array_like, shape (n, K)
    priors : array_like of float, shape (K,)
        Those with which the probabilities are calibrated; positive, of sum one.
    new_priors : array_like of float, shape (K,)
        New priors, sum one.

    Returns
    -------
    ndarray of float64, shape (n, K)

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002); Elkan (2001).

    Examples
    --------
    >>> adjust_priors([[0.5, 0.5]], [0.5, 0.5], [0.9, 0.1])
    array([[0.9, 0.1]])
    """
    p = check.probabilities(y_prob)
    new, old = _priors(new_priors, p, "new_priors"), _priors(priors, p, "priors")
    # a tiny prior overflows; its column is named below
    with np.errstate(over="ignore"):
        ratio = new / old
    if not np.isfinite(ratio).all():
        k = int(np.argmin(np.isfinite(ratio)))
        raise ValueError(
            f"priors: {old[k]:g} in column {k}, expected at least {1 / HEAVIEST:g}"
        )
    mass = p @ ratio
    if not mass.all():
        row = int(np.argmin(mass))
        raise ValueError(
            f"new_priors: row {row} of y_prob has no class with a positive new prior"
        )
    return p * (ratio / mass[:, None])


def estimate_priors(
    y_prob: ArrayLike,
    priors: ArrayLike,
    *,
    sample_weight: Weights = None,
    confidence_level: float = 0.95,
    tol: float = 1e-8,
    max_iter: int = 10_000,
) -> PriorEstimate:
    r"""Class frequencies of unlabelled samples, by maximum likelihood (EM).

    With :math:`f_k = p_k / \pi_k` the likelihood of a sample is :math:`\sum_k q_k f_k`, concave in
    the new priors q once its logarithm is summed. Each step replaces q by the mean of the
    probabilities adjusted to q, and never lowers the likelihood.

    Parameters
    ----------
    y_prob : array_like, shape (n, K)
    priors : array_like of float, shape (K,)
        Those with which the probabilities are calibrated; positive, of sum one.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.
    confidence_level : float
    tol : float
        Largest change of a prior in the last step.
    max_iter : int

    Returns
    -------
    PriorEstimate
        Standard errors are those of the inverse Fisher information along the simplex.

    Raises
    ------
    ConvergenceError
        Where the priors still change after `max_iter` steps.
    ValueError, TypeError
        Where an argument is not as described.

    References
    ----------
    Saerens, Latinne & Decaestecker (2002).

    Examples
    --------
    >>> estimate_priors([[1.0, 0.0]] * 3 + [[0.0, 1.0]], [0.5, 0.5]).priors
    array([0.75, 0.25])
    """
    p = check.probabilities(y_prob).astype(float)
    old = _priors(priors, p, "priors")
    weight = check.weights(sample_weight, len(p))
    weight = np.ones(len(p)) if weight is None else weight
    p, weight = p[weight > 0], weight[weight > 0]
    check.fraction(confidence_level, "confidence_level")
    check.positive(tol, "tol")
    check.count(max_iter, "max_iter")
    density, q = p / old, old
    n_iter, change = 0, np.inf
    while change > tol:
        if n_iter == max_iter:
            raise ConvergenceError("estimate_priors: max_iter reached", change)
        # a step of EM, Saerens et al. (2002): the mean posterior under the last priors
        before, q = q, q * (weight / (density @ q) @ density) / weight.sum()
        n_iter, change = n_iter + 1, np.abs(q - before).max()
    standard_error = _standard_error(density / (density @ q)[:, None], weight)
    half = scipy.special.ndtri((1 + confidence_level) / 2) * standard_error
    # twice the logarithm of the likelihood ratio, chi-square if nothing has changed
    ratio = 2 * weight @ np.log((density @ q) / (density @ old))
    return PriorEstimate(
        priors=q,
        low=np.clip(q - half, 0, 1),
        high=np.clip(q + half, 0, 1),
        standard_error=standard_error,
        p_value=float(scipy.special.chdtrc(len(q) - 1, ratio)),
        n_iter=n_iter,
    )


def _standard_error(score: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Roots of the diagonal of the inverse information, for priors that sum to one.

    A direction without information has next to infinite errors.
    """
    n_classes = score.shape[1]
    # directions that keep the sum
    along = np.linalg.svd(np.ones((1, n_classes)))[2][1:]
    information = along @ (score.T * weight) @ score @ along.T
    informed, directions = np.linalg.eigh(information)
    # a direction of which the samples say nothing has an error without bound
    informed[informed <= UNINFORMED * weight.sum()] = TINY
    return np.sqrt((along.T @ directions) ** 2 @ (1 / informed))


def _priors(priors: ArrayLike, p: np.ndarray, name: str) -> np.ndarray:
    q = as_array(priors, name).astype(float)
    if q.shape != (p.shape[1],):
        raise ValueError(f"{name}: shape {q.shape}, expected ({p.shape[1]},)")
    check.probabilities(q[None], name=name)
    if name == "priors" and not q.all():
        raise ValueError(
            f"priors: class {int(q.argmin())} has the prior 0, expected more"
        )
    return q
