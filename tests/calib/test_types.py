"""What a type checker knows of calib, where a program uses it as the documentation does."""

import os
import subprocess
import sys

import pytest
from helpers import ROOT

PROGRAM = """
from typing import assert_type

import numpy as np

import calib

saved = calib.load_map("map.json")
saved.predict_proba([[1.0, 0.0]])
saved.predict([0.5])
temperature = calib.TemperatureScaling().fit([[1.0, 0.0], [0.0, 1.0]], [0, 1])
assert_type(temperature.temperature_, float)
assert_type(temperature.classes_, np.ndarray)
assert_type(calib.MatrixScaling(lam=0.1).coef_, np.ndarray)
assert_type(calib.HistogramBinning().edges_, np.ndarray)
assert_type(calib.CrossValidated(calib.MatrixScaling()).nll_, np.ndarray)
assert_type(calib.bootstrap(calib.ece, [1], [0.5], rng=0).low, float)
assert_type(calib.ece([1], [0.5]), float)
pairs = calib.Pairs(np.array([0.5]), np.array([True]))
calib.ece(pairs, pairs.score)
calib.risk_coverage(pairs, pairs.score)
calib.bootstrap(calib.ece, pairs, pairs.score, rng=0)
vectors = calib.Vectors.of([0, 1], [[1.0, 0.0], [0.0, 1.0]])
calib.nll(vectors, vectors.p)
calib.consistency_test(calib.classwise_ece, vectors, vectors.p, rng=0)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "expected"),
    [(PROGRAM, "Success"), (PROGRAM + "temperature.temperatur_\n", "temperatur_")],
    ids=["as documented", "a fault"],
)
def test_a_strict_checker_knows_fitted_attributes_and_saved_maps(
    tmp_path, program, expected
):
    path = tmp_path / "program.py"
    path.write_text(program)
    options = [
        "--strict",
        "--config-file=",
        "--ignore-missing-imports",
        "--follow-imports=silent",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, f"--cache-dir={tmp_path}", str(path)],
        env=os.environ | {"MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert expected in done.stdout, done.stdout + done.stderr
