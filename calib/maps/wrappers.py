"""Maps of one score applied to the predictions of a network."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.bins import ROUNDING
from calib.check import ATOL
from calib.constants import ATOL_HALF, SMALLEST_PROBABILITY
from calib.maps.base import (
    Array,
    CheckedWeight,
    Learned,
    LearnedMap,
    LogitCalibrator,
    ProbabilityCalibrator,
    ScoreCalibrator,
    clone,
)
from calib.maps.of_logits import TemperatureScaling
from calib.matrices import ENTRIES_AT_ONCE, columns, masked_classes, ranking, row_blocks
from calib.views import top_label

SURE = 37.0  # gap of logits from which on a probability is one; that of the least floor is less


class _MapEach(ProbabilityCalibrator):
    """Base of the maps that fit a map of one score for each class or rank."""

    calibrator: ScoreCalibrator
    _takes = ScoreCalibrator
    _learned: ClassVar = {
        "temperature_": Learned(positive=True),
        "maps_": LearnedMap(ScoreCalibrator, each_class=True),
    }
    _pairs: ClassVar[Any]  # of labels and logits, (score, hit) of each map

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        self.temperature_: float = _unsaturating_temperature(z, y, weight)
        pairs = self._pairs(y, _cooled(z, self.temperature_))
        self.maps_: list[ScoreCalibrator] = [
            clone(self.calibrator)._fit_pairs(score, hit, weight)
            for score, hit in pairs
        ]


class OneVsRest(_MapEach):
    """Fit one map a class, of its probability to whether the sample is of the class; normalise.

    A row of zeros becomes uniform. A class whose logit is -inf keeps the probability zero. Rows of
    logarithms of probabilities, which sum to one within 1e-4, are taken as they are written.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy.

    Attributes
    ----------
    temperature_ : float
        What divides the logits first: 1, or the best temperature of decision values so large that
        most probabilities would be one.
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

    def _pairs(self, y: Array, z: Array) -> Iterator[tuple[Array, Array]]:
        return ((score, y == k) for k, score in enumerate(_class_scores(z)))

    def _predict_proba(self, z: Array) -> Array:
        p = np.empty(z.shape)
        for k, score in enumerate(_class_scores(_cooled(z, self.temperature_))):
            p[:, k] = self.maps_[k]._predict(score)
        return normalise(p, masked_classes(z))


