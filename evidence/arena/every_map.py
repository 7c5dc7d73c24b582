"""Every map of the arena, and what it makes of the calibration sets of one prediction set."""

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

import calib
from evidence.arena.arena_metrics import ARENA_METRICS, as_rows
from evidence.arena.prediction_sets import CalibrationSet, PredictionSet
from evidence.fit_and_measure import SECONDS, measure_maps
from evidence.rows import format_number


class ScikitLearn:
    """A map of scikit-learn, fitted on the logits of a classifier."""

    def __init__(self, method: str) -> None:
        self.method = method

    def fit(self, logits: np.ndarray, y: np.ndarray) -> "ScikitLearn":
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.frozen import FrozenEstimator

        model = FrozenEstimator(classifier_of_decisions(logits.shape[1]))
        calibrated = CalibratedClassifierCV(model, method=self.method, ensemble=False)
        self.map_ = calibrated.fit(decisions(logits), y)
        return self

    def predict_proba(self, logits: np.ndarray) -> np.ndarray:
        return self.map_.predict_proba(decisions(logits))


def decisions(logits: np.ndarray) -> np.ndarray:
    """Return what scikit-learn calls decisions: of two classes one column, a difference."""
    return logits[:, 1:] - logits[:, :1] if logits.shape[1] == 2 else logits


def classifier_of_decisions(n_classes: int) -> Any:
    """Return a classifier of scikit-learn whose features are its decisions."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    class OfDecisions(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
        classes_ = np.arange(n_classes)

        def fit(self, x: np.ndarray, y: np.ndarray) -> "OfDecisions":
            return self

        def __sklearn_is_fitted__(self) -> bool:
            return True

        def decision_function(self, x: np.ndarray) -> np.ndarray:
            return x[:, 0] if n_classes == 2 else x

        def predict(self, x: np.ndarray) -> np.ndarray:
            return x[:, 0] > 0 if n_classes == 2 else x.argmax(axis=1)

    return OfDecisions()


ARENA_MAPS = {
    "none": None,
    "temperature": calib.TemperatureScaling(),
    "ensemble temperature": calib.EnsembleTemperatureScaling(),
    "vector, no bias": calib.VectorScaling(bias=False),
    "vector": calib.VectorScaling(),
    "structured matrix": calib.StructuredMatrixScaling(),
    "matrix, ODIR": calib.MatrixScaling(lam=10, mu=0.01),
    "Dirichlet, ODIR": calib.DirichletCalibration(lam=10, mu=0.01),
    "matrix": calib.MatrixScaling(),
    "Dirichlet": calib.DirichletCalibration(),
    "Platt": calib.OneVsRest(calib.PlattScaling()),
    "beta": calib.OneVsRest(calib.BetaCalibration()),
    "quadratic": calib.OneVsRest(calib.QuadraticScaling()),
    "scaling-binning": calib.OneVsRest(calib.ScalingBinning(calib.PlattScaling())),
    "histogram": calib.OneVsRest(calib.HistogramBinning()),
    "histogram, equal mass": calib.OneVsRest(calib.HistogramBinning(strategy="mass")),
    "spline": calib.OneVsRest(calib.SplineCalibration(floor=0)),
    "spline, rank by rank": calib.RankWise(calib.SplineCalibration(floor=0)),
    "isotonic": calib.OneVsRest(calib.IsotonicCalibration()),
    "isotonic, rank by rank": calib.RankWise(calib.IsotonicCalibration()),
    "Venn-Abers": calib.OneVsRest(calib.VennAbers()),
    "BBQ": calib.OneVsRest(calib.BBQ()),
    "scikit-learn temperature": ScikitLearn("temperature"),
    "scikit-learn sigmoid": ScikitLearn("sigmoid"),
    "scikit-learn isotonic": ScikitLearn("isotonic"),
}
# beyond, maps of more than a processor second a fit on simulated logits are out
MOST_CLASSES = 60
SLOW = {
    "matrix, ODIR",
    "Dirichlet, ODIR",
    "matrix",
    "Dirichlet",
    "BBQ",
    "scikit-learn sigmoid",
}


def fit_to_prediction_set(
    samples: PredictionSet,
    calibration_sets: Iterable[CalibrationSet],
    maps: dict[str, Any],
) -> list[dict[str, Any]]:
    """Return one row a calibration set and map, numbers with six digits and seconds with two."""
    head: dict[str, Any] = {"set": samples.name, "dataset": samples.dataset}
    head["classes"] = samples.calibration_logits.shape[1]
    rows = []
    for learnt in calibration_sets:
        test = (samples.test_logits, samples.test_y)
        sets = {samples.name: (learnt.logits, learnt.y, *test)}
        with warnings.catch_warnings():
            # a warning is no failure: what the map gives is judged all the same
            warnings.simplefilter("ignore")
            table = measure_maps(
                sets, maps, ARENA_METRICS, n_jobs=1, seconds=True, progress=False
            )
        measured = as_rows(table).set_index("map").loc[list(maps)].reset_index()
        for row in measured.to_dict("records"):
            keys = {"n": learnt.n, "order": learnt.order, "map": row["map"]}
            values = {key: format_number(row[key], ".6g") for key in ARENA_METRICS}
            seconds = {key: format_number(row[key], ".2g") for key in SECONDS}
            rows.append(head | keys | values | seconds | {"failure": row["failure"]})
    return rows
