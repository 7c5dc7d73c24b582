"""Maps of one score, applied to the predictions of a network in a view.

:class:`OneVsRest` and :class:`RankWise` repair a whole probability vector, class by class or rank
by rank, and normalise it. :class:`TopLabel`, :class:`TopR` and :class:`WithinTopR` repair one score
only: they predict no vector.
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from calib.calibrators.base import (
    Calibrator,
    LogitCalibrator,
    ProbabilityCalibrator,
    ScoreCalibrator,
    check_nested,
    clone,
)
from calib.checks import columns, masked_classes, ranking, row_blocks, softmax
from calib.docs import documented
from calib.views import View, top_label, top_r, within_top_r


class _MapEach(ProbabilityCalibrator):
    """Base of the maps that fit a map of one score for each class or rank."""

    _learned: ClassVar = {"maps_": [Calibrator]}

    def __init__(self, calibrator: Any) -> None:
        self.calibrator = calibrator

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ScoreCalibrator)


class OneVsRest(_MapEach):
    """Fit one map a class, of its probability to whether the sample is of the class; normalise.

    A row whose calibrated scores are all zero becomes uniform. A class whose logit is -inf keeps
    the probability zero.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy, for each class.

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
            clone(self.calibrator).fit(score, y == k, sample_weight=w)
            for k, score in enumerate(_class_scores(z))
        ]

    def _predict_proba(self, z: np.ndarray) -> np.ndarray:
        p = np.empty(z.shape)
        for k, score in enumerate(_class_scores(z)):
            p[:, k] = self.maps_[k].predict(score)
        return normalise(p, masked_classes(z))


class RankWise(_MapEach):
    """Fit one map a rank, of the r-th largest probability to whether its class is right; normalise.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy, for each rank.

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
        ranked, p = _ranked(z)
        self.maps_ = [
            clone(self.calibrator).fit(p[:, r], ranked[:, r] == y, sample_weight=w)
            for r in range(z.shape[1])
        ]

    def _predict_proba(self, z: np.ndarray) -> np.ndarray:
        ranked, score = _ranked(z)
        p = np.empty(z.shape)
        for r, fitted in enumerate(self.maps_):
            np.put_along_axis(p, ranked[:, r : r + 1], fitted.predict(score[:, r])[:, None], axis=1)
        return normalise(p, masked_classes(z))


class ViewCalibrator(LogitCalibrator):
    """Base of the maps of the score of one view: ``predict_score``, ``predict_pairs``.

    The predicted classes stay as they are, and there is no probability vector.
    """

    _learned: ClassVar = {"map_": Calibrator}
    view: Any
    keeps_accuracy = True

    def __init__(self, calibrator: Any) -> None:
        self.calibrator = calibrator

    def _check_parameters(self) -> None:
        check_nested(self.calibrator, ScoreCalibrator)

    def _fit(self, z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> None:
        score, hit = _pairs(self.view, y, z)
        self.map_ = clone(self.calibrator).fit(score, hit, sample_weight=w)

    def _predicted(self, z: np.ndarray) -> np.ndarray:
        return z.argmax(axis=1)

    @documented
    def predict_score(self, logits: ArrayLike) -> np.ndarray:
        """Return the calibrated score of each row.

        Parameters
        ----------
        logits : array_like, shape (n, K)

        Returns
        -------
        ndarray of float64, shape (n,)

        %(of a fitted map)s
        """
        z = self._check_logits(logits)
        return self.map_.predict(_pairs(self.view, np.zeros(len(z), np.intp), z)[0])

    @documented
    def predict_pairs(self, logits: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the calibrated scores and the hits, which metrics take as `y_prob` and `y_true`.

        Parameters
        ----------
        logits : array_like, shape (n, K)
        y : array_like, shape (n,)
            Labels, as in `fit`.

        Returns
        -------
        score : ndarray of float64, shape (n,)
        hit : ndarray of bool, shape (n,)

        %(of a fitted map)s
        """
        z = self._check_logits(logits)
        score, hit = _pairs(self.view, self._labels(y, len(z)), z)
        return self.map_.predict(score), hit


class TopLabel(ViewCalibrator):
    """Fit one map of the confidence to whether the predicted class is right.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy.

    Attributes
    ----------
    map_ : ScoreCalibrator
        The fitted map.

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

    view = staticmethod(top_label)


class TopR(ViewCalibrator):
    """Fit one map of the r-th largest probability to whether its class is right.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy.
    r : int
        Rank, from 1.

    Attributes
    ----------
    map_ : ScoreCalibrator
        The fitted map.

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

    def __init__(self, calibrator: Any, r: int) -> None:
        super().__init__(calibrator)
        self.r = r

    @property
    def view(self) -> Callable[..., Any]:
        """The view :func:`calib.top_r`."""
        return top_r(self.r)


class WithinTopR(ViewCalibrator):
    """Fit one map of the sum of the r largest probabilities to whether one of them is right.

    Parameters
    ----------
    calibrator : ScoreCalibrator
        What is fitted, as a copy.
    r : int
        Number of classes.

    Attributes
    ----------
    map_ : ScoreCalibrator
        The fitted map.

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

    def __init__(self, calibrator: Any, r: int) -> None:
        super().__init__(calibrator)
        self.r = r

    @property
    def view(self) -> Callable[..., Any]:
        """The view :func:`calib.within_top_r`."""
        return within_top_r(self.r)


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


def _class_scores(z: np.ndarray) -> Iterator[Any]:
    """Yield the probabilities of each class, shape (n,), in float64."""
    log_norm = np.concatenate([_log_norm(rows) for _, rows in row_blocks(z)])
    for column in columns(z):
        yield np.exp(column - log_norm)


def _ranked(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes of each row by falling probability, ties by number, and these."""
    ranked = ranking(z)
    return ranked, softmax(np.take_along_axis(z, ranked, axis=1).astype(np.float64))


def _pairs(view: View, y: np.ndarray, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of a view, from probabilities in float64."""
    blocks = [
        view(y[start : start + len(rows)], softmax(rows.astype(np.float64)))
        for start, rows in row_blocks(z)
    ]
    score, hit = zip(*blocks, strict=True)
    return np.concatenate(score), np.concatenate(hit)


def _log_norm(rows: np.ndarray) -> np.ndarray:
    top = rows.max(axis=1).astype(np.float64)
    return top + np.log(np.exp(rows - top[:, None]).sum(axis=1))
