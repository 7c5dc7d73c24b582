"""Maps of one score applied to the predictions of a network, and parameters that data choose.

:class:`OneVsRest` and :class:`RankWise` repair a whole probability vector, class by class or rank
by rank, and normalise it. :class:`TopLabel`, :class:`TopR` and :class:`WithinTopR` repair one score
only: they predict no vector. :class:`CrossValidated` chooses the parameters of another map.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from calib.check import (
    check_count,
    check_labels,
    columns,
    masked_classes,
    normalised_exp,
    ranking,
    row_blocks,
    softmax,
)
from calib.doc import documented
from calib.intervals import folds
from calib.maps.base import (
    ConvergenceError,
    LogitCalibrator,
    ProbabilityCalibrator,
    ScoreCalibrator,
    check_nested,
    clone,
)
from calib.views import View, top_label, top_r, within_top_r

ODIR_GRID: dict[str, Sequence[float]] = {
    "lam": [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
    "mu": [1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0],
}


@dataclass(repr=False, eq=False)
class _MapEach(ProbabilityCalibrator):
    """Base of the maps that fit a map of one score for each class or rank."""

    calibrator: ScoreCalibrator
    _learned: ClassVar = {"maps_": "K maps"}

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ScoreCalibrator)


@documented
class OneVsRest(_MapEach):
    """Fit one map a class, of its probability to whether the sample is of the class; normalise.

    A row whose calibrated scores are all zero becomes uniform. A class whose logit is -inf keeps
    the probability zero.

    %(map of one score)s

    Attributes
    ----------
    maps_ : list of ScoreCalibrator
        The K fitted maps.

    References
    ----------
    Zadrozny & Elkan (2002); Guo et al. (2017), section 4.2.

    Examples
    --------
    >>> from calib import HistogramBinning
    >>> z = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> OneVsRest(HistogramBinning(n_bins=2)).fit(z, [0, 0, 1, 1]).predict_proba(z[:1]).round(3)
    array([[0.667, 0.333]])
    """

    def _fit(self, z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> None:
        self.maps_ = [
            clone(self.calibrator)._fit_pairs(score, y == k, w)
            for k, score in enumerate(_class_scores(z))
        ]

    def _predict_proba(self, z: np.ndarray) -> np.ndarray:
        p = np.empty(z.shape)
        for k, score in enumerate(_class_scores(z)):
            p[:, k] = self.maps_[k]._predict(score)
        return normalise(p, masked_classes(z))


@documented
class RankWise(_MapEach):
    """Fit one map a rank, of the r-th largest probability to whether its class is right; normalise.

    %(map of one score)s

    Attributes
    ----------
    maps_ : list of ScoreCalibrator
        The K fitted maps, that of the largest probability first.

    References
    ----------
    Gupta et al. (2021), appendix, Table 5.

    Examples
    --------
    >>> from calib import HistogramBinning
    >>> z = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> RankWise(HistogramBinning(n_bins=2)).fit(z, [0, 0, 1, 1]).predict_proba(z[2:]).round(3)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """

    def _fit(self, z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> None:
        (_, ranked), p = _ranked(z)
        self.maps_ = [
            clone(self.calibrator)._fit_pairs(p[:, r], ranked[:, r] == y, w)
            for r in range(z.shape[1])
        ]

    def _predict_proba(self, z: np.ndarray) -> np.ndarray:
        places, score = _ranked(z)
        for r, fitted in enumerate(self.maps_):
            score[:, r] = fitted._predict(score[:, r])
        p = np.empty(z.shape)
        p[places] = score
        return normalise(p, masked_classes(z))


@dataclass(repr=False, eq=False)
class InView(LogitCalibrator):
    """Base of the maps of the score of one view: ``predict_score``, ``predict_pairs``.

    The predicted classes stay as they are, and there is no probability vector.
    """

    calibrator: ScoreCalibrator
    _learned: ClassVar = {"map_": "map"}
    keeps_accuracy = True

    @property
    def view(self) -> View:
        """The view: :func:`calib.top_label`, or of a subclass another."""
        return top_label

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ScoreCalibrator)

    def _fit(self, z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> None:
        score, hit = self._pairs(y, z)
        self.map_ = clone(self.calibrator).fit(score, hit, sample_weight=w)

    def _predicted(self, z: np.ndarray) -> np.ndarray:
        return z.argmax(axis=1)

    def _pairs(self, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return scores and hits of the view, from probabilities in float64."""
        pairs = [
            self.view(y[start : start + len(rows)], softmax(rows.astype(np.float64)))
            for start, rows in row_blocks(z)
        ]
        score, hit = zip(*pairs, strict=True)
        return np.concatenate(score), np.concatenate(hit)

    def predict_score(self, logits: ArrayLike) -> np.ndarray:
        """Return the calibrated score of each row of logits, float64 of shape (n,)."""
        z = self._check_logits(logits)
        return self.map_.predict(self._pairs(np.zeros(len(z), np.intp), z)[0])

    def predict_pairs(self, logits: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the calibrated scores and the hits, shape (n,) each, of logits and labels.

        Metrics take them as `y_prob` and `y_true`.
        """
        z = self._check_logits(logits)
        score, hit = self._pairs(check_labels(y, z.shape[1], n=len(z), name="y"), z)
        return self.map_.predict(score), hit


@documented
class TopLabel(InView):
    """Fit one map of the confidence to whether the predicted class is right.

    %(map of one score)s

    %(fitted map)s

    References
    ----------
    Gupta et al. (2021), section 4.2.

    Examples
    --------
    >>> from calib import HistogramBinning
    >>> z = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> top = TopLabel(HistogramBinning(n_bins=2)).fit(z, [0, 0, 1, 1])
    >>> top.predict_score(z[:1])
    array([0.75])
    """


@documented
@dataclass(repr=False, eq=False)
class TopR(InView):
    """Fit one map of the r-th largest probability to whether its class is right.

    %(map of one score)s
    r : int
        Rank, from 1.

    %(fitted map)s

    References
    ----------
    Gupta et al. (2021), equations 4 and 16.

    Examples
    --------
    >>> from calib import HistogramBinning
    >>> z = np.log([[0.7, 0.2, 0.1]] * 4)
    >>> second = TopR(HistogramBinning(n_bins=1), r=2).fit(z, [0, 0, 0, 1])
    >>> second.predict_score(z[:1])
    array([0.25])
    """

    r: int

    @property
    def view(self) -> View:
        """The view :func:`calib.top_r`."""
        return top_r(self.r)


@documented
@dataclass(repr=False, eq=False)
class WithinTopR(InView):
    """Fit one map of the sum of the r largest probabilities to whether one of them is right.

    %(map of one score)s
    r : int
        Number of classes.

    %(fitted map)s

    References
    ----------
    Gupta et al. (2021), equations 5 and 17.

    Examples
    --------
    >>> from calib import HistogramBinning
    >>> z = np.log([[0.7, 0.2, 0.1]] * 4)
    >>> within = WithinTopR(HistogramBinning(n_bins=1), r=2).fit(z, [0, 0, 1, 2])
    >>> within.predict_score(z[:1])
    array([0.75])
    """

    r: int

    @property
    def view(self) -> View:
        """The view :func:`calib.within_top_r`."""
        return within_top_r(self.r)


@dataclass(repr=False, eq=False)
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

    calibrator: ProbabilityCalibrator
    grid: dict[str, Sequence[float]] | None = None
    n_folds: int = 5
    _learned: ClassVar = {"map_": "map", "nll_": "c"}

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
        return self.calibrator.keeps_accuracy

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ProbabilityCalibrator)
        lists = self.grid is None or isinstance(self.grid, dict)
        values = self.grid.values() if lists and self.grid else ()
        if not lists or any(np.ndim(v) != 1 or np.size(v) == 0 for v in values):
            raise ValueError(f"grid: {self.grid!r}, expected a list of values of each parameter")

    def _fit(self, z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> None:
        w = np.ones(len(y)) if w is None else w
        counted = z[w > 0], y[w > 0], w[w > 0]
        check_count(self.n_folds, "n_folds", low=2, high=len(counted[1]))
        held = [np.sort(rows) for rows in folds(counted[1], self.n_folds)]
        nll = [self._held_out_nll(params, *counted, held) for params in self.combinations]
        best = self.combinations[int(np.argmin(nll))]
        self.map_ = clone(self.calibrator).set_params(**best).fit(z, y, sample_weight=w)
        self.nll_ = np.array(nll)

    def _predict_proba(self, z: np.ndarray) -> np.ndarray:
        return self.map_._predict_proba(z)

    def _held_out_nll(
        self,
        params: dict[str, float],
        z: np.ndarray,
        y: np.ndarray,
        w: np.ndarray,
        held: list[np.ndarray],
    ) -> float:
        from scipy.special import xlogy

        total = 0.0
        for out in held:
            candidate = clone(self.calibrator).set_params(**params)
            z_rest, y_rest, w_rest = (np.delete(values, out, axis=0) for values in (z, y, w))
            try:
                candidate.fit(z_rest, y_rest, sample_weight=w_rest)
            except ConvergenceError:
                return np.inf
            p = candidate.predict_proba(z[out])[np.arange(len(out)), y[out]]
            total -= np.sum(xlogy(w[out], p))
        return float(total / w.sum())


def normalise(scores: np.ndarray, masked: np.ndarray | None = None) -> np.ndarray:
    """Divide each row by its sum, in place; a row of zeros becomes uniform, what is masked zero."""
    if masked is not None:
        scores[masked] = 0
    total = scores.sum(axis=1, keepdims=True)
    empty = total[:, 0] == 0
    if empty.any():
        scores[empty] = 1.0 if masked is None else ~masked[empty]
        total = scores.sum(axis=1, keepdims=True)
    scores /= total
    return scores


def _class_scores(z: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the probabilities of each class, shape (n,), in float64."""
    log_norm = np.concatenate([_log_norm(rows) for _, rows in row_blocks(z)])
    for column in columns(z):
        yield np.exp(column - log_norm)


def _ranked(z: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Return the places, rows and columns, of falling probabilities, ties by class, and these."""
    places = np.arange(len(z))[:, None], ranking(z)
    falling = z[places].astype(np.float64)
    return places, normalised_exp(falling - falling[:, :1])


def _log_norm(rows: np.ndarray) -> np.ndarray:
    top = rows.max(axis=1).astype(np.float64)
    return top + np.log(np.exp(rows - top[:, None]).sum(axis=1))
