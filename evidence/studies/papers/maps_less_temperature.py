"""Compute maps_less_temperature.csv: one map less temperature scaling in four metrics.

The paired basic bootstrap intervals promise nothing: chance adds to each error, and not as much to
both.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.nixon_networks import SOURCES, predicted_by_maps
from evidence.studies.parts.two_sets import SEED

COMPARED_METRICS: dict[str, Callable[..., float]] = {
    "ece": calib.ece,
    "tace": calib.tace,
    "sce": calib.sce,
    "ace": calib.ace,
}
N_RESAMPLES = 1000


def difference_rows(
    source: str, y: np.ndarray, prob: dict[str, np.ndarray]
) -> Iterator[Row]:
    for method in [m for m in prob if m != "temperature"]:
        for metric, function in COMPARED_METRICS.items():
            pair = y, prob[method], prob["temperature"]
            rng = generator(source, method, metric, seed=SEED)
            options: dict[str, Any] = {
                "method": "basic",
                "n_resamples": N_RESAMPLES,
                "rng": rng,
            }
            estimate = calib.paired_difference(function, *pair, **options)
            yield {
                "source": source,
                "calibrator": method,
                "metric": metric,
                "temperature": float(function(y, prob["temperature"])),
                "difference": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "n_resamples": N_RESAMPLES,
            }


def rows() -> Iterator[Row]:
    for source in SOURCES:
        yield from difference_rows(source, *predicted_by_maps(source))
