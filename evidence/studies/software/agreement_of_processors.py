"""Compute agreement_of_processors.csv: how far fitted maps agree on other types of processor.

`python -m evidence.studies agreement_of_processors` from the root, two minutes. Every map is fitted
to 2000 samples of five classes, in float64, float32 and float16, and applied to 500 others: as this
processor does it, with numpy's dispatch lowered (NPY_DISABLE_CPU_FEATURES, all that was found), and
with OpenBLAS told that the processor is an older one (OPENBLAS_CORETYPE). `apart` is the largest
difference of a probability. A number is rounded to its type before it is given to a map, the same
everywhere.
"""

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import calib
from evidence.rows import Row

SEED, N_FIT, N_NEW, N_CLASSES = 2027, 2000, 500, 5
TYPES = ("float64", "float32", "float16")
OLD_CORES = ("Haswell", "Nehalem")
OF_LOGITS = {
    name: getattr(calib, name)
    for name in (
        "TemperatureScaling",
        "EnsembleTemperatureScaling",
        "VectorScaling",
        "MatrixScaling",
        "DirichletCalibration",
        "StructuredMatrixScaling",
    )
}
OF_SCORES = {
    name: getattr(calib, name)
    for name in (
        "HistogramBinning",
        "IsotonicCalibration",
        "BBQ",
        "PlattScaling",
        "BetaCalibration",
        "QuadraticScaling",
        "SplineCalibration",
        "VennAbers",
    )
}
OF_SCORES["ScalingBinning"] = partial(calib.ScalingBinning, calib.PlattScaling())


def outputs_of_maps() -> dict[str, np.ndarray]:
    """Return what each map gives the new samples, by its name and type."""
    rng = np.random.default_rng(SEED)
    z = 2 * rng.normal(size=(N_FIT + N_NEW, N_CLASSES))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    # whole multiples of 1 / 256, which each type and processor holds exactly
    z = np.round(1.5 * 256 * z) / 256
    score = np.round(4096 * rng.beta(5, 1, N_FIT + N_NEW)) / 4096
    hit = rng.random(len(score)) < score**1.5
    outputs = {}
    for kind in TYPES:
        for name, scaling in OF_LOGITS.items():
            fitted = scaling().fit(z[:N_FIT].astype(kind), y[:N_FIT])
            outputs[f"{name} {kind}"] = fitted.predict_proba(z[N_FIT:].astype(kind))
        for name, scaling in OF_SCORES.items():
            fitted = scaling().fit(score[:N_FIT].astype(kind), hit[:N_FIT])
            outputs[f"{name} {kind}"] = fitted.predict(score[N_FIT:].astype(kind))
    return {name: np.asarray(values, float) for name, values in outputs.items()}


def elsewhere(**lowered: str) -> dict[str, np.ndarray]:
    """Return the same from a process of its own, with variables of its environment."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fitted.npz"
        command = [
            sys.executable,
            "-m",
            "evidence.studies.software.agreement_of_processors",
            str(path),
        ]
        subprocess.run(command, env=os.environ | lowered, check=True)
        with np.load(path) as arrays:
            return dict(arrays)


def processors() -> dict[str, dict[str, str]]:
    """Return by its name what is lowered: variables of the environment."""
    # what this processor has: a list by hand would be of another
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    ways = {
        "numpy's dispatch": {
            "NPY_DISABLE_CPU_FEATURES": " ".join(simd.get("found", []))
        }
    }
    for core in OLD_CORES:
        ways[f"OpenBLAS for {core}"] = {"OPENBLAS_CORETYPE": core}
    both = ways["numpy's dispatch"] | {"OPENBLAS_CORETYPE": OLD_CORES[-1]}
    return ways | {"both": both}


def rows() -> Iterator[Row]:
    """Yield one row a map, type and way of lowering."""
    # in a process of its own too, so that both start alike
    here = elsewhere()
    for way, variables in processors().items():
        there = elsewhere(**variables)
        for name, values in here.items():
            map_name, kind = name.split()
            largest = float(np.abs(values - there[name]).max())
            yield {"map": map_name, "type": kind, "lowered": way, "apart": largest}


if __name__ == "__main__":
    warnings.simplefilter("error")
    arrays: dict[str, Any] = outputs_of_maps()
    np.savez(sys.argv[1], **arrays)
