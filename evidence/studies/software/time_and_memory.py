"""Compute time_and_memory.csv: what a metric and a map cost in memory and time.

`python -m evidence.studies time_and_memory` from the root, on a machine that does nothing else.

Memory is the peak of what is allocated during the call, as `tracemalloc` counts it for NumPy, in
bytes for each number of the input: 8 would be one copy in double precision. Time is seconds of the
processor, the fastest of three calls; an exponent says how it grows with samples or classes.
Of metrics, the column `wide` has the peak in megabytes beside 50 000 x 1000 probabilities, float32,
which are 200.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import log
from typing import Any

import numpy as np

import calib
from calib import METRICS
from calib.maps.base import Calibrator
from evidence.rows import Row

TYPES = ("float16", "float32", "float64")
MAPS: list[Calibrator] = [
    calib.TemperatureScaling(),
    calib.VectorScaling(),
    calib.MatrixScaling(lam=1.0),
    calib.DirichletCalibration(lam=1.0),
    calib.EnsembleTemperatureScaling(),
    calib.StructuredMatrixScaling(),
    calib.OneVsRest(calib.HistogramBinning()),
    calib.OneVsRest(calib.IsotonicCalibration()),
    calib.OneVsRest(calib.BetaCalibration()),
    calib.RankWise(calib.SplineCalibration()),
    calib.TopLabel(calib.BBQ()),
]
SIZES = {"metric": (20_000, 50), "map": (5000, 10)}  # maps are fitted on fewer
WIDE = (50_000, 1000)
Entry = tuple[str, str]  # "metric" or "map", and its name
Samples = tuple[np.ndarray, np.ndarray]  # labels, and logits or probabilities
# From the first size to the second the number of samples, or of classes, is 16 or 8 times as large.
GROWTH = {
    "metric": {
        "samples": ((20_000, 10), (320_000, 10)),
        "classes": ((20_000, 4), (20_000, 64)),
    },
    "map": {"samples": ((1000, 10), (16_000, 10)), "classes": ((3000, 3), (3000, 24))},
}


def name_of(calibrator: Calibrator) -> str:
    """Return the class of a map, with that of the map inside it."""
    inner = calibrator.get_params().get("calibrator")
    return type(calibrator).__name__ + (f"({type(inner).__name__})" if inner else "")


ENTRIES: dict[Entry, Any] = {
    ("metric", name): METRICS[name].function for name in METRICS
}
ENTRIES |= {("map", name_of(calibrator)): calibrator for calibrator in MAPS}


def samples(n: int, n_classes: int, dtype: str = "float64") -> Samples:
    """Labels, and logits of a model that is too confident."""
    rng = np.random.default_rng(0)
    z = 2 * rng.standard_normal((n, n_classes))
    y = (z / 2 + rng.gumbel(size=z.shape)).argmax(axis=1)
    return y, z.astype(dtype)


def call(entry: Entry, y: np.ndarray, z: np.ndarray) -> Callable[[], Any]:
    """Return what is to be called without arguments: a metric, or a fit and a prediction."""
    if entry[0] == "metric":
        return partial(ENTRIES[entry], y, calib.softmax(z).astype(z.dtype))

    def use() -> Any:
        fitted = ENTRIES[entry].fit(z, y)
        if hasattr(fitted, "predict_proba"):
            return fitted.predict_proba(z)
        return fitted.predict_score(z)

    return use


def peak(function: Callable[[], Any]) -> int:
    """Bytes allocated at most at once during a call."""
    function()  # what is kept from a first call is not counted
    gc.collect()
    tracemalloc.start()
    function()
    bytes_at_peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return bytes_at_peak


def seconds(
    function: Callable[[], Any], repeats: int = 3, longest: float = np.inf
) -> list[float]:
    """Seconds of the processor of each of some calls, that end when they took the longest."""
    durations: list[float] = []
    while len(durations) < repeats and sum(durations) < longest:
        start = time.process_time()
        function()
        durations.append(time.process_time() - start)
    return durations


def memory(entry: Entry, dtype: str) -> float:
    """Peak bytes a number of the input, on arrays of one type."""
    n, n_classes = SIZES[entry[0]]
    return peak(call(entry, *samples(n, n_classes, dtype))) / (n * n_classes)


@cache
def wide() -> Samples:
    """Labels and float32 probabilities of many classes."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal(WIDE, dtype=np.float32)
    y = rng.integers(0, WIDE[1], WIDE[0])
    z[np.arange(len(y)), y] += rng.gamma(4, 2, len(y)).astype(np.float32)
    return y, calib.softmax(z)


def times(entry: Entry) -> Row:
    """Seconds at the full size, and exponents of the numbers of samples and of classes."""
    row: Row = {
        "seconds": round(min(seconds(call(entry, *samples(*SIZES[entry[0]])))), 4)
    }
    for quantity, (small, large) in GROWTH[entry[0]].items():
        small_time, many = (
            min(seconds(call(entry, *samples(*size)))) for size in (small, large)
        )
        growth = (large[0] * large[1]) / (small[0] * small[1])
        exponent = round(log(many / small_time) / log(growth), 1)
        row[quantity] = f"{exponent + 0.0:.1f}"  # never -0.0
    return row


def rows() -> Iterator[Row]:
    for entry in ENTRIES:
        row: Row = dict(zip(("kind", "name"), entry, strict=True))
        row |= {dtype: f"{memory(entry, dtype):.1f}" for dtype in TYPES}
        row["wide"] = ""
        if entry[0] == "metric":
            row["wide"] = f"{peak(partial(ENTRIES[entry], *wide())) / 1e6:.1f}"
        row |= times(entry)
        print(*row.values(), flush=True)
        yield row
