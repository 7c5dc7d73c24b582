"""A map on samples that it was not fitted on, fold by fold."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib.check import check_labels, check_logits, check_not_masked, refuse_probabilities
from calib.maps.base import Calibrator, ProbabilityCalibrator, check_nested, clone


def held_out(
    calibrator: Calibrator,
    logits: ArrayLike,
    y: ArrayLike,
    folds: Sequence[np.ndarray],
) -> Iterator[np.ndarray]:
    """Probabilities of each fold by the map that was fitted to the others.

    Logits and labels are checked once, whatever the number of folds.

    Parameters
    ----------
    calibrator : Calibrator
        What is fitted, as copies; it predicts probabilities.
    logits : array_like, shape (n, K)
    y : array_like of int, shape (n,)
    folds : sequence of ndarray of int
        The rows of each fold, as :func:`calib.folds` makes them.

    Yields
    ------
    ndarray, shape (m, K)
        Of the rows of a fold, in their order.

    Raises
    ------
    ValueError, ConvergenceError
        As the map's own `fit`.

    Examples
    --------
    >>> from calib import TemperatureScaling, folds
    >>> z, y = [[2.0, 0.0], [0.0, 2.0], [2.0, 0.0]] * 4, [0, 1, 1] * 3 + [0, 1, 0]
    >>> [p.shape for p in held_out(TemperatureScaling(), z, y, folds(12, 3))]
    [(4, 2), (4, 2), (4, 2)]
    """
    check_nested(calibrator, ProbabilityCalibrator)
    z = check_logits(logits)
    refuse_probabilities(z, "logits")
    labels = check_labels(y, z.shape[1], n=len(z), name="y")
    check_not_masked(z, labels)
    for rows in folds:
        rest = np.ones(len(z), bool)
        rest[rows] = False
        fitted: Any = clone(calibrator)
        fitted._fit(z[rest], labels[rest], None)
        fitted.classes_ = np.arange(z.shape[1])
        yield fitted._predict_proba(z[rows])
