"""Maps whose parameters are chosen by samples that they were not fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import ClassVar

import numpy as np
import scipy

from calib import check
from calib.maps.base import (
    Array,
    CheckedWeight,
    ConvergenceError,
    Learned,
    LearnedMap,
    ProbabilityCalibrator,
    clone,
)
from calib.maps.out_of_fold import out_of_fold
from calib.resampling import folds

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

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        weight = np.ones(len(y)) if weight is None else weight
        check.count(self.n_folds, "n_folds", low=2, high=len(y))
        fold_rows = [np.sort(rows) for rows in folds(y, self.n_folds)]
        nll = [
            self._held_out_nll(params, z, y, weight, fold_rows)
            for params in self.combinations
        ]
        best = self.combinations[int(np.argmin(nll))]
        self.map_: ProbabilityCalibrator = (
            clone(self.calibrator).set_params(**best).fit(z, y, sample_weight=weight)
        )
        self.nll_: Array = np.array(nll)

    def _predict_proba(self, z: Array) -> Array:
        return self.map_._predict_proba(z)

    def _held_out_nll(
        self,
        params: dict[str, float],
        z: Array,
        y: Array,
        weight: Array,
        fold_rows: list[Array],
    ) -> float:
        candidate = clone(self.calibrator).set_params(**params)
        candidate._check_parameters()
        try:
            outside = out_of_fold(candidate, z, y, weight, fold_rows)
            predictions = zip(fold_rows, outside, strict=True)
            of_labels = [
                (weight[rows], p[np.arange(len(rows)), y[rows]])
                for rows, p in predictions
            ]
        # where a fold has no optimum this combination is no choice
        except ConvergenceError:
            return np.inf
        losses = [-np.sum(scipy.special.xlogy(share, p)) for share, p in of_labels]
        return float(sum(losses) / weight.sum())
