"""A study of all maps on many prediction sets of 10 000 x 10: seconds, and which maps take them.

``PYTHONPATH=. .venv/bin/python tests/benchmarks/study.py [sets] [processes]``: 100 and 2. Each map
is fitted to one half and measured on the other. Prints a table of the processor's seconds a set.
"""

import sys
import time
from functools import partial

import numpy as np

import calib
from book.evidence.study import run_study

BINARY = {
    "histogram": calib.HistogramBinning(),
    "isotonic": calib.IsotonicCalibration(),
    "BBQ": calib.BBQ(),
    "Platt": calib.PlattScaling(),
    "beta": calib.BetaCalibration(),
    "spline": calib.SplineCalibration(),
    "scaling-binning": calib.ScalingBinning(calib.PlattScaling()),
}
MAPS = {
    "none": None,
    "temperature": calib.TemperatureScaling(),
    "ensemble temperature": calib.EnsembleTemperatureScaling(),
    "vector": calib.VectorScaling(),
    "matrix, ODIR": calib.MatrixScaling(lam=1.0, mu=1.0),
    "Dirichlet": calib.DirichletCalibration(lam=1.0, mu=1.0),
    "structured matrix": calib.StructuredMatrixScaling(),
    **{f"{name}, one-vs-rest": calib.OneVsRest(binary) for name, binary in BINARY.items()},
    "spline, by rank": calib.RankWise(calib.SplineCalibration()),
    **{f"{name}, top label": calib.TopLabel(binary) for name, binary in BINARY.items()},
}
METRICS = {"ECE": calib.ece, "classwise ECE": calib.classwise_ece, "NLL": calib.nll}


def network(seed):
    """Logits that are too large by a class's own factor, for half the samples and the other."""
    rng = np.random.default_rng(seed)
    z = 2 * rng.standard_normal((10_000, 10))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    z *= rng.uniform(1.2, 2, 10)
    return z[:5000], y[:5000], z[5000:], y[5000:]


def main(n_sets=100, n_jobs=2):
    sets = {f"set {seed}": partial(network, seed) for seed in range(n_sets)}
    start = time.perf_counter()
    table = run_study(sets, MAPS, METRICS, n_jobs=n_jobs, seconds=True, progress=False)
    took = time.perf_counter() - start
    one = table.drop_duplicates(["prediction", "calibrator"])
    by_map = one.groupby("calibrator")[["fit_seconds", "predict_seconds"]].mean()
    by_map["both"] = by_map.sum(axis=1)
    print(by_map.sort_values("both", ascending=False).round(4).to_string())
    print(f"{n_sets} sets, {len(MAPS)} maps, {n_jobs} processes: {took:.1f} s of wall time")
    print(f"processor: {by_map['both'].sum():.2f} s a set for fits and predictions")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
