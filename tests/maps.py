"""One calibrator of each class, with the arguments that make its fit to a small set quick."""

import numpy as np

from calib import (
    BBQ,
    BetaCalibration,
    CrossValidated,
    DirichletCalibration,
    EnsembleTemperatureScaling,
    HistogramBinning,
    IsotonicCalibration,
    MatrixScaling,
    OneVsRest,
    PlattScaling,
    RankWise,
    ScalingBinning,
    SplineCalibration,
    StructuredMatrixScaling,
    TemperatureScaling,
    TopLabel,
    TopR,
    VectorScaling,
    WithinTopR,
)

SCORE_MAPS = [
    HistogramBinning(n_bins=4),
    IsotonicCalibration(),
    BBQ(),
    PlattScaling(),
    BetaCalibration(),
    SplineCalibration(target="hits"),
    ScalingBinning(BetaCalibration(), n_bins=6),
]
PROBABILITY_MAPS = [
    TemperatureScaling(),
    VectorScaling(bias=False),
    MatrixScaling(lam=np.float64(0.1)),
    DirichletCalibration(lam=0.1, mu=1),
    EnsembleTemperatureScaling(),
    StructuredMatrixScaling(strength=0.5),
    OneVsRest(IsotonicCalibration(floor=1e-3)),
    RankWise(SplineCalibration(n_knots=4)),
    CrossValidated(MatrixScaling(), {"lam": [0.1, 1.0]}, n_folds=2),
]
VIEW_MAPS = [
    TopLabel(BBQ()),
    TopR(HistogramBinning(), r=2),
    WithinTopR(PlattScaling(), r=2),
]
LOGIT_MAPS = PROBABILITY_MAPS + VIEW_MAPS
