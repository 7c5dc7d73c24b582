"""Bootstrap intervals of the main metrics where they are finite, the calibrators held fixed."""

import numpy as np

import calib
from book.evidence import load_source
from book.evidence.study import calibrated, measured_on

from .evaluate import SEED, in_order, studies
from .tables import generator

N_RESAMPLES = 1000
METRICS = ["accuracy", "ece", "ks", "top1_brier", "classwise_ece", "nll", "brier"]
UNCALIBRATED = [*METRICS, "smooth_ece"]


def intervals(name: str) -> list[dict]:
    """95 % basic intervals of one source."""
    rows = []
    for samples, calibration, test, calibrators, metrics in studies(load_source(name)):
        for calibrator, rule in calibrators.items():
            wanted = UNCALIBRATED if calibrator == "none" else METRICS
            if not metrics.keys() & set(wanted):
                continue
            outputs = calibrated(rule, calibration, test)
            for metric in metrics.keys() & set(wanted):
                function = metrics[metric]
                y_true, y_prob = measured_on(function, outputs)
                if np.isfinite(function(y_true, y_prob)):
                    rows.append(one(name, calibrator, samples, metric, function, y_true, y_prob))
    return sorted(rows, key=in_order)


def one(source, calibrator, samples, metric, function, y_true, y_prob) -> dict:
    """One row."""
    cell = f"{source}/{calibrator}/{samples}/{metric}"
    rng = generator(cell, seed=SEED)
    options = {"method": "basic", "n_resamples": N_RESAMPLES, "rng": rng}
    found = calib.bootstrap(function, y_true, y_prob, **options)
    row = {"source": source, "calibrator": calibrator, "samples": samples, "metric": metric}
    row |= {"value": found.value, "low": found.low, "high": found.high}
    return row | {"standard_error": found.standard_error, "n_resamples": N_RESAMPLES}
