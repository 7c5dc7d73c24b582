"""Calibrators against other libraries: equal where the model is, else the difference explained.

A test named ``..._differs_...`` shows a rule or a fault of the library.
"""

import betacal
import calibration
import netcal.binning
import netcal.scaling
import numpy as np
import probmetrics.calibrators
import pytest
import torch
import venn_abers
from classifiers import Logits
from dirichletcal.calib.multinomial import MultinomialRegression
from probmetrics.distributions import CategoricalLogits
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator

import calib


def network(n=4000, n_classes=6, seed=0):
    """Logits of a network that is too confident, a tenth of its labels wrong."""
    rng = np.random.default_rng(seed)
    z = 2 * rng.standard_normal((n, n_classes))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    is_swapped = rng.random(n) < 0.1
    y[is_swapped] = rng.integers(0, n_classes, is_swapped.sum())
    return 1.7 * z, y


Z, Y = network()
RNG = np.random.default_rng(1)
SCORE = RNG.random(5000)
HIT = RNG.random(5000) < SCORE**1.6
GRID = np.linspace(0.01, 0.99, 99)


def test_scikit_learn_temperature():
    frozen = FrozenEstimator(Logits().fit(Z, Y))
    peer = CalibratedClassifierCV(frozen, method="temperature").fit(Z, Y)
    ours = calib.TemperatureScaling().fit(Z, Y)
    np.testing.assert_allclose(peer.predict_proba(Z), ours.predict_proba(Z), atol=1e-3)
    assert (
        calib.nll(Y, ours.predict_proba(Z))
        <= calib.nll(Y, peer.predict_proba(Z)) + 1e-12
    )


def test_netcal_temperature():
    """Its ``temperature`` holds 1 / T."""
    p = calib.softmax(Z)
    peer = netcal.scaling.TemperatureScaling()
    peer.fit(p, Y, tensorboard=False)
    ours = calib.TemperatureScaling().fit(Z, Y)
    assert 1 / peer.temperature[0] == pytest.approx(ours.temperature_, rel=1e-3)


def test_netcal_temperature_differs_on_float32():
    """It stops where it starts, at T = 1, without an error."""
    peer = netcal.scaling.TemperatureScaling()
    peer.fit(calib.softmax(Z.astype(np.float32)), Y, tensorboard=False)
    ours = calib.TemperatureScaling().fit(Z.astype(np.float32), Y)
    assert peer.temperature[0] == pytest.approx(1.0, abs=1e-6)
    assert ours.temperature_ > 1.5


def test_netcal_histogram_binning():
    peer = netcal.binning.HistogramBinning(bins=15)
    peer.fit(SCORE, HIT.astype(int))
    ours = calib.HistogramBinning(n_bins=15).fit(SCORE, HIT)
    np.testing.assert_allclose(peer.transform(GRID), ours.predict(GRID), atol=2e-6)


def test_betacal():
    """Its solver stops early: the NLL of ours is never higher."""
    peer = betacal.BetaCalibration("abm").fit(SCORE, HIT.astype(int))
    ours = calib.BetaCalibration().fit(SCORE, HIT)
    np.testing.assert_allclose(peer.predict(GRID), ours.predict(GRID), atol=2e-3)

    def nll(p):
        return -np.mean(np.where(HIT, np.log(p), np.log(1 - p)))

    assert nll(ours.predict(SCORE)) <= nll(peer.predict(SCORE)) + 1e-12


def test_probmetrics_vector_scaling():
    """Its solver stops early: the NLL of ours is never higher."""
    peer = probmetrics.calibrators.VectorScalingCalibrator()
    peer.fit_torch(CategoricalLogits(torch.from_numpy(Z)), torch.from_numpy(Y))
    p = (
        peer.predict_proba_torch(CategoricalLogits(torch.from_numpy(Z)))
        .get_probs()
        .numpy()
    )
    ours = calib.VectorScaling().fit(Z, Y)
    np.testing.assert_allclose(p, ours.predict_proba(Z), atol=2e-3)
    assert calib.nll(Y, ours.predict_proba(Z)) <= calib.nll(Y, p) + 1e-12


