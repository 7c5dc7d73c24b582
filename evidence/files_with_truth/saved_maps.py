"""Maps that are saved and then changed, with arguments that make their fit quick."""

from typing import Any

import numpy as np

import calib
from calib.maps.base import Calibrator

SCORE_MAPS: list[Calibrator] = [
    calib.HistogramBinning(n_bins=4),
    calib.IsotonicCalibration(),
    calib.BBQ(),
    calib.PlattScaling(),
    calib.BetaCalibration(),
    calib.QuadraticScaling(),
    calib.VennAbers(),
    calib.SplineCalibration(target="hits"),
    calib.ScalingBinning(calib.BetaCalibration(), n_bins=6),
]
PROBABILITY_MAPS: list[Calibrator] = [
    calib.TemperatureScaling(),
    calib.VectorScaling(bias=False),
    calib.MatrixScaling(lam=np.float64(0.1)),
    calib.DirichletCalibration(lam=0.1, mu=1),
    calib.EnsembleTemperatureScaling(),
    calib.StructuredMatrixScaling(strength=0.5),
    calib.OneVsRest(calib.IsotonicCalibration(floor=1e-3)),
    calib.RankWise(calib.SplineCalibration(n_knots=4)),
    calib.CrossValidated(calib.MatrixScaling(), {"lam": [0.1, 1.0]}, n_folds=2),
    calib.VectorScaling(shrink=True),
]
VIEW_MAPS: list[Calibrator] = [calib.TopLabel(calib.BBQ())]
LOGIT_MAPS = PROBABILITY_MAPS + VIEW_MAPS


def outputs(fitted: Any, x: np.ndarray) -> np.ndarray:
    """Return what a fitted map makes of x, by its own method."""
    ways = ("predict_proba", "predict_score", "predict")
    return next(getattr(fitted, way)(x) for way in ways if hasattr(fitted, way))
