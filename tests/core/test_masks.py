"""Masked classes, whose logit is -inf or the least number of a type, in every map and loss."""

import numpy as np
import pytest
from maps import PROBABILITY_MAPS, VIEW_MAPS

import calib
from book.evidence.losses import focal_loss
from calib.maps.base import clone

RNG = np.random.default_rng(0)
N, K = 600, 4
Z = 2 * RNG.standard_normal((N, K))
Y = (Z / 2 + RNG.gumbel(size=Z.shape)).argmax(axis=1)


def masked(value, dtype=np.float64):
    """Return logits with a third of the entries masked, but never the label's."""
    z = np.array(Z, dtype)
    hidden = RNG.random(z.shape) < 0.3
    hidden[np.arange(N), Y] = False
    z[hidden] = value
    return z, hidden


@pytest.mark.parametrize("calibrator", PROBABILITY_MAPS, ids=repr)
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (-np.inf, np.float64),
        (-np.inf, np.float32),
        (-np.inf, np.float16),
        (np.finfo(np.float32).min, np.float32),
        (np.finfo(np.float64).min, np.float64),
    ],
)
def test_what_is_masked_stays_at_zero(calibrator, value, dtype):
    z, hidden = masked(value, dtype)
    p = clone(calibrator).fit(z, Y).predict_proba(z)
    assert (p[hidden] == 0).all()
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-5)
    assert 0 <= calib.ece(Y, p) <= 1


@pytest.mark.parametrize("calibrator", VIEW_MAPS, ids=repr)
def test_maps_of_a_view_take_masks(calibrator):
    z, _ = masked(-np.inf)
    score = clone(calibrator).fit(z, Y).predict_score(z)
    assert ((score >= 0) & (score <= 1)).all()


@pytest.mark.parametrize(
    "calibrator",
    [
        calib.TemperatureScaling(),
        calib.VectorScaling(),
        calib.MatrixScaling(),
        calib.DirichletCalibration(),
        calib.EnsembleTemperatureScaling(),
        calib.OneVsRest(calib.HistogramBinning()),
    ],
    ids=repr,
)
def test_a_class_that_is_always_masked_might_as_well_not_be_there(calibrator):
    wide = np.column_stack([Z, np.full(N, -np.inf)])
    narrow = clone(calibrator).fit(Z, Y).predict_proba(Z)
    p = clone(calibrator).fit(wide, Y).predict_proba(wide)
    np.testing.assert_allclose(p[:, :K], narrow, atol=1e-6)


def test_a_small_temperature_takes_the_least_float32():
    """The one that warned of an overflow, and then called finite input infinite."""
    z = (Z * 0.2).astype(np.float32)
    z[:, 3] = np.where(Y == 3, z[:, 3], np.finfo(np.float32).min)
    fitted = calib.TemperatureScaling().fit(z, Y)
    assert fitted.temperature_ < 1
    assert np.isfinite(fitted.predict_proba(z)).all()


@pytest.mark.parametrize("calibrator", [*PROBABILITY_MAPS, *VIEW_MAPS], ids=repr)
def test_a_masked_label_is_refused(calibrator):
    z = np.array(Z)
    z[7, Y[7]] = -np.inf
    with pytest.raises(ValueError, match=f"y: row 7 is class {Y[7]}, which logits mask"):
        clone(calibrator).fit(z, Y)


def test_a_row_of_masks_is_refused():
    z = np.array(Z)
    z[5] = -np.inf
    with pytest.raises(ValueError, match="logits: row 5 has only masked classes"):
        calib.softmax(z)


def test_losses_take_masks():
    z, hidden = masked(-np.inf)
    loss, gradient = focal_loss(z, Y, gamma=2.0)
    assert np.isfinite(loss).all() and np.isfinite(gradient).all()
    assert (gradient[hidden] == 0).all()