class RankWise(_MapEach):
    """Fit one map a rank, of the r-th largest probability to whether its class is right; normalise.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy.

    Attributes
    ----------
    temperature_ : float
        What divides the logits first: 1, or the best temperature of decision values so large that
        most probabilities would be one.
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

    def _pairs(self, y: Array, z: Array) -> Iterator[tuple[Array, Array]]:
        (_, ranked), p = _ranked(z)
        return ((p[:, r], ranked[:, r] == y) for r in range(z.shape[1]))

    def _predict_proba(self, z: Array) -> Array:
        entries, score = _ranked(_cooled(z, self.temperature_))
        for r, fitted in enumerate(self.maps_):
            score[:, r] = fitted._predict(score[:, r])
        p = np.empty(z.shape)
        p[entries] = score
        return normalise(p, masked_classes(z))


class TopLabel(LogitCalibrator):
    """Fit one map of the confidence to whether the predicted class is right.

    The classes stay as they are, and there is no vector of probabilities.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy.

    Attributes
    ----------
    temperature_ : float
        What divides the logits first, see :class:`OneVsRest`.
    map_ : ScoreCalibrator
        The fitted map.

    References
    ----------
    Gupta et al. (2021), section 4.2.

    Examples
    --------
    >>> from calib import HistogramBinning
    >>> z = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.1, 0.9]])
    >>> TopLabel(HistogramBinning(n_bins=2)).fit(z, [0, 0, 1, 1]).predict_score(z[:1])
    array([0.75])
    """

    calibrator: ScoreCalibrator
    _takes = ScoreCalibrator
    _learned: ClassVar = {
        "temperature_": Learned(positive=True),
        "map_": LearnedMap(ScoreCalibrator),
    }
    keeps_accuracy = True

    def _fit(self, z: Array, y: Array, weight: CheckedWeight) -> None:
        self.temperature_: float = _unsaturating_temperature(z, y, weight)
        self.map_: ScoreCalibrator = clone(self.calibrator)._fit_pairs(
            *self._pairs(y, z), weight
        )

    def _predicted(self, z: Array) -> Array:
        return z.argmax(axis=1)

    def _pairs(self, y: Array, z: Array) -> tuple[Array, Array]:
        """Return confidences and hits, from probabilities in float64."""
        pairs = []
        for first, rows in row_blocks(_cooled(z, self.temperature_)):
            p = np.exp(np.subtract(rows, _log_norm(rows)[:, None], dtype=np.float64))
            pairs.append(top_label(y[first : first + len(rows)], p, atol=ATOL_HALF))
        score, hit = zip(*pairs, strict=True)
        return np.concatenate(score), np.concatenate(hit)

    def predict_score(self, logits: ArrayLike) -> Array:
        """Return the calibrated score of each row of logits, float64 of shape (n,)."""
        z = self._check_logits(logits)
        return self.map_._predict(self._pairs(np.zeros(len(z), np.intp), z)[0])

    def predict_pairs(self, logits: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """Return the calibrated scores and the hits, shape (n,) each, of logits and labels.

        Metrics take them as `y_prob` and `y_true`.
        """
        z = self._check_logits(logits)
        score, hit = self._pairs(check.labels(y, z.shape[1], n=len(z), name="y"), z)
        return self.map_._predict(score), hit


def normalise(scores: Array, masked: Array | None = None) -> Array:
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


def _cooled(z: Array, temperature: float) -> Array:
    return z if temperature == 1 else z / temperature


def _unsaturating_temperature(z: Array, y: Array, weight: CheckedWeight) -> float:
    """Return 1, or the best temperature where most rows have a probability of one in float64.

    Their order would be lost: decision values of a hundred thousand are no logits.
    """
    if np.mean(z.max(axis=1) - z.min(axis=1) > SURE) <= 0.5:
        # quick: the gap is smaller
        return 1.0
    second, top = np.partition(z, -2, axis=1)[:, -2:].T
    if np.mean(top - second > SURE) <= 0.5:
        return 1.0
    with warnings.catch_warnings(action="ignore"):
        # of no optimum: a bound serves as well
        scaling = TemperatureScaling()
        scaling._fit(z, y, weight)
        return scaling.temperature_


def _class_scores(z: Array) -> Iterator[Array]:
    """Yield the probabilities of each class, shape (n,), in float64."""
    if z.size <= ENTRIES_AT_ONCE:
        yield from np.exp(np.subtract(z.T, _log_norm(z), order="C"))
        return
    log_norm = np.concatenate([_log_norm(rows) for _, rows in row_blocks(z)])
    for column in columns(z):
        yield np.exp(column - log_norm)


def _ranked(z: Array) -> tuple[tuple[Array, Array], Array]:
    """Return where the falling probabilities of each row lie, ties by class, and these."""
    entries = np.arange(len(z))[:, None], ranking(z)
    return entries, np.exp(z[entries] - _log_norm(z)[:, None])


def _log_norm(rows: Array) -> Array:
    """Return the logarithm of each row's sum of exponentials; 0 where these are probabilities.

    Their sum is one but for rounding. To divide by it would make many numbers of one, as the other
    classes of the row were rounded.
    """
    rows = np.ascontiguousarray(rows)  # whose rows are summed in one order
    top = rows.max(axis=1).astype(np.float64)
    log_norm = top + np.log(np.exp(rows - top[:, None]).sum(axis=1))
    off = np.abs(log_norm)
    # rows that are log-probabilities already stay as they were written
    log_norm[off <= ATOL] = 0
    near = np.flatnonzero((off > ATOL) & (off <= ATOL_HALF))
    if len(near):
        log_norm[near[_are_float16(np.exp(rows[near].astype(np.float64)))]] = 0
    return log_norm


def _are_float16(p: Array) -> Array:
    """Tell which rows hold probabilities that float16 holds, but for rounding in float64."""
    rounded = p.astype(np.float16).astype(np.float64)
    return (np.abs(rounded - p) <= ROUNDING * p + SMALLEST_PROBABILITY).all(axis=1)
