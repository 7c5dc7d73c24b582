"""The maps that are tried on simulated networks and on those of the zoo."""

from typing import Any

import calib


def methods(n_classes: int | None = None) -> dict[str, Any]:
    """Calibrators by name. The penalty is cross-validated up to 20 classes, where they are told."""
    matrix: Any = calib.MatrixScaling(lam=100.0, mu=10.0)
    if n_classes and n_classes <= 20:
        matrix = calib.CrossValidated(
            calib.MatrixScaling(), {"lam": [0.01, 1.0, 100.0], "mu": [0.1]}
        )
    return {
        "temperature": calib.TemperatureScaling(no_optimum="raise"),
        "ensemble temperature": calib.EnsembleTemperatureScaling(),
        "vector": calib.VectorScaling(),
        "matrix, ODIR": matrix,
        "histogram": calib.OneVsRest(calib.HistogramBinning(15, strategy="mass")),
        "isotonic": calib.OneVsRest(calib.IsotonicCalibration()),
        "spline, all ranks": calib.RankWise(calib.SplineCalibration()),
    }
