"""Newton's method: badly scaled rows, more parameters than samples, damping."""

import numpy as np
import pytest
from sklearn.base import clone

import calib
from calib import (
    ConvergenceError,
    MatrixScaling,
    softmax,
)
from calib.maps.newton import AllLogits, OwnLogit, PenalisedNLL

RNG = np.random.default_rng(1)
FREE = [calib.VectorScaling(), calib.MatrixScaling()]


K4 = 2 * np.random.default_rng(0).standard_normal((400, 4))


Y4 = (K4 / 2 + RNG.gumbel(size=K4.shape)).argmax(axis=1)


LOGITS = {
    "offset 1e8": K4 + 1e8,
    "offset of a column": K4 + np.array([0, 0, 1e6, 0]),
    "mixed scales": K4 * [1e-4, 1, 1e3, 1e5],
    "small": K4 * 1e-6,
    "a constant column": np.column_stack([K4[:, :3], np.full(400, 3.0)]),
    "a column twice": K4[:, [0, 1, 2, 2]],
}


DIRICHLET = [calib.DirichletCalibration(), calib.DirichletCalibration(lam=0.1)]


PENALISED = [calib.MatrixScaling(lam=0.1, mu=0.1), calib.VectorScaling(bias=False)]


@pytest.mark.parametrize("calibrator", [*FREE, *PENALISED, *DIRICHLET], ids=repr)
@pytest.mark.parametrize("z", LOGITS.values(), ids=LOGITS)
def test_the_order_of_badly_scaled_rows_does_not_matter(calibrator, z):
    order = RNG.permutation(len(z))
    try:
        p = clone(calibrator).fit(z, Y4).predict_proba(z)
        q = clone(calibrator).fit(z[order], Y4[order]).predict_proba(z)
    except calib.ConvergenceError:  # said, not silent
        return
    np.testing.assert_allclose(p, q, atol=1e-4)


@pytest.mark.parametrize("calibrator", FREE, ids=repr)
def test_an_offset_or_a_scale_of_a_column_changes_no_prediction(calibrator):
    unchanged = clone(calibrator).fit(K4, Y4).predict_proba(K4)
    for z in (LOGITS["offset of a column"], LOGITS["mixed scales"]):
        np.testing.assert_allclose(
            clone(calibrator).fit(z, Y4).predict_proba(z), unchanged, atol=1e-6
        )


def drawn(n, k, rng, temperature):
    """Logits whose best temperature is `temperature`, and labels drawn from them."""
    z = 2 * rng.standard_normal((n, k))
    y = (rng.random((n, 1)) > softmax(z).cumsum(axis=1)).sum(axis=1).clip(max=k - 1)
    return temperature * z, y


@pytest.mark.filterwarnings("ignore:.*no calibration sample is of class")
def test_more_parameters_than_samples_take_few_evaluations_and_no_matrix_a_class(
    monkeypatch,
):
    z, y = drawn(100, 80, np.random.default_rng(0), 1.0)
    evaluate, evaluations = PenalisedNLL.__call__, []

    def counted(nll, parameters):
        evaluations.append(len(parameters))
        return evaluate(nll, parameters)

    def refused(*_):
        raise AssertionError("80 matrices of 81 x 81")

    monkeypatch.setattr(PenalisedNLL, "__call__", counted)
    monkeypatch.setattr(AllLogits, "gram", refused)
    with pytest.raises(ConvergenceError, match="classifies the whole calibration set"):
        MatrixScaling().fit(z, y)
    assert len(evaluations) < 60  # 173 where a step is halved each time anew


@pytest.mark.parametrize("features", [AllLogits, OwnLogit])
def test_gradient_and_curvature_are_those_of_the_value(features):
    """By differences of the value, and of the gradient."""
    rng = np.random.default_rng(0)
    weight = rng.random(len(K4))
    shape = (4, 5 if features is AllLogits else 2)
    penalty, centre = rng.random(shape), rng.random(shape)
    x = features(K4, bias=True)
    nll = PenalisedNLL(x, Y4, weight / weight.sum(), penalty, centre)
    at, direction = rng.random((2, penalty.size))
    (low, below, _), (high, above, _) = (nll(at + h * direction) for h in (-1e-5, 1e-5))
    gradient = nll(at)[1]
    assert (high - low) / 2e-5 == pytest.approx(gradient @ direction, rel=1e-6)
    p = softmax(x.forward(at.reshape(shape)))
    np.testing.assert_allclose(
        nll.hessian_product(p, direction), (above - below) / 2e-5, atol=1e-6
    )


def test_a_damped_fit_ends_where_one_with_inverted_blocks_ends(monkeypatch):
    z, y = drawn(50, 40, np.random.default_rng(0), 1.0)
    small = MatrixScaling(lam=1.0, mu=1.0).fit(z, y).predict_proba(z)
    monkeypatch.setattr(AllLogits, "blocks_pay", True)
    monkeypatch.setattr("calib.maps.newton.MANY_HALVINGS", 99)
    inverted = MatrixScaling(lam=1.0, mu=1.0).fit(z, y).predict_proba(z)
    np.testing.assert_allclose(small, inverted, atol=1e-6)
