"""Bootstrap intervals of the main metrics where they are finite, the calibrators held fixed."""

import zlib

import numpy as np

import calib
from book.evidence import load_source

from .evaluate import SEED, outcomes

N_RESAMPLES = 200
METRICS = ["accuracy", "ece", "ks", "top1_brier", "classwise_ece", "nll", "brier"]
UNCALIBRATED = [*METRICS, "smooth_ece"]


def intervals(name: str) -> list[dict]:
    """95 % basic intervals of one source."""
    rows = []
    for calibrator, samples, found in outcomes(load_source(name)):
        for metric, function, y_true, y_prob in found.cells():
            wanted = UNCALIBRATED if calibrator == "none" else METRICS
            if metric not in wanted or not np.isfinite(function(y_true, y_prob)):
                continue
            cell = f"{name}/{calibrator}/{samples}/{metric}"
            rng = np.random.default_rng([SEED, zlib.crc32(cell.encode())])
            found_interval = calib.bootstrap(
                function, y_true, y_prob, n_resamples=N_RESAMPLES, rng=rng
            )
            rows.append(
                {
                    "source": name,
                    "calibrator": calibrator,
                    "samples": samples,
                    "metric": metric,
                    "value": found_interval.value,
                    "low": found_interval.low,
                    "high": found_interval.high,
                    "standard_error": found_interval.standard_error,
                    "n_resamples": N_RESAMPLES,
                }
            )
    return rows
