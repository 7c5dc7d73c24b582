"""A loss in two parts: what recalibration would gain, and what it leaves."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from calib.check import Vectors
from calib.logits import softmax_of_checked
from calib.maps.base import Calibrator
from calib.maps.out_of_fold import recalibrated_folds
from calib.metrics import log_losses
from calib.resampling import Rng


@dataclass(frozen=True)
class LossParts:
    """A mean NLL in two parts, in nats: ``nll = calibration + refinement``.

    Attributes
    ----------
    nll : float
    calibration : float
        What recalibration gains on samples that it was not fitted to; negative where it harms.
    refinement : float
        What is left: the NLL of the recalibrated probabilities.
    """

    nll: float
    calibration: float
    refinement: float


def refine_parts(
    logits: ArrayLike,
    y: ArrayLike,
    calibrator: Calibrator | None = None,
    *,
    n_folds: int = 5,
    rng: Rng | None = 0,
) -> LossParts:
    """Split the NLL into what recalibration would gain, and what it leaves, by cross-validation.

    Parameters
    ----------
    logits : array_like, shape (n, K)
    y : array_like of int, shape (n,)
        Labels.
    calibrator : Calibrator, optional
        What recalibrates: :class:`TemperatureScaling` by default. A richer map may gain more.
    n_folds : int
        Each fold is recalibrated by the map fitted to the others. Folds are drawn without a look at
        the labels: of folds with their share of each class one knows the labels of the others.
    rng : numpy.random.Generator or int, optional
        Draws the folds; None leaves the samples in their order.

    Returns
    -------
    LossParts

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Berta, Holzmüller, Jordan & Bach (2025), who let training stop where refinement is best.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((5000, 3))
    >>> y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)  # calibrated
    >>> calibrated, sharp = refine_parts(z, y), refine_parts(3 * z, y)
    >>> abs(calibrated.calibration) < 0.01 < sharp.calibration
    True
    """
    z, labels, folds = recalibrated_folds(calibrator, logits, y, n_folds, rng)
    total = sum(log_losses(Vectors(labels[rows], p)).sum() for rows, p in folds)
    refinement = float(total / len(labels))
    nll = float(log_losses(Vectors(labels, softmax_of_checked(z))).mean())
    return LossParts(nll, calibration=nll - refinement, refinement=refinement)
