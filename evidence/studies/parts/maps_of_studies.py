"""Maps that several studies fit: of one score, and of whole vectors."""

from typing import Any

import calib

MAPS_OF_SCORES: dict[str, Any] = {
    "histogram": calib.HistogramBinning(n_bins=20),
    "histogram-mass": calib.HistogramBinning(n_bins=20, strategy="mass"),
    "isotonic": calib.IsotonicCalibration(),
    "bbq": calib.BBQ(),
    "platt": calib.PlattScaling(),
    "beta": calib.BetaCalibration(),
    "spline": calib.SplineCalibration(floor=0),
}


MAPS_OF_VECTORS: dict[str, Any] = {
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
    "matrix-odir": calib.MatrixScaling(lam=10, mu=1e-2),
    "dirichlet-odir": calib.DirichletCalibration(lam=10, mu=1e-2),
    "histogram": calib.OneVsRest(calib.HistogramBinning(n_bins=20)),
    "isotonic": calib.OneVsRest(calib.IsotonicCalibration()),
    "bbq": calib.OneVsRest(calib.BBQ()),
    "spline": calib.RankWise(calib.SplineCalibration(floor=0)),
}
