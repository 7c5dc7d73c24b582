"""Compute metric_intervals.csv: 95 % intervals of the main metrics of all public predictions.

`python -m evidence.studies metric_intervals` from the root: hours. The calibrators are held fixed,
and a metric that is not finite has no interval. They are basic bootstrap intervals: of losses they
hold the truth as often as they say, of errors near calibration less often.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_source, source_names
from evidence.data import generator
from evidence.fit_and_measure import calibrated, measured_on
from evidence.network_outputs import Outputs
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.metrics_of_sources import in_order, tasks_of
from evidence.studies.parts.two_sets import SEED

N_RESAMPLES = 1000
METRICS_WITH_INTERVALS = [
    "accuracy",
    "ece",
    "ks",
    "top1_brier",
    "classwise_ece",
    "nll",
    "brier",
]
UNCALIBRATED = [*METRICS_WITH_INTERVALS, "smooth_ece"]


def intervals(name: str) -> list[Row]:
    """95 % basic intervals of one source."""
    rows: list[Row] = []
    for task in tasks_of(load_source(name)):
        samples, calibration, test, calibrators, metrics = task
        for calibrator, rule in calibrators.items():
            names = UNCALIBRATED if calibrator == "none" else METRICS_WITH_INTERVALS
            chosen = {key: metrics[key] for key in names if key in metrics}
            if not chosen:
                continue
            outputs = (
                test if calibration is None else calibrated(rule, calibration, test)
            )
            head = {"source": name, "calibrator": calibrator, "samples": samples}
            rows += of_metrics(head, chosen, outputs)
    return sorted(rows, key=in_order)


def of_metrics(
    head: dict[str, str], metrics: dict[str, Callable[..., float]], outputs: Outputs
) -> Iterator[Row]:
    """Yield the interval of each metric of outputs that is finite."""
    for metric, function in metrics.items():
        pair = measured_on(function, outputs)
        if np.isfinite(function(*pair)):
            yield interval_row(head | {"metric": metric}, function, pair)


def interval_row(
    head: dict[str, str],
    function: Callable[..., float],
    pair: tuple[np.ndarray, np.ndarray],
) -> Row:
    rng = generator("/".join(head.values()), seed=SEED)
    options: dict[str, Any] = {
        "method": "basic",
        "n_resamples": N_RESAMPLES,
        "rng": rng,
    }
    estimate = calib.bootstrap(function, *pair, **options)
    row = head | {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return row | {"standard_error": estimate.standard_error, "n_resamples": N_RESAMPLES}


def rows() -> list[Row]:
    return compute_pieces("metric_intervals", intervals, source_names())
