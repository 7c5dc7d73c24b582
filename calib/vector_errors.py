"""The calibration error of whole vectors, from below, by what recalibration finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.logits import softmax_of_checked
from calib.maps.base import Array, Calibrator
from calib.maps.out_of_fold import recalibrated_folds
from calib.resampling import Rng


@dataclass(frozen=True)
class VectorError:
    """A calibration error of whole vectors that is, on average, at most the true one.

    Attributes
    ----------
    error : float
        ``overconfident + underconfident``; below zero where recalibration finds nothing but noise.
    overconfident, underconfident : float
        From samples whose largest probability the recalibrated one is below, and above.
    standard_error : float
        Of `error`, as that of a mean over the samples.
    """

    error: float
    overconfident: float
    underconfident: float
    standard_error: float


def vector_error(
    logits: ArrayLike,
    y: ArrayLike,
    calibrator: Calibrator | None = None,
    *,
    norm: str = "l1",
    n_folds: int = 5,
    rng: Rng | None = 0,
) -> VectorError:
    r"""Calibration error of whole vectors, from below, by cross-validated recalibration.

    The error is the mean of the norm of :math:`c - p`, where :math:`c` is the frequency of the
    classes where the vector :math:`p` is said. A norm is the largest product with a direction
    :math:`u` of dual norm at most one, so that any direction gives too little:

    .. math:: \mathbb E \lVert c - p \rVert \ge \mathbb E\, u(p) \cdot (y - p)

    The direction is that in which a map moves the vector which was fitted to other folds. What the
    map cannot find is missing, and nothing is found that is not there.

    Parameters
    ----------
    logits : array_like, shape (n, K)
    y : array_like of int, shape (n,)
        Labels.
    calibrator : Calibrator, optional
        What recalibrates: :class:`TemperatureScaling` by default. A richer map may find more.
    norm : {"l1", "l2"}
        The sum of absolute differences over the classes, or the root of their squares.
    n_folds : int
        Each fold is recalibrated by the map fitted to the others. Folds are drawn without a look at
        the labels: of folds with their share of each class one knows the labels of the others.
    rng : numpy.random.Generator or int, optional
        Draws the folds; None leaves the samples in their order.

    Returns
    -------
    VectorError

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Berta, Braun, Holzmüller, Bach & Jordan (2026), A variational estimator for Lp calibration
    errors.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((5000, 3))
    >>> y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)  # calibrated
    >>> calibrated, sharp = vector_error(z, y), vector_error(3 * z, y)
    >>> abs(calibrated.error) < 0.05 < sharp.error
    True
    >>> sharp.overconfident > 0.9 * sharp.error
    True
    """
    check.choice(norm, "norm", ("l1", "l2"))
    z, labels, folds = recalibrated_folds(calibrator, logits, y, n_folds, rng)
    gain, is_over = np.empty(len(z)), np.empty(len(z), bool)
    for rows, recalibrated in folds:
        p = softmax_of_checked(z[rows])
        move, top = recalibrated - p, p.argmax(axis=1)[:, np.newaxis]
        gain[rows] = _along(move, labels[rows], p, norm)
        is_over[rows] = np.take_along_axis(move, top, axis=1)[:, 0] < 0
    over, under = (float(gain[part].sum() / len(gain)) for part in (is_over, ~is_over))
    return VectorError(
        error=over + under,
        overconfident=over,
        underconfident=under,
        standard_error=float(gain.std() / np.sqrt(len(gain))),
    )


def _along(move: Array, y: Array, p: Array, norm: str) -> Array:
    """Return the product of label less probability with a direction of dual norm one."""
    if norm == "l1":
        direction = np.sign(move)
    else:
        length = np.sqrt(np.einsum("nk,nk->n", move, move))
        direction = move / np.where(length > 0, length, 1)[:, np.newaxis]
    return direction[np.arange(len(y)), y] - np.einsum("nk,nk->n", direction, p)
