"""The plain sums that the benchmarks take for a limit are those of the library."""

import numpy as np
import plain
import pytest

import calib


def test_plain_sums_are_those_of_the_library():
    rng = np.random.default_rng(0)
    z = rng.standard_normal((3000, 7), dtype=np.float32)
    y, p = (z + rng.gumbel(size=z.shape)).argmax(axis=1), calib.softmax(2 * z)
    for name in ("ece", "classwise_ece", "ace", "nll", "brier"):
        assert getattr(plain, name)(y, p) == pytest.approx(
            getattr(calib, name)(y, p), rel=1e-5
        )
    score, hit = calib.top_label(y, p)
    assert plain.ks_error(hit, score) == pytest.approx(calib.ks_error(hit, score))
    temperature = calib.TemperatureScaling().fit(np.log(p), y).temperature_
    assert plain.temperature(np.log(p), y) == pytest.approx(temperature, rel=1e-4)
