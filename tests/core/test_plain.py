"""The plain sums that the benchmarks take for a limit are those of the library."""

import sys

import numpy as np
import pytest
from helpers import ROOT

import calib

sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))
import plain


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((3000, 7), dtype=np.float32)
    return (z + rng.gumbel(size=z.shape)).argmax(axis=1), calib.softmax(2 * z)


@pytest.mark.parametrize("name", ["ece", "classwise_ece", "ace", "nll", "brier"])
def test_a_metric(data, name):
    assert getattr(plain, name)(*data) == pytest.approx(getattr(calib, name)(*data), rel=1e-5)


def test_ks(data):
    score, hit = calib.top_label(*data)
    assert plain.ks_error(hit, score) == pytest.approx(calib.ks_error(hit, score))


def test_temperature(data):
    z = np.log(data[1])
    found = calib.TemperatureScaling().fit(z, data[0]).temperature_
    assert plain.temperature(z, data[0]) == pytest.approx(found, rel=1e-4)
