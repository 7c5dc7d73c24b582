"""Arrays that NumPy takes as indices are of its index type, which has 32 bits on some platforms.

There `bincount` and `add.reduceat` refuse int64 arrays: the cast is not safe. Here uint64 takes
its place in the modules of calib, in the labels and in the random integers, and the two functions
refuse what cannot be cast safely to the index type.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from draws import draw
from maps import LOGIT_MAPS, SCORE_MAPS

import calib
from calib.maps.base import clone

Y, P = draw(120, 4)
Z = np.log(P)
SCORE, HIT = P[:, 1], Y == 1
METRICS = [metric.function for metric in calib.METRICS.values()]


def checked(function, place):
    """Return a function of arrays that refuses an unsafe one at a place among its arguments."""

    def call(*arguments, **options):
        if not np.can_cast(cast := np.asarray(arguments[place]).dtype, np.intp, "safe"):
            raise TypeError(f"{function.__name__}: indices of type {cast}")
        return function(*arguments, **options)

    return call


class NumPy:
    """NumPy as it is where an index has fewer bits than an int64."""

    int64 = np.uint64
    bincount = staticmethod(checked(np.bincount, 0))
    add = SimpleNamespace(reduceat=checked(np.add.reduceat, 1))

    def __getattr__(self, name):
        return getattr(np, name)


class Generator(np.random.Generator):
    """A generator whose integers are unsafe as indices, unless a type is asked for."""

    def integers(self, *arguments, dtype=np.uint64, **options):
        return super().integers(*arguments, dtype=dtype, **options)


@pytest.fixture(autouse=True)
def narrow_indices(monkeypatch):
    for name, module in list(sys.modules.items()):
        if name.startswith("calib.") and getattr(module, "np", None) is np:
            monkeypatch.setattr(module, "np", NumPy())


def rng():
    return Generator(np.random.PCG64(0))


def test_the_stand_in_is_refused():
    with pytest.raises(TypeError, match="bincount: indices of type uint64"):
        calib.bins.np.bincount(rng().integers(3, size=2))
    with pytest.raises(TypeError, match="reduceat: indices of type uint64"):
        calib.bins.np.add.reduceat(np.ones(2), np.zeros(2, calib.bins.np.int64))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.__name__)
def test_metrics_and_their_resamples(metric):
    y = Y.astype(np.uint64)
    assert metric(y, P) == metric(Y, P)
    calib.bootstrap(metric, y, P, n_resamples=3, rng=rng())
    calib.paired_difference(
        metric, y, P, P[:, ::-1], method="basic", n_resamples=3, rng=rng()
    )


@pytest.mark.parametrize("calibrator", SCORE_MAPS + LOGIT_MAPS, ids=repr)
def test_maps(calibrator):
    x, y = (
        (SCORE, HIT.astype(np.uint64))
        if calibrator in SCORE_MAPS
        else (Z, Y.astype(np.uint64))
    )
    fitted = clone(calibrator).fit(x, y)
    weighted = clone(calibrator).fit(x, y, sample_weight=np.ones(len(y)))
    np.testing.assert_allclose(fitted.predict(x), weighted.predict(x), atol=1e-6)


def test_bands_tests_and_ranks():
    y = Y.astype(np.uint64)
    calib.consistency_band(SCORE)
    calib.error_if_calibrated(SCORE, bins=calib.equal_mass(5))
    for call in (
        calib.spiegelhalter_test,
        calib.murphy_decomposition,
        calib.corp_decomposition,
    ):
        call(y, P)
    for view in (calib.top_r(2), calib.within_top_r(2), calib.one_vs_rest(2)):
        calib.calibration_error(y, P, view=view, bins=calib.equal_mass(5))
