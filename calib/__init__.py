"""Calibration of neural networks: metrics, recalibration and diagrams.

A name that is imported as itself is public, and so is each that a module of metrics lists. Parts of
scipy are reached through ``scipy.``, which imports them when they are first used.
"""

import types

from calib.bins import Bins as Bins
from calib.bins import equal_mass as equal_mass
from calib.bins import equal_width as equal_width
from calib.check import Pairs as Pairs
from calib.check import Vectors as Vectors
from calib.check import as_logits as as_logits
from calib.check import softmax as softmax
from calib.conformal import ConformalSets as ConformalSets
from calib.conformal import set_coverage as set_coverage
from calib.groups import GroupErrors as GroupErrors
from calib.groups import group_errors as group_errors
from calib.groups import shrink as shrink
from calib.intervals import Band as Band
from calib.intervals import CalibrationTest as CalibrationTest
from calib.intervals import Estimate as Estimate
from calib.intervals import bootstrap as bootstrap
from calib.intervals import bootstrap_statistic as bootstrap_statistic
from calib.intervals import consistency_band as consistency_band
from calib.intervals import consistency_test as consistency_test
from calib.intervals import cumulative_test as cumulative_test
from calib.intervals import error_if_calibrated as error_if_calibrated
from calib.intervals import folds as folds
from calib.intervals import holm as holm
from calib.intervals import paired_difference as paired_difference
from calib.intervals import spiegelhalter_test as spiegelhalter_test
from calib.intervals import wilson_interval as wilson_interval
from calib.maps.base import Calibrator as Calibrator
from calib.maps.base import ConvergenceError as ConvergenceError
from calib.maps.base import NotFittedError as NotFittedError
from calib.maps.of_logits import DirichletCalibration as DirichletCalibration
from calib.maps.of_logits import EnsembleTemperatureScaling as EnsembleTemperatureScaling
from calib.maps.of_logits import MatrixScaling as MatrixScaling
from calib.maps.of_logits import StructuredMatrixScaling as StructuredMatrixScaling
from calib.maps.of_logits import TemperatureScaling as TemperatureScaling
from calib.maps.of_logits import VectorScaling as VectorScaling
from calib.maps.of_scores import BBQ as BBQ
from calib.maps.of_scores import BetaCalibration as BetaCalibration
from calib.maps.of_scores import HistogramBinning as HistogramBinning
from calib.maps.of_scores import IsotonicCalibration as IsotonicCalibration
from calib.maps.of_scores import PlattScaling as PlattScaling
from calib.maps.of_scores import QuadraticScaling as QuadraticScaling
from calib.maps.of_scores import ScalingBinning as ScalingBinning
from calib.maps.of_scores import VennAbers as VennAbers
from calib.maps.saved import load_map as load_map
from calib.maps.saved import save_map as save_map
from calib.maps.spline import SplineCalibration as SplineCalibration
from calib.maps.wrappers import CrossValidated as CrossValidated
from calib.maps.wrappers import LossParts as LossParts
from calib.maps.wrappers import OneVsRest as OneVsRest
from calib.maps.wrappers import RankWise as RankWise
from calib.maps.wrappers import TopLabel as TopLabel
from calib.maps.wrappers import TopR as TopR
from calib.maps.wrappers import WithinTopR as WithinTopR
from calib.maps.wrappers import held_out as held_out
from calib.maps.wrappers import refine_parts as refine_parts
from calib.metrics import *
from calib.plots import classwise_diagrams as classwise_diagrams
from calib.plots import reliability_diagram as reliability_diagram
from calib.plots import reliability_plot as reliability_plot
from calib.priors import PriorEstimate as PriorEstimate
from calib.priors import adjust_priors as adjust_priors
from calib.priors import estimate_priors as estimate_priors
from calib.selective import *
from calib.unbinned import *
from calib.views import one_vs_rest as one_vs_rest
from calib.views import top_label as top_label
from calib.views import top_r as top_r
from calib.views import within_top_r as within_top_r

__version__ = "0.2.0"

__all__ = [
    name
    for name, value in globals().items()
    if not name.startswith("_") and not isinstance(value, types.ModuleType)
]


def __dir__() -> list[str]:
    return sorted(__all__)
