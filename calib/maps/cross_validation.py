"""Maps judged by samples that they were not fitted to: parameters, parts of a loss, an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from calib import check
from calib.logits import softmax
from calib.maps.base import (
    Array,
    Calibrator,
    ConvergenceError,
    Learned,
    LearnedMap,
    ProbabilityCalibrator,
    Weight,
    calibration_set,
    check_nested,
    clone,
)
from calib.maps.of_logits import TemperatureScaling
from calib.metrics import nll, nll_per_sample
from calib.resampling import Rng, folds

ODIR_GRID: dict[str, Sequence[float]] = {
    "lam": [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
    "mu": [1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0],
}


class CrossValidated(ProbabilityCalibrator):
    """Fit a map with the parameters of a grid that have the lowest held-out NLL.

    Folds hold the same share of each class. Each combination of parameters is fitted on all folds
    but one and scored on that one; the map is then fitted on the whole set with the combination
    whose mean NLL is lowest. One that cannot be fitted has an infinite NLL. The default grid takes
    181 fits: seconds for K = 10 and 5000 samples, minutes for K = 100.

    Parameters
    ----------
    calibrator : ProbabilityCalibrator
        What is fitted, as copies.
    grid : dict of list, optional
        Values of the parameters by name. By default `lam` takes the powers of ten from 0.01 to
        1000 and `mu` those from 1e-4 to 10.
    n_folds : int
        At most the number of samples with a positive weight.

    Attributes
    ----------
    map_ : ProbabilityCalibrator
        The map fitted on the whole set.
    nll_ : ndarray, shape (n_combinations,)
        Held-out NLL of each combination, the last parameter changing fastest.

    References
    ----------
    Kull et al. (2019), section 4, who average the maps of the five folds instead of
    fitting again.

    Examples
    --------
    >>> from calib import MatrixScaling
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((300, 3))
    >>> y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    >>> tuned = CrossValidated(MatrixScaling(), {"lam": [0.0, 10.0]}).fit(2 * z, y)
    >>> tuned.best_params_
    {'lam': 10.0}
    """

    calibrator: ProbabilityCalibrator
    grid: dict[str, Sequence[float]] | None = None
    n_folds: int = 5
    _takes = ProbabilityCalibrator
    _learned: ClassVar = {
        "map_": LearnedMap(ProbabilityCalibrator),
        "nll_": Learned(("c",), finite=False),
    }

    @property
    def combinations(self) -> list[dict[str, float]]:
        """The combinations of parameters, in the order of `nll_`."""
        grid = ODIR_GRID if self.grid is None else self.grid
        return [
            dict(zip(grid, values, strict=True)) for values in product(*grid.values())
        ]

    @property
    def best_params_(self) -> dict[str, float]:
        """The combination with the lowest held-out NLL."""
        self._check_fitted()
        return self.combinations[self.nll_.argmin()]

    @property
    def keeps_accuracy(self) -> bool:
        """That of the map."""
        return self.calibrator.keeps_accuracy

    def _check_parameters(self) -> None:
        super()._check_parameters()
        lists = self.grid is None or isinstance(self.grid, dict)
        values = self.grid.values() if lists and self.grid else ()
        if not lists or any(np.ndim(v) != 1 or np.size(v) == 0 for v in values):
            raise ValueError(
                f"grid: {self.grid!r}, expected a list of values of each parameter"
            )

    def _fit(self, z: Array, y: Array, w: Weight) -> None:
        w = np.ones(len(y)) if w is None else w
        check.count(self.n_folds, "n_folds", low=2, high=len(y))
        fold_rows = [np.sort(rows) for rows in folds(y, self.n_folds)]
        nll = [
            self._held_out_nll(params, z, y, w, fold_rows)
            for params in self.combinations
        ]
        best = self.combinations[int(np.argmin(nll))]
        self.map_: ProbabilityCalibrator = (
            clone(self.calibrator).set_params(**best).fit(z, y, sample_weight=w)
        )
        self.nll_: Array = np.array(nll)

    def _predict_proba(self, z: Array) -> Array:
        return self.map_._predict_proba(z)

    def _held_out_nll(
        self,
        params: dict[str, float],
        z: Array,
        y: Array,
        w: Array,
        fold_rows: list[Array],
    ) -> float:
        candidate = clone(self.calibrator).set_params(**params)
        candidate._check_parameters()
        try:
            outside = _out_of_fold(candidate, z, y, w, fold_rows)
            predictions = zip(fold_rows, outside, strict=True)
            of_labels = [
                (w[rows], p[np.arange(len(rows)), y[rows]]) for rows, p in predictions
            ]
        # where a fold has no optimum this combination is no choice
        except ConvergenceError:
            return np.inf
        losses = [-np.sum(scipy.special.xlogy(weight, p)) for weight, p in of_labels]
        return float(sum(losses) / w.sum())


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

    Examples
    --------
    >>> from calib import TemperatureScaling, folds
    >>> z, y = [[2.0, 0.0], [0.0, 2.0], [2.0, 0.0]] * 4, [0, 1, 1] * 3 + [0, 1, 0]
    >>> [p.shape for p in held_out(TemperatureScaling(), z, y, folds(12, 3))]
    [(4, 2), (4, 2), (4, 2)]
    """
    check_nested(calibrator, ProbabilityCalibrator)
    calibrator._check_parameters()
    z, labels = calibration_set(logits, y)
    return _out_of_fold(calibrator, z, labels, None, _fold_rows(folds, len(z)))


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
    >>> rng = np.random.default_rng(0)
    >>> z = rng.standard_normal((5000, 3))
    >>> y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)  # calibrated
    >>> calibrated, sharp = refine_parts(z, y), refine_parts(3 * z, y)
    >>> abs(calibrated.calibration) < 0.01 < sharp.calibration
    True
    """
    map_ = TemperatureScaling() if calibrator is None else calibrator
    z, labels = calibration_set(logits, y)
    check.count(n_folds, "n_folds", low=2, high=len(labels))
    fold_rows = folds(len(labels), n_folds, rng)
    outside = zip(fold_rows, held_out(map_, z, labels, fold_rows), strict=True)
    total = sum(nll_per_sample(labels[rows], p).sum() for rows, p in outside)
    loss, whole = total / len(labels), nll(labels, softmax(z))
    return LossParts(whole, float(whole - loss), float(loss))


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
    map_ = TemperatureScaling() if calibrator is None else calibrator
    z, labels = calibration_set(logits, y)
    check.count(n_folds, "n_folds", low=2, high=len(labels))
    fold_rows = folds(len(labels), n_folds, rng)
    gain, is_over = np.empty(len(z)), np.empty(len(z), bool)
    outside = held_out(map_, z, labels, fold_rows)
    for rows, recalibrated in zip(fold_rows, outside, strict=True):
        p = softmax(z[rows])
        move, top = recalibrated - p, p.argmax(axis=1)[:, np.newaxis]
        gain[rows] = _along(move, labels[rows], p, norm)
        is_over[rows] = np.take_along_axis(move, top, axis=1)[:, 0] < 0
    over, under = (float(gain[part].sum() / len(gain)) for part in (is_over, ~is_over))
    error = float(gain.std() / np.sqrt(len(gain)))
    return VectorError(over + under, over, under, error)


def _along(move: Array, y: Array, p: Array, norm: str) -> Array:
    """Return the product of label less probability with a direction of dual norm one."""
    if norm == "l1":
        direction = np.sign(move)
    else:
        length = np.sqrt(np.einsum("nk,nk->n", move, move))
        direction = move / np.where(length > 0, length, 1)[:, np.newaxis]
    return direction[np.arange(len(y)), y] - np.einsum("nk,nk->n", direction, p)


def _out_of_fold(
    calibrator: Any, z: Array, y: Array, w: Weight, folds: Sequence[Array]
) -> Iterator[Array]:
    for rows in folds:
        training = np.ones(len(z), bool)
        training[rows] = False
        fitted = clone(calibrator)
        fitted._fit(z[training], y[training], None if w is None else w[training])
        # a fold may lack a class; the columns are those of all rows
        fitted.classes_ = np.arange(z.shape[1])
        yield fitted._predict_proba(z[rows])
