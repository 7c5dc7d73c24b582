"""What the benchmarks compile computes what the library computes."""

import sys

import numpy as np
import pytest
from helpers import ROOT

import calib

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
import compiled

RNG = np.random.default_rng(0)
Z = RNG.standard_normal((3000, 7), dtype=np.float32)
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(2 * Z)


@pytest.mark.parametrize("name", ["ece", "nll"])
def test_a_metric(name):
    expected = getattr(calib, name)(Y, P)
    assert getattr(compiled, name)(Y, P) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(ValueError, match="not probabilities"):
        getattr(compiled, name)(Y, 2 * P)


def test_isotonic():
    for k, n_blocks in enumerate(compiled.isotonic(Y, P)):
        fitted = calib.IsotonicCalibration().fit(P[:, k], Y == k)
        assert len(np.unique(fitted.values_)) == n_blocks
