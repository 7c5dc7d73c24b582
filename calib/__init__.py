"""Calibration of neural networks: metrics, recalibration and diagrams.

Public names are imported on first use, so that ``import calib`` stays quick.
"""

import warnings
from importlib import import_module

TYPE_CHECKING = False  # as `typing` has it, which takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.2.0"

_PUBLIC = {
    "checks": ["as_logits", "softmax"],
    "views": ["one_vs_rest", "top_label", "top_r", "within_top_r"],
    "bins": ["equal_mass", "equal_width"],
    "errors": [
        "ace",
        "calibration_error",
        "classwise_ece",
        "classwise_ks",
        "classwise_psce",
        "debiased_ece",
        "ece",
        "kde_ece",
        "ks_error",
        "mce",
        "psce",
        "psce_curve",
        "rmsce",
        "sce",
        "smooth_ece",
        "sweep_ece",
        "tace",
    ],
    "scores": [
        "accuracy",
        "brier",
        "corp_decomposition",
        "murphy_decomposition",
        "nll",
        "top1_brier",
    ],
    "resampling": ["bootstrap", "paired_difference"],
    "tests": [
        "consistency_test",
        "hosmer_lemeshow_test",
        "skce",
        "skce_test",
        "spiegelhalter_test",
    ],
    "bands": ["consistency_band", "error_if_calibrated"],
    "plots": [
        "classwise_diagrams",
        "ece_against_bins",
        "reliability_diagram",
        "reliability_plot",
    ],
    "selective": ["aurc", "excess_aurc", "risk_coverage"],
    "priors": ["adjust_priors", "estimate_priors"],
    "conformal": ["ConformalSets", "set_coverage"],
    "groups": ["Multicalibration", "group_errors"],
    "calibrators.base": ["Calibrator", "ConvergenceError", "NotFittedError"],
    "calibrators.binary": [
        "BBQ",
        "BetaCalibration",
        "HistogramBinning",
        "IsotonicCalibration",
        "PlattScaling",
        "ScalingBinning",
    ],
    "calibrators.cross_validation": ["CrossValidated"],
    "calibrators.scaling": [
        "DirichletCalibration",
        "EnsembleTemperatureScaling",
        "MatrixScaling",
        "StructuredMatrixScaling",
        "TemperatureScaling",
        "VectorScaling",
    ],
    "calibrators.spline": ["SplineCalibration"],
    "calibrators.storage": ["load_map", "save_map"],
    "calibrators.reductions": ["RankWise", "OneVsRest", "TopLabel", "TopR", "WithinTopR"],
    "model": ["CalibratedModel"],
    "outputs": ["ModelOutputs"],
    "reading": ["read"],
    "accumulator": ["Accumulator"],
    "study": ["run_study"],
    "report": ["make_report"],
}

# Public too, but imported from their modules: losses, simulated models, and what functions return.
_IN_MODULES = {
    "bands": ["Band"],
    "bins": ["Bins"],
    "groups": ["GroupErrors"],
    "losses": ["cross_entropy", "entropy", "focal_loss", "focal_weight", "label_smoothing"],
    "plots": ["error_against_accuracy", "ks_graph"],
    "priors": ["PriorEstimate"],
    "resampling": ["Estimate"],
    "scores": ["Decomposition"],
    "selective": ["RiskCoverage"],
    "simulate": ["BetaDistorted", "LabelNoise", "TemperedGaussian"],
    "tests": ["CalibrationTest"],
}

_MODULE_OF = {name: module for module, names in _PUBLIC.items() for name in names}


_FORMER = {"AllRanks": "RankWise", "Split": "ModelOutputs", "logits": "as_logits"}
_FORMER |= {"save": "save_map"}
_FORMER |= {name: f"{module}.{name}" for module, names in _IN_MODULES.items() for name in names}
_MOVED = {
    *("Predictions", "UndeclaredDataError", "check_paired", "load_published", "load_results"),
    *("load_source", "load_zoo", "source_names", "sources", "zoo_index"),
}


def __getattr__(name: str) -> "Any":
    if name == "__all__":
        return _importable()
    if name in _FORMER:
        new = _FORMER[name]
        warnings.warn(f"calib.{name} is now calib.{new}", DeprecationWarning, stacklevel=2)
        module, _, name = new.rpartition(".")
        return getattr(import_module(f"calib.{module}"), name) if module else __getattr__(new)
    if name in _MOVED:
        raise AttributeError(f"calib.{name} has left the library, see its CHANGELOG.md")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'calib' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"calib.{_MODULE_OF[name]}"), name)
    except ModuleNotFoundError as error:
        from calib.extras import how_to_install

        message = f"calib.{name}: {error}{how_to_install(error.name)}"
        raise ModuleNotFoundError(message, name=error.name) from None
    globals()[name] = value
    return value


def _importable() -> list[str]:
    """Return the public names, without the one whose module needs an extra that is not there."""
    from importlib.util import find_spec

    return sorted(_MODULE_OF.keys() - (set() if find_spec("sklearn") else {"CalibratedModel"}))


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULE_OF])
