"""Calibration of neural networks: metrics, recalibration and diagrams.

Parts of scipy are reached through ``scipy.``, which imports them when they are first used, and
scikit-learn, an extra, is imported when `CalibratedModel` is.
"""

from typing import TYPE_CHECKING, Any

from calib.bands import (
    Band,
    consistency_band,
    error_if_calibrated,
)
from calib.bins import (
    Bins,
    equal_mass,
    equal_width,
)
from calib.calibration_tests import (
    CalibrationTest,
    consistency_test,
    cumulative_test,
    holm,
    spiegelhalter_test,
)
from calib.check import (
    Pairs,
    Vectors,
)
from calib.conformal import (
    ConformalSets,
    set_coverage,
)
from calib.conversion import (
    from_library,
    is_bfloat16,
)
from calib.decompositions import (
    Decomposition,
    corp_decomposition,
    murphy_decomposition,
)
from calib.differences import (
    paired_difference,
)
from calib.groups import (
    GroupErrors,
    group_errors,
    shrink,
)
from calib.intervals import (
    Estimate,
    bootstrap,
    bootstrap_statistic,
    wilson_interval,
)
from calib.logits import (
    as_logits,
    floor_of,
    softmax,
)
from calib.loss_parts import LossParts, refine_parts
from calib.maps.base import (
    Calibrator,
    ConvergenceError,
    NotFittedError,
)
from calib.maps.cross_validation import CrossValidated
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
from calib.maps.out_of_fold import held_out
from calib.maps.saved import (
    load_map,
    save_map,
    saved_fields,
)
from calib.maps.spline import (
    SplineCalibration,
)
from calib.maps.wrappers import (
    OneVsRest,
    RankWise,
    TopLabel,
)
from calib.metrics import (
    accuracy,
    ace,
    brier,
    brier_per_sample,
    calibration_error,
    classwise_ece,
    debiased_ece,
    ece,
    mce,
    nll,
    nll_per_sample,
    rmsce,
    sce,
    sweep_ece,
    tace,
    top1_brier,
)
from calib.plots import (
    classwise_diagrams,
    reliability_diagram,
    reliability_plot,
)
from calib.priors import (
    PriorEstimate,
    adjust_priors,
    estimate_priors,
)
from calib.registry import (
    METRICS,
)
from calib.resampling import (
    NoIntervalError,
    folds,
)
from calib.selective import (
    RiskCoverage,
    aurc,
    excess_aurc,
    risk_coverage,
)
from calib.sequential import (
    DriftEvidence,
    drift_evidence,
    labels_to_tell,
    log_odds_shift,
    look_sums,
    offset_sequence,
)
from calib.unbinned import (
    classwise_ks,
    kde_ece,
    ks_error,
    psce,
    psce_curve,
    smooth_ece,
    two_bin_error,
)
from calib.vector_errors import VectorError, vector_error
from calib.views import (
    one_vs_rest,
    top_label,
    top_r,
    within_top_r,
)

__version__ = "0.3.0.dev0"

__all__ = [
    "BBQ",
    "METRICS",
    "Band",
    "BetaCalibration",
    "Bins",
    "CalibrationTest",
    "Calibrator",
    "ConformalSets",
    "ConvergenceError",
    "CrossValidated",
    "Decomposition",
    "DirichletCalibration",
    "DriftEvidence",
    "EnsembleTemperatureScaling",
    "Estimate",
    "GroupErrors",
    "HistogramBinning",
    "IsotonicCalibration",
    "LossParts",
    "MatrixScaling",
    "NoIntervalError",
    "NotFittedError",
    "OneVsRest",
    "Pairs",
    "PlattScaling",
    "PriorEstimate",
    "QuadraticScaling",
    "RankWise",
    "RiskCoverage",
    "ScalingBinning",
    "SplineCalibration",
    "StructuredMatrixScaling",
    "TemperatureScaling",
    "TopLabel",
    "VectorError",
    "VectorScaling",
    "Vectors",
    "VennAbers",
    "accuracy",
    "ace",
    "adjust_priors",
    "as_logits",
    "aurc",
    "bootstrap",
    "bootstrap_statistic",
    "brier",
    "brier_per_sample",
    "calibration_error",
    "classwise_diagrams",
    "classwise_ece",
    "classwise_ks",
    "consistency_band",
    "consistency_test",
    "corp_decomposition",
    "cumulative_test",
    "debiased_ece",
    "drift_evidence",
    "ece",
    "equal_mass",
    "equal_width",
    "error_if_calibrated",
    "estimate_priors",
    "excess_aurc",
    "floor_of",
    "folds",
    "from_library",
    "group_errors",
    "held_out",
    "holm",
    "is_bfloat16",
    "kde_ece",
    "ks_error",
    "labels_to_tell",
    "load_map",
    "log_odds_shift",
    "look_sums",
    "mce",
    "murphy_decomposition",
    "nll",
    "nll_per_sample",
    "offset_sequence",
    "one_vs_rest",
    "paired_difference",
    "psce",
    "psce_curve",
    "refine_parts",
    "reliability_diagram",
    "reliability_plot",
    "risk_coverage",
    "rmsce",
    "save_map",
    "saved_fields",
    "sce",
    "set_coverage",
    "shrink",
    "smooth_ece",
    "softmax",
    "spiegelhalter_test",
    "sweep_ece",
    "tace",
    "top1_brier",
    "top_label",
    "top_r",
    "two_bin_error",
    "vector_error",
    "wilson_interval",
    "within_top_r",
]


if TYPE_CHECKING:
    from calib.sklearn import CalibratedModel as CalibratedModel


def __getattr__(name: str) -> Any:
    """Import `CalibratedModel` on first use, so that `calib` itself needs no scikit-learn."""
    if name != "CalibratedModel":
        raise AttributeError(f"module 'calib' has no attribute {name!r}")
    try:
        from calib.sklearn import CalibratedModel
    except ImportError as error:
        extra = "pip install 'neural-calibration[sklearn]'"
        raise ImportError(f"CalibratedModel needs scikit-learn: {extra}") from error
    return CalibratedModel


def __dir__() -> list[str]:
    return sorted([*__all__, "CalibratedModel"])
