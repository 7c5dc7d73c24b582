"""Calibration of neural networks: metrics, recalibration and diagrams."""

from calib import metrics, selective, unbinned
from calib.bins import Bins, equal_mass, equal_width
from calib.check import Pairs, Vectors, as_logits, softmax
from calib.conformal import ConformalSets, set_coverage
from calib.groups import GroupErrors, group_errors, shrink
from calib.intervals import (
    Band,
    CalibrationTest,
    Estimate,
    bootstrap,
    bootstrap_statistic,
    consistency_band,
    consistency_test,
    cumulative_test,
    error_if_calibrated,
    folds,
    holm,
    paired_difference,
    spiegelhalter_test,
    wilson_interval,
)
from calib.maps.base import Calibrator, ConvergenceError, NotFittedError
from calib.maps.of_logits import (
    DirichletCalibration,
    EnsembleTemperatureScaling,
    MatrixScaling,
    StructuredMatrixScaling,
    TemperatureScaling,
    VectorScaling,
)
from calib.maps.of_scores import (
    BBQ,
    BetaCalibration,
    HistogramBinning,
    IsotonicCalibration,
    PlattScaling,
    QuadraticScaling,
    ScalingBinning,
    VennAbers,
)
from calib.maps.saved import load_map, save_map
from calib.maps.spline import SplineCalibration
from calib.maps.wrappers import (
    CrossValidated,
    LossParts,
    OneVsRest,
    RankWise,
    TopLabel,
    TopR,
    WithinTopR,
    held_out,
    refine_parts,
)
from calib.metrics import *
from calib.plots import classwise_diagrams, reliability_diagram, reliability_plot
from calib.priors import PriorEstimate, adjust_priors, estimate_priors
from calib.selective import *
from calib.unbinned import *
from calib.views import one_vs_rest, top_label, top_r, within_top_r

__version__ = "0.2.0"

__all__ = [
    "BBQ",
    "Band",
    "BetaCalibration",
    "Bins",
    "CalibrationTest",
    "Calibrator",
    "ConformalSets",
    "ConvergenceError",
    "CrossValidated",
    "DirichletCalibration",
    "EnsembleTemperatureScaling",
    "Estimate",
    "GroupErrors",
    "HistogramBinning",
    "IsotonicCalibration",
    "LossParts",
    "MatrixScaling",
    "NotFittedError",
    "OneVsRest",
    "Pairs",
    "PlattScaling",
    "PriorEstimate",
    "QuadraticScaling",
    "RankWise",
    "ScalingBinning",
    "SplineCalibration",
    "StructuredMatrixScaling",
    "TemperatureScaling",
    "TopLabel",
    "TopR",
    "VectorScaling",
    "Vectors",
    "VennAbers",
    "WithinTopR",
    "adjust_priors",
    "as_logits",
    "bootstrap",
    "bootstrap_statistic",
    "classwise_diagrams",
    "consistency_band",
    "consistency_test",
    "cumulative_test",
    "equal_mass",
    "equal_width",
    "error_if_calibrated",
    "estimate_priors",
    "folds",
    "group_errors",
    "held_out",
    "holm",
    "load_map",
    "one_vs_rest",
    "paired_difference",
    "refine_parts",
    "reliability_diagram",
    "reliability_plot",
    "save_map",
    "set_coverage",
    "shrink",
    "softmax",
    "spiegelhalter_test",
    "top_label",
    "top_r",
    "wilson_interval",
    "within_top_r",
]
__all__ += metrics.__all__
__all__ += selective.__all__
__all__ += unbinned.__all__


def __dir__() -> list[str]:
    return sorted(__all__)
