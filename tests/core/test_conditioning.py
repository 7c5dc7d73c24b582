"""Fits whose logits lie far from zero or on different scales: the order of rows changes nothing."""

import os
import subprocess
import sys

import numpy as np
import pytest

import calib
from calib.maps.base import clone

RNG = np.random.default_rng(0)
N, K = 1500, 4
Z = 2 * RNG.standard_normal((N, K))
Y = (Z / 2 + RNG.gumbel(size=Z.shape)).argmax(axis=1)
LOGITS = {
    "plain": Z,
    "offset 1e8": Z + 1e8,
    "offset of a column": Z + np.array([0, 0, 1e6, 0]),
    "mixed scales": Z * [1e-4, 1, 1e3, 1e5],
    "small": Z * 1e-6,
    "a constant column": np.column_stack([Z[:, :3], np.full(N, 3.0)]),
    "a column twice": Z[:, [0, 1, 2, 2]],
}
MAPS = [
    calib.VectorScaling(),
    calib.VectorScaling(bias=False),
    calib.MatrixScaling(),
    calib.MatrixScaling(lam=0.1, mu=0.1),
    calib.DirichletCalibration(),
    calib.DirichletCalibration(lam=0.1),
]


@pytest.mark.parametrize("calibrator", MAPS, ids=repr)
@pytest.mark.parametrize("z", LOGITS.values(), ids=LOGITS)
def test_the_order_of_rows_does_not_matter(calibrator, z):
    order = RNG.permutation(N)
    try:
        p = clone(calibrator).fit(z, Y).predict_proba(z)
    except calib.ConvergenceError:  # said, not silent
        with pytest.raises(calib.ConvergenceError):
            clone(calibrator).fit(z[order], Y[order])
        return
    q = clone(calibrator).fit(z[order], Y[order]).predict_proba(z)
    np.testing.assert_allclose(p, q, atol=1e-4)


@pytest.mark.parametrize("calibrator", [calib.VectorScaling(), calib.MatrixScaling()], ids=repr)
def test_an_offset_or_a_scale_of_a_column_changes_no_prediction(calibrator):
    plain = clone(calibrator).fit(Z, Y).predict_proba(Z)
    for z in (Z + np.array([0, 0, 1e6, 0]), Z * [1e-4, 1, 1e3, 1e5]):
        np.testing.assert_allclose(clone(calibrator).fit(z, Y).predict_proba(z), plain, atol=1e-6)


FITS = """
import sys

import numpy as np

import calib

rng = np.random.default_rng(0)
z = 2 * rng.standard_normal((2000, 5))
y = (z / 2 + rng.gumbel(size=z.shape)).argmax(axis=1)
maps = [
    calib.TemperatureScaling(),
    calib.VectorScaling(),
    calib.MatrixScaling(lam=0.1, mu=0.1),
    calib.RankWise(calib.SplineCalibration()),
    calib.OneVsRest(calib.BetaCalibration()),
]
found = [m.fit(z, y).predict_proba(z) for m in maps]
metrics = [calib.ece, calib.nll, calib.brier, calib.kde_ece, calib.smooth_ece, calib.classwise_ks]
np.savez(sys.argv[1], *found, metrics=[m(y, p) for p in found for m in metrics])
"""


@pytest.mark.slow
@pytest.mark.parametrize("other", ["Prescott", "Haswell"])
def test_processors_of_other_types_give_the_same_to_nine_digits(tmp_path, other):
    """Sums are taken in another order there, so the last bits differ; nothing shown does."""
    found = {}
    for kind in (None, other):
        environment = {**os.environ, **({"OPENBLAS_CORETYPE": kind} if kind else {})}
        path = tmp_path / f"{kind}.npz"
        subprocess.run([sys.executable, "-c", FITS, str(path)], env=environment, check=True)
        found[kind] = np.load(path)
    for name in found[other]:
        np.testing.assert_allclose(found[other][name], found[None][name], rtol=0, atol=1e-9)
