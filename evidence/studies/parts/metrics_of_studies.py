"""Metrics that several studies take: of the top label, and of whole vectors."""

from collections.abc import Callable
from functools import partial

import numpy as np

import calib
from calib.registry import reads_pairs
from calib.views import top_label


def confidence(
    y_true: np.ndarray, y_prob: np.ndarray, sample_weight: None = None
) -> float:
    return float(np.average(top_label(y_true, y_prob)[0], weights=sample_weight))


ALL_METRICS: dict[str, Callable[..., float]] = {
    "accuracy": calib.accuracy,
    "confidence": confidence,
    "ece": calib.ece,
    "ece_25": partial(calib.ece, n_bins=25),  # as Gupta prints it
    "ece_mass": partial(calib.calibration_error, bins=calib.equal_mass(15)),
    "mce": calib.mce,
    "rmsce": calib.rmsce,
    "ks": calib.ks_error,
    "kde_ece": calib.kde_ece,
    "smooth_ece": calib.smooth_ece,
    "debiased_ece": calib.debiased_ece,
    "psce": calib.psce,
    "top1_brier": calib.top1_brier,
    "classwise_ece": calib.classwise_ece,
    "ace": calib.ace,
    "tace": calib.tace,
    "classwise_ks": calib.classwise_ks,
    "nll": calib.nll,
    "brier": calib.brier,
}


TOP_METRICS: dict[str, Callable[..., float]] = {
    k: m for k, m in ALL_METRICS.items() if m is confidence or reads_pairs(m)
}


FULL_METRICS: dict[str, Callable[..., float]] = {
    k: m for k, m in ALL_METRICS.items() if k not in TOP_METRICS
}
