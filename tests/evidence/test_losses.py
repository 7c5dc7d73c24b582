"""Focal loss: its gradient by finite differences, limits, and its bound by the entropy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad
from scipy.stats import entropy

from book.evidence.losses import focal_loss, focal_weight
from calib import nll_per_sample, softmax


@pytest.mark.parametrize("gamma", [0, 0.5, 1, 3])
@pytest.mark.parametrize("scale", [0.1, 1, 8])
def test_gradient_by_finite_differences(gamma, scale):
    rng = np.random.default_rng(0)
    for y in range(5):
        z = scale * rng.standard_normal(5)
        difference = check_grad(
            lambda v, y=y: focal_loss(v[None], [y], gamma=gamma)[0][0],
            lambda v, y=y: focal_loss(v[None], [y], gamma=gamma)[1][0],
            z,
        )
        assert difference < 1e-5


@pytest.mark.parametrize("gamma", [0, 1, 3])
@pytest.mark.parametrize("margin", [40.0, 800.0, 1e5, -40.0, -800.0])
def test_extreme_logits_stay_finite(gamma, margin):
    value, gradient = focal_loss([[margin, 0.0, 0.0]], [0], gamma=gamma)
    assert np.isfinite(value).all() and np.isfinite(gradient).all()


def test_definition_and_limit():
    rng = np.random.default_rng(2)
    z, y = rng.standard_normal((20, 3)), rng.integers(0, 3, 20)
    p = softmax(z)
    p_y = p[np.arange(20), y]
    np.testing.assert_allclose(focal_loss(z, y, gamma=2)[0], -((1 - p_y) ** 2) * np.log(p_y))
    value, gradient = focal_loss(z, y, gamma=0)
    np.testing.assert_allclose(value, nll_per_sample(y, p))
    np.testing.assert_allclose(gradient, p - np.eye(3)[y])
    weight = focal_weight(p_y, gamma=3)[:, None]
    np.testing.assert_allclose(focal_loss(z, y, gamma=3)[1], weight * gradient)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.floats(-30, 30), min_size=2, max_size=6),
    st.floats(0, 10),
    st.integers(0, 5),
)
def test_focal_loss_is_at_least_cross_entropy_minus_entropy(z, gamma, y):
    """FL >= KL(e_y || p) - gamma H(p), and for a one-hot label KL is cross-entropy."""
    z, y = np.array([z]), [y % len(z)]
    bound = focal_loss(z, y, gamma=0)[0] - gamma * entropy(softmax(z), axis=1)
    assert focal_loss(z, y, gamma=gamma)[0][0] >= bound[0] - 1e-9


def test_bad_options_are_named():
    with pytest.raises(ValueError, match=r"p_true: row 1 is 1\.5"):
        focal_weight([0.5, 1.5], gamma=2)
    with pytest.raises(ValueError, match="gamma: -1"):
        focal_loss([[0.0, 1.0]], [0], gamma=-1)
    with pytest.raises(ValueError, match="y: row 0 is 2"):
        focal_loss([[0.0, 1.0]], [2], gamma=1)
