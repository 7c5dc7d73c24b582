"""Metrics and maps answer the same in many threads at once."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import calib

RNG = np.random.default_rng(0)
Z = 2 * RNG.standard_normal((500, 4))
Y = (Z + RNG.gumbel(size=Z.shape)).argmax(axis=1)
P = calib.softmax(Z)
MAPS = [
    calib.TemperatureScaling(),
    calib.VectorScaling(),
    calib.StructuredMatrixScaling(),
    calib.OneVsRest(calib.IsotonicCalibration()),
    calib.RankWise(calib.SplineCalibration()),
]


def in_threads(work):
    """What twenty calls return, eight at a time."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda _: work(), range(20)))


@pytest.mark.parametrize("name", calib.METRICS)
def test_a_metric(name):
    metric = getattr(calib, name)
    assert set(in_threads(lambda: metric(Y, P))) == {metric(Y, P)}


@pytest.mark.parametrize("map_", MAPS, ids=lambda map_: repr(map_)[:30])
def test_a_map_is_fitted_and_applied(map_):
    from calib.maps.base import clone

    def answer():
        return clone(map_).fit(Z, Y).predict_proba(Z[:20])

    alone = answer()
    for result in in_threads(answer):
        np.testing.assert_array_equal(result, alone)


def test_one_fitted_map_serves_all_threads():
    fitted = calib.VectorScaling().fit(Z, Y)
    alone = fitted.predict_proba(Z)
    for result in in_threads(lambda: fitted.predict_proba(Z)):
        np.testing.assert_array_equal(result, alone)


def test_resamples_of_a_generator_of_ones_own():
    def interval():
        alone = calib.bootstrap(calib.ece, Y, P, n_resamples=30, rng=1)
        return alone.low, alone.high

    assert len(set(in_threads(interval))) == 1
