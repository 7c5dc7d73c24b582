"""Spline calibration: the basis, the fit, ties, and the constraint."""

import numpy as np
import pytest
from networks import pairs
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize

from calib import RankWise, SplineCalibration, nll
from calib.maps.spline import spline_basis

RUNOUTS = ["natural", "parabolic", "cubic"]
OPTIONS = [
    {"target": target, "runout": runout}
    for target in ["gap", "hits"]
    for runout in RUNOUTS
]


@pytest.mark.parametrize(
    ("runout", "name"), [("natural", "natural"), ("cubic", "not-a-knot")]
)
@pytest.mark.parametrize("n_knots", [5, 6, 14])
def test_the_basis_agrees_with_scipy(runout, name, n_knots):
    values = np.random.default_rng(0).standard_normal(n_knots)
    t = np.linspace(0, 1, 101)
    peer = CubicSpline(np.linspace(0, 1, n_knots), values, bc_type=name)
    np.testing.assert_allclose(
        spline_basis(t, n_knots, runout) @ values, peer(t), atol=1e-12
    )


def test_parabolic_end_pieces_have_constant_curvature():
    values = np.random.default_rng(1).standard_normal(7)
    knots, t = np.linspace(0, 1, 7), np.linspace(0, 1 / 6, 50)
    np.testing.assert_allclose(
        spline_basis(knots, 7, "parabolic"), np.eye(7), atol=1e-12
    )
    for end in [t, 1 - t]:
        third = np.diff(spline_basis(end, 7, "parabolic") @ values, n=3)
        assert np.abs(third).max() < 1e-12


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_least_squares(options):
    """No other values at the knots come nearer to the cumulative sums."""
    score, hit = pairs(200)
    spline = SplineCalibration(**options).fit(score, hit)
    order = np.argsort(score)
    target = hit - score if options["target"] == "gap" else hit.astype(float)
    curve = np.concatenate([[0], np.cumsum(target[order])]) / 200
    t = np.arange(201) / 200
    weight = np.where((t == 0) | (t == 1), 0.5, 1) / 200

    def distance(knots):
        return weight @ (spline_basis(t, 6, options["runout"]) @ knots - curve) ** 2

    best = minimize(distance, np.zeros(6), method="BFGS", options={"gtol": 1e-12})
    np.testing.assert_allclose(spline.knots_, best.x, atol=1e-6)
    # are fitted exactly
    ten_pairs = ([0.2] * 4 + [0.6] * 6, [1, 0, 0, 0, 1, 1, 1, 1, 1, 0])
    predicted = SplineCalibration(**options).fit(*ten_pairs).predict([0.2, 0.6])
    np.testing.assert_allclose(predicted, [1 / 4, 5 / 6], atol=1e-9)


def test_slope_is_the_derivative():
    score, hit = pairs(5000)
    spline = SplineCalibration().fit(score, hit)
    t = (np.arange(5000) + 0.5) / 5000
    curve = CubicSpline(np.linspace(0, 1, 6), spline.knots_, bc_type="natural")
    slope = curve(t, 1) + np.sort(score)
    np.testing.assert_allclose(spline.slope_, slope, atol=1e-6)


def test_a_floor_keeps_the_nll_of_all_ranks_finite():
    rng = np.random.default_rng(0)
    z = 3 * rng.standard_normal((60, 6))
    y = z.argmax(axis=1)
    y[:3] = z[:3].argmin(axis=1)
    fit, test = slice(3, None), slice(0, 3)
    unfloored = (
        RankWise(SplineCalibration(floor=0)).fit(z[fit], y[fit]).predict_proba(z[test])
    )
    floored = (
        RankWise(SplineCalibration(floor=1e-6))
        .fit(z[fit], y[fit])
        .predict_proba(z[test])
    )
    assert nll(y[test], unfloored) == np.inf
    assert nll(y[test], floored) < 15


def test_a_spline_gives_no_zero_by_default():
    """The rule of succession: what was not seen in n samples."""
    rng = np.random.default_rng(0)
    score = rng.beta(8, 0.5, 500)
    hit = rng.random(500) < score**0.3
    fitted = SplineCalibration().fit(score, hit)
    assert fitted.floor_ == 1 / 502
    predicted = fitted.predict(np.linspace(0, 1, 100))
    assert predicted.min() >= 1 / 502 and predicted.max() <= 1 - 1 / 502
    unfloored = (
        SplineCalibration(floor=0).fit(score, hit).predict(np.linspace(0, 1, 100))
    )
    np.testing.assert_array_equal(predicted, unfloored.clip(1 / 502, 1 - 1 / 502))
