"""Choose a map's parameters by cross-validation on the calibration set."""

from itertools import product
from typing import Any, ClassVar

import numpy as np
from scipy.special import xlogy

from calib.calibrators.base import (
    Calibrator,
    ConvergenceError,
    ProbabilityCalibrator,
    check_nested,
    clone,
)
from calib.checks import check_count

ODIR_GRID = {
    "lam": [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
    "mu": [1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0],
}


class CrossValidated(ProbabilityCalibrator):
    """Fit a map with the parameters of a grid that have the lowest held-out NLL.

    The calibration set is split into folds that hold the same share of each class. Each
    combination of parameters is fitted on all folds but one and scored on that one; samples of
    weight zero are in no fold. The map is then fitted on the whole set with the combination whose
    mean NLL is lowest. A combination that cannot be fitted has an infinite NLL.

    For matrix scaling and Dirichlet calibration the default grid has 36 combinations, 181 fits in
    all: seconds for K = 10 and 5000 samples, minutes for K = 100. Beyond K = 20 this project does
    not cross-validate them but takes lam = 100 and mu = 10.

    Parameters
    ----------
    calibrator : ProbabilityCalibrator
        What is fitted, as copies.
    grid : dict of list, optional
        Values of the parameters by name. By default `lam` takes the powers of ten from 0.01 to
        1000 and `mu` those from 1e-4 to 10.
    n_folds : int
        Number of folds, at most that of samples with a positive weight.

    Attributes
    ----------
    map_ : ProbabilityCalibrator
        The map fitted on the whole set.
    nll_ : ndarray, shape (n_combinations,)
        Held-out NLL of each combination, the last parameter changing fastest.

    References
    ----------
    Kull et al. (2019), section 4, who average the maps of the five folds instead of fitting again.

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

    _learned: ClassVar = {"map_": Calibrator, "nll_": ("combinations",)}

    def __init__(
        self, calibrator: Any, grid: dict[str, Any] | None = None, n_folds: int = 5
    ) -> None:
        self.calibrator = calibrator
        self.grid = grid
        self.n_folds = n_folds

    @property
    def combinations(self) -> list[dict[str, float]]:
        """The combinations of parameters, in the order of `nll_`."""
        grid = ODIR_GRID if self.grid is None else self.grid
        return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]

    @property
    def best_params_(self) -> dict[str, float]:
        """The combination with the lowest held-out NLL."""
        self._check_fitted()
        return self.combinations[self.nll_.argmin()]

    @property
    def keeps_accuracy(self) -> bool:
        """Whether the map cannot change a predicted class."""
        return bool(self.calibrator.keeps_accuracy)

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ProbabilityCalibrator)
        check_grid(self.grid)

    def _fit(self, z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> None:
        w = np.ones(len(y)) if w is None else w
        counted = z[w > 0], y[w > 0], w[w > 0]
        check_count(self.n_folds, "n_folds", low=2, high=len(counted[1]))
        folds = stratified_folds(counted[1], self.n_folds)
        nll = [self._held_out_nll(params, *counted, folds) for params in self.combinations]
        best = self.combinations[int(np.argmin(nll))]
        self.map_ = clone(self.calibrator).set_params(**best).fit(z, y, sample_weight=w)
        self.nll_ = np.array(nll)

    def _predict_proba(self, z: np.ndarray) -> np.ndarray:
        return self.map_.predict_proba(z)

    def _held_out_nll(
        self,
        params: dict[str, float],
        z: np.ndarray,
        y: np.ndarray,
        w: np.ndarray,
        folds: np.ndarray,
    ) -> float:
        total = 0.0
        for fold in range(self.n_folds):
            out = folds == fold
            candidate = clone(self.calibrator).set_params(**params)
            try:
                candidate.fit(z[~out], y[~out], sample_weight=w[~out])
            except ConvergenceError:
                return np.inf
            p = candidate.predict_proba(z[out])[np.arange(out.sum()), y[out]]
            total -= np.sum(xlogy(w[out], p))
        return float(total / w.sum())


def check_grid(grid: dict[str, Any] | None) -> None:
    """Check that a grid holds at least one value of each of its parameters; None is the default."""
    lists = grid is None or isinstance(grid, dict)
    if not lists or any(np.ndim(v) != 1 or np.size(v) == 0 for v in (grid or {}).values()):
        raise ValueError(f"grid: {grid!r}, expected a list of values of each parameter")


def stratified_folds(y: np.ndarray, n_folds: int) -> np.ndarray:
    """Return the fold of each sample: those of a class go to the folds in turn.

    Examples
    --------
    >>> stratified_folds(np.array([0, 1, 0, 0, 1, 0]), 2)
    array([0, 0, 1, 0, 1, 1])
    """
    folds = np.empty(len(y), dtype=np.intp)
    folds[np.argsort(y, kind="stable")] = np.arange(len(y)) % n_folds
    return folds
