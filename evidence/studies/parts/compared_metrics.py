"""The measures of calibration that stand in one race, as functions of hits and scores."""

from collections.abc import Callable
from functools import partial

import numpy as np

import calib

PAIRS: dict[str, Callable[..., float]] = {
    "ece": calib.ece,
    "ece_mass": partial(calib.calibration_error, bins=calib.equal_mass(15)),
    "debiased_ece": calib.debiased_ece,
    "sweep_ece": calib.sweep_ece,
    "ks_error": calib.ks_error,
    "smooth_ece": calib.smooth_ece,
    "kde_ece": calib.kde_ece,
    "psce": calib.psce,
    "two_bin_error": calib.two_bin_error,
    "brier": lambda hit, score: float(np.mean((hit - score) ** 2)),
}


SIZES = (300, 1000, 3000, 10_000)  # of samples of a simulated world
