"""What a metric and a map cost in memory and time: `python -m tests.costs` writes a table.

Memory is the peak of what is allocated during the call, as `tracemalloc` counts it for NumPy, in
bytes for each number of the input: 8 would be one copy in double precision. Time is seconds of the
processor, the fastest of three calls; an exponent says how it grows with samples or classes.
Of metrics, the column `wide` has the peak in megabytes beside 50 000 x 1000 probabilities, float32,
which are 200.
"""

import gc
import sys
import time
import tracemalloc
from functools import cache, partial
from math import log

import numpy as np
from helpers import ROOT

import calib
from book.evidence.tables import csv_bytes
from calib.files import write_whole
from calib.metrics import METRICS

TYPES = ("float16", "float32", "float64")
MAPS = {
    "TemperatureScaling": calib.TemperatureScaling(),
    "VectorScaling": calib.VectorScaling(),
    "MatrixScaling": calib.MatrixScaling(lam=1.0),
    "DirichletCalibration": calib.DirichletCalibration(lam=1.0),
    "EnsembleTemperatureScaling": calib.EnsembleTemperatureScaling(),
    "StructuredMatrixScaling": calib.StructuredMatrixScaling(),
    "OneVsRest(HistogramBinning)": calib.OneVsRest(calib.HistogramBinning()),
    "OneVsRest(IsotonicCalibration)": calib.OneVsRest(calib.IsotonicCalibration()),
    "OneVsRest(BetaCalibration)": calib.OneVsRest(calib.BetaCalibration()),
    "RankWise(SplineCalibration)": calib.RankWise(calib.SplineCalibration()),
    "TopLabel(BBQ)": calib.TopLabel(calib.BBQ()),
    "ConformalSets": calib.ConformalSets(),
}
SIZES = {"metric": (20_000, 50), "map": (5000, 10)}  # maps are fitted on fewer
WIDE = (50_000, 1000)
# From the first size to the second the number of samples, or of classes, is 16 or 8 times as large.
GROWTH = {
    "metric": {"samples": ((20_000, 10), (320_000, 10)), "classes": ((20_000, 4), (20_000, 64))},
    "map": {"samples": ((1000, 10), (16_000, 10)), "classes": ((3000, 3), (3000, 24))},
}


def samples(n, n_classes, dtype="float64"):
    """Labels, and logits of a model that is too confident."""
    rng = np.random.default_rng(0)
    z = 2 * rng.standard_normal((n, n_classes))
    y = (z / 2 + rng.gumbel(size=z.shape)).argmax(axis=1)
    return y, z.astype(dtype)


def calls(kind, name, y, z):
    """Return what is to be called without arguments: a metric, or a fit and a prediction."""
    if kind == "metric":
        return partial(METRICS[name].function, y, calib.softmax(z).astype(z.dtype))
    x = calib.softmax(z).astype(z.dtype) if name == "ConformalSets" else z

    def use():
        fitted = MAPS[name].fit(x, y)
        for method in ("predict_proba", "predict_score", "predict"):
            if hasattr(fitted, method):
                return getattr(fitted, method)(x)

    return use


def peak(call):
    """Bytes allocated at most at once during a call."""
    call()  # what is kept from a first call is not counted
    gc.collect()
    tracemalloc.start()
    call()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return found


def seconds(call, repeats=3):
    def once():
        start = time.process_time()
        call()
        return time.process_time() - start

    return min(once() for _ in range(repeats))


def memory(kind, name, dtype):
    """Peak bytes a number of the input, on arrays of one type."""
    n, n_classes = SIZES[kind]
    return peak(calls(kind, name, *samples(n, n_classes, dtype))) / (n * n_classes)


@cache
def wide():
    """Labels and float32 probabilities of many classes."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal(WIDE, dtype=np.float32)
    y = rng.integers(0, WIDE[1], WIDE[0])
    z[np.arange(len(y)), y] += rng.gamma(4, 2, len(y)).astype(np.float32)
    return y, calib.softmax(z)


def megabytes_beside(name):
    """Peak megabytes of a metric beside :func:`wide`."""
    return peak(partial(METRICS[name].function, *wide())) / 1e6


def times(kind, name):
    """Seconds at the full size, and exponents of the numbers of samples and of classes."""
    found = {"seconds": round(seconds(calls(kind, name, *samples(*SIZES[kind]))), 4)}
    for what, (small, large) in GROWTH[kind].items():
        few, many = (seconds(calls(kind, name, *samples(*size))) for size in (small, large))
        growth = (large[0] * large[1]) / (small[0] * small[1])
        found[what] = round(log(many / few) / log(growth), 1)
    return found


def entries():
    return [("metric", name) for name in METRICS] + [("map", name) for name in MAPS]


def main():
    rows = []
    for kind, name in entries():
        row = {"kind": kind, "name": name}
        row |= {dtype: round(memory(kind, name, dtype), 1) for dtype in TYPES}
        row["wide"] = round(megabytes_beside(name), 1) if kind == "metric" else ""
        rows.append(row | times(kind, name))
        print(*rows[-1].values(), flush=True)
    write_whole(ROOT / "data" / "results" / "costs.csv", csv_bytes(rows))


if __name__ == "__main__":
    sys.exit(main())
