"""Probabilities of samples by maps that were fitted to the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib import check, resampling
from calib.maps.base import (
    Array,
    Calibrator,
    CheckedWeight,
    ProbabilityCalibrator,
    calibration_set,
    check_nested,
    clone,
)
from calib.maps.of_logits import TemperatureScaling


def held_out(
    calibrator: Calibrator, logits: ArrayLike, y: ArrayLike, folds: Sequence[Array]
) -> Iterator[Array]:
    """Probabilities of each fold by the map that was fitted to the others.

    Logits and labels are checked once, whatever the number of folds.

    Parameters
    ----------
    calibrator : Calibrator
        What is fitted, as copies; it predicts probabilities.
    logits : array_like, shape (n, K)
    y : array_like of int, shape (n,)
        Labels.
    folds : sequence of ndarray of int
        The rows of each fold, as :func:`calib.folds` makes them.

    Returns
    -------
    iterator of ndarray, shape (m, K)
        Of the rows of each fold, in their order.

    Raises
    ------
    ValueError, ConvergenceError
        As the map's own `fit`.

    Notes
    -----
    Each fold has a map of its own. A loss of all samples together is that of a map which was fitted
    to other samples. A calibration error of all together is smaller than that: what the map of one
    fold says too much, those of the others say too little, and in a bin the two cancel. Of two
    folds and a map by bins it can be far below that of a calibrated model. Measure each fold alone,
    beside its own chance level, and average.

    Examples
    --------
    >>> from calib import TemperatureScaling, folds
    >>> z, y = [[2.0, 0.0], [0.0, 2.0], [2.0, 0.0]] * 4, [0, 1, 1] * 3 + [0, 1, 0]
    >>> [p.shape for p in held_out(TemperatureScaling(), z, y, folds(12, 3))]
    [(4, 2), (4, 2), (4, 2)]
    """
    check_map(calibrator)
    z, labels = calibration_set(logits, y)
    return out_of_fold(calibrator, z, labels, None, _fold_rows(folds, len(z)))


def recalibrated_folds(
    calibrator: Calibrator | None,
    logits: ArrayLike,
    y: ArrayLike,
    n_folds: int,
    rng: resampling.Rng | None,
) -> tuple[Array, Array, Iterator[tuple[Array, Array]]]:
    """Return checked logits and labels, and the rows of each fold with its probabilities.

    These are of a map, a temperature where there is none, that was fitted to the other folds.
    """
    map_ = TemperatureScaling() if calibrator is None else calibrator
    check_map(map_)
    z, labels = calibration_set(logits, y)
    check.count(n_folds, "n_folds", low=2, high=len(labels))
    fold_rows = resampling.folds(len(labels), n_folds, rng)
    probabilities = out_of_fold(map_, z, labels, None, fold_rows)
    return z, labels, zip(fold_rows, probabilities, strict=True)


def check_map(calibrator: Calibrator) -> None:
    """Check a map of which copies are fitted to folds: its class, and its parameters."""
    check_nested(calibrator, ProbabilityCalibrator)
    calibrator._check_parameters()


def _fold_rows(folds: Sequence[Array], n: int) -> list[Array]:
    """Check the rows of each fold, beside which there must be others to fit to."""
    if not isinstance(folds, Iterable):
        raise TypeError(f"folds: {folds!r}, expected the rows of each fold")
    fold_rows = [check.labels(np.atleast_1d(rows), n, name="folds") for rows in folds]
    if not fold_rows:
        raise ValueError("folds: none, expected the rows of at least one")
    for number, rows in enumerate(fold_rows):
        if np.bincount(rows, minlength=n).all():
            raise ValueError(f"folds: fold {number} leaves none of {n} rows to fit to")
    return fold_rows


def out_of_fold(
    calibrator: Any,
    z: Array,
    y: Array,
    weight: CheckedWeight,
    fold_rows: Sequence[Array],
) -> Iterator[Array]:
    """Yield the probabilities of each fold; all arguments are checked."""
    for rows in fold_rows:
        training = np.ones(len(z), bool)
        training[rows] = False
        fitted = clone(calibrator)
        fitted._fit(
            z[training], y[training], None if weight is None else weight[training]
        )
        # a fold may lack a class; the columns are those of all rows
        fitted.classes_ = np.arange(z.shape[1])
        yield fitted._predict_proba(z[rows])
