"""Probabilities from logits, and logits from probabilities, of which some may be zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from calib.check import as_array, fraction, logit_rows, probabilities
from calib.constants import LARGE_ARRAY, LARGEST_FLOOR, SMALLEST_PROBABILITY


def softmax(logits: ArrayLike) -> np.ndarray:
    """Turn logits into probabilities.

    Parameters
    ----------
    logits : array_like, shape (n, K)

    Returns
    -------
    ndarray, shape (n, K)
        Rows sum to one; float32 for float32 and float16 logits, else float64.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> softmax([[0.0, 0.0], [1000.0, 0.0]])
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    return softmax_of_checked(logit_rows(logits))


def softmax_of_checked(z: np.ndarray) -> np.ndarray:
    """Return the probabilities of logits that are checked."""
    # a row of float16 would sum to one within three digits only
    z = z.astype(np.float32 if z.dtype == np.float16 else z.dtype, copy=False)
    return normalised_exp(z - z.max(axis=1, keepdims=True))


def normalised_exp(z: np.ndarray) -> np.ndarray:
    """Return exp(z) over its row sums, in the place of z: the softmax where each row's top is 0."""
    np.exp(z, out=z)
    z /= z.sum(axis=1, keepdims=True)
    return z


def floor_of(y_prob: ArrayLike, *others: ArrayLike) -> float:
    """What a probability of zero counts as where its logarithm is taken: half of the smallest.

    Of probabilities that are votes that is half a vote, of rounded ones half a digit.

    Parameters
    ----------
    y_prob, *others : array_like
        Probabilities, in any shape.

    Returns
    -------
    float
        From 1e-16 to 0.05; 1e-16 where none is zero.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described.

    Examples
    --------
    >>> floor_of([[0.996, 0.004, 0.0], [0.5, 0.25, 0.25]])
    0.002
    """
    arrays = [as_array(p, "y_prob") for p in (y_prob, *others)]
    if not any((p == 0).any() for p in arrays):
        return SMALLEST_PROBABILITY
    smallest = min(float(p.min(initial=1, where=p > 0)) for p in arrays)
    return min(max(smallest / 2, SMALLEST_PROBABILITY), LARGEST_FLOOR)


def as_logits(
    y_prob: ArrayLike, *, floor: float = SMALLEST_PROBABILITY, atol: float | None = None
) -> np.ndarray:
    """Turn probabilities into logits: their logarithm, which is right up to a constant per row.

    Parameters
    ----------
    y_prob : array_like, shape (n, K)
    floor : float
        Probabilities below the floor count as the floor, so that the logarithm is finite. Where
        zeros are votes or digits that are missing, 1e-16 says far too much: see :func:`floor_of`.
    atol : float, optional
        How far a row sum may be from one: 1e-4, of float16 1e-2.

    Returns
    -------
    ndarray, shape (n, K)
        In float64; large arrays in float32 or float16 in float32.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    Examples
    --------
    >>> softmax(as_logits([[0.25, 0.75]]))
    array([[0.25, 0.75]])
    """
    p = probabilities(y_prob, atol=atol)
    large = p.size >= LARGE_ARRAY and p.itemsize <= 4
    z = np.maximum(
        p, fraction(floor, "floor"), dtype=np.float32 if large else np.float64
    )
    return np.log(z, out=z)