@pytest.mark.parametrize(("n", "n_classes"), [(300, 3), (4000, 6), (1000, 40)])
def test_probmetrics_structured_matrix_scaling(n, n_classes):
    """The same objective; it computes in float32 and stops early: ours is never higher."""
    z, y = network(2 * n, n_classes)
    fit, test = z[:n], z[n:]
    peer = probmetrics.calibrators.SMSCalibrator().fit(calib.softmax(fit), y[:n])
    ours = calib.StructuredMatrixScaling().fit(fit, y[:n])
    p = peer.predict_proba(calib.softmax(test))
    np.testing.assert_allclose(ours.predict_proba(test), p, atol=5e-3)
    assert ours.temperature_ == pytest.approx(1 / peer.ts_.cal_.invtemp_, rel=1e-4)

    def objective(coef, intercept):
        x, _ = ours._masked_features(fit)
        change = coef - np.eye(n_classes)
        diagonal = np.sum(np.diag(change) ** 2)
        off_diagonal = np.sum(change**2) - diagonal
        penalty = np.sum(intercept**2) + diagonal + (n_classes - 1) * off_diagonal
        loss = calib.nll(y[:n], calib.softmax(x @ coef.T + intercept))
        return loss + n_classes / n * penalty

    theirs = objective(peer.W_[:, :-1].astype(float), peer.W_[:, -1].astype(float))
    assert objective(ours.coef_, ours.intercept_) <= theirs + 1e-9


def test_uncertainty_calibration_scaling_binning():
    """Its edges lie midway between two scores, where no score of the set is; its logistic
    regression stops at a gradient of 1e-4."""
    peer = calibration.PlattBinnerCalibrator(num_calibration=5000, num_bins=10)
    peer.train_calibration(SCORE, HIT)
    platt = calib.PlattScaling(smooth_targets=False)
    ours = calib.ScalingBinning(platt, n_bins=10).fit(SCORE, HIT)
    np.testing.assert_allclose(peer.calibrate(SCORE), ours.predict(SCORE), atol=1e-4)


def test_probmetrics_ensemble_temperature():
    peer = probmetrics.calibrators.ETSCalibrator(loss="ce")
    peer.fit(calib.softmax(Z), Y)
    ours = calib.EnsembleTemperatureScaling().fit(Z, Y)
    assert peer.t_ == pytest.approx(ours.temperature_, rel=1e-3)
    p = peer.predict_proba(calib.softmax(Z))
    assert calib.nll(Y, ours.predict_proba(Z)) == pytest.approx(
        calib.nll(Y, p), abs=1e-6
    )


@pytest.mark.parametrize("runout", ["natural", "parabolic", "cubic"])
def test_probmetrics_spline(runout):
    """It fits at the fractiles from 0 to 1 and takes the derivative there: 1/n apart from ours."""
    peer = probmetrics.calibrators.CDFSplineCalibrator(spline_method=runout, splines=7)
    peer.fit(np.stack([1 - SCORE, SCORE], axis=1), HIT.astype(int))
    theirs = np.interp(GRID, peer.calib_scores_, peer.calib_acc_)
    ours = calib.SplineCalibration(n_knots=7, runout=runout).fit(SCORE, HIT)
    np.testing.assert_allclose(theirs.clip(0, 1), ours.predict(GRID), atol=3e-3)


@pytest.mark.parametrize(("lam", "mu"), [(0.1, 0.1), (1.0, 10.0)])
def test_dirichletcal_odir(lam, mu):
    """The same objective with ``reg_norm=True, ref_row=False``, which are not its defaults."""
    peer = MultinomialRegression(
        reg_lambda=lam, reg_mu=mu, reg_norm=True, ref_row=False
    )
    peer.fit(Z, Y)
    ours = calib.MatrixScaling(lam=lam, mu=mu).fit(Z, Y)
    np.testing.assert_allclose(peer.coef_, ours.coef_, atol=1e-4)
    np.testing.assert_allclose(peer.intercept_, ours.intercept_, atol=1e-4)


def test_venn_abers():
    peer = venn_abers.VennAbers()
    peer.fit(np.column_stack([1 - SCORE, SCORE]), HIT.astype(int))
    p, ends = peer.predict_proba(np.column_stack([1 - GRID, GRID]))
    ours = calib.VennAbers().fit(SCORE, HIT)
    np.testing.assert_allclose(ends.T, ours.predict_interval(GRID), atol=1e-12)
    np.testing.assert_allclose(p[:, 1], ours.predict(GRID), atol=1e-12)


@pytest.mark.filterwarnings("ignore:.penalty.:FutureWarning")
def test_probmetrics_quadratic_scaling():
    """It stops at a larger gradient."""
    peer = probmetrics.calibrators.BinaryLogisticCalibrator(type="quadratic")
    peer.fit(np.column_stack([1 - SCORE, SCORE]), HIT.astype(int))
    theirs = peer.predict_proba(np.column_stack([1 - GRID, GRID]))[:, 1]
    np.testing.assert_allclose(
        theirs, calib.QuadraticScaling().fit(SCORE, HIT).predict(GRID), atol=1e-3
    )
