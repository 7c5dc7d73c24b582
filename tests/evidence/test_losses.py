"""Training losses: gradients by finite differences, limits, the bound of focal loss by entropy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize
from scipy.special import log_softmax

from book.evidence.losses import cross_entropy, entropy, focal_loss, focal_weight, label_smoothing
from calib import softmax

LOSSES = [
    (cross_entropy, {}),
    (label_smoothing, {"alpha": 0.05}),
    (label_smoothing, {"alpha": 1.0}),
    (focal_loss, {"gamma": 0.5}),
    (focal_loss, {"gamma": 1}),
    (focal_loss, {"gamma": 3}),
]


@pytest.mark.parametrize(("loss", "options"), LOSSES)
@pytest.mark.parametrize("scale", [0.1, 1, 8])
def test_gradient_by_finite_differences(loss, options, scale):
    rng = np.random.default_rng(0)
    for y in range(5):
        z = scale * rng.standard_normal(5)
        difference = check_grad(
            lambda v, y=y: loss(v[None], [y], **options)[0][0],
            lambda v, y=y: loss(v[None], [y], **options)[1][0],
            z,
        )
        assert difference < 1e-5


@pytest.mark.parametrize(("loss", "options"), LOSSES)
def test_gradient_rows_sum_to_zero_and_shifts_change_nothing(loss, options):
    rng = np.random.default_rng(1)
    z, y = 5 * rng.standard_normal((50, 4)), rng.integers(0, 4, 50)
    value, gradient = loss(z, y, **options)
    np.testing.assert_allclose(gradient.sum(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(loss(z + 300, y, **options)[0], value, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("loss", "options"), LOSSES)
@pytest.mark.parametrize("margin", [40.0, 800.0, 1e5, -40.0, -800.0])
def test_extreme_logits_stay_finite(loss, options, margin):
    value, gradient = loss([[margin, 0.0, 0.0]], [0], **options)
    assert np.isfinite(value).all() and np.isfinite(gradient).all()


def test_definitions_written_out():
    z, y = np.array([[1.0, 2.0, 0.5]]), [1]
    p = softmax(z)[0]
    assert cross_entropy(z, y)[0][0] == pytest.approx(-np.log(p[1]))
    assert focal_loss(z, y, gamma=2)[0][0] == pytest.approx(-((1 - p[1]) ** 2) * np.log(p[1]))
    target = np.array([0.1, 0.8, 0.1])
    assert label_smoothing(z, y, alpha=0.3)[0][0] == pytest.approx(-target @ np.log(p))


def test_limits_are_cross_entropy():
    rng = np.random.default_rng(2)
    z, y = rng.standard_normal((20, 3)), rng.integers(0, 3, 20)
    results = cross_entropy(z, y), focal_loss(z, y, gamma=0), label_smoothing(z, y, alpha=0)
    for a, b, c in zip(*results, strict=True):
        np.testing.assert_allclose(a, b)
        np.testing.assert_allclose(a, c)


def test_label_smoothing_is_cross_entropy_plus_a_pull_to_the_uniform():
    rng = np.random.default_rng(3)
    z, y = rng.standard_normal((20, 4)), rng.integers(0, 4, 20)
    uniform = -log_softmax(z, axis=1).mean(axis=1)
    expected = 0.9 * cross_entropy(z, y)[0] + 0.1 * uniform
    np.testing.assert_allclose(label_smoothing(z, y, alpha=0.1)[0], expected)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(st.floats(-30, 30), min_size=2, max_size=6),
    st.floats(0, 10),
    st.integers(0, 5),
)
def test_focal_loss_is_at_least_cross_entropy_minus_entropy(z, gamma, y):
    """FL >= KL(e_y || p) - gamma H(p), and for a one-hot label KL is cross-entropy."""
    z, y = np.array([z]), [y % len(z)]
    bound = cross_entropy(z, y)[0] - gamma * entropy(softmax(z))
    assert focal_loss(z, y, gamma=gamma)[0][0] >= bound[0] - 1e-9


def test_the_bound_is_reached_where_both_vanish():
    z, y = np.array([[60.0, 0.0]]), [0]
    bound = cross_entropy(z, y)[0] - 2 * entropy(softmax(z))
    assert focal_loss(z, y, gamma=2)[0][0] == pytest.approx(bound[0], abs=1e-12)


def test_focal_weight_is_the_ratio_of_gradients():
    z, y = np.array([[0.3, -1.0, 0.4]]), [1]
    ratio = focal_loss(z, y, gamma=3)[1] / cross_entropy(z, y)[1]
    weight = focal_weight(softmax(z)[:, 1], gamma=3)
    np.testing.assert_allclose(ratio, np.tile(weight[:, None], 3))


def test_what_is_not_a_probability_is_named():
    with pytest.raises(ValueError, match=r"p_true: row 1 is 1\.5"):
        focal_weight([0.5, 1.5], gamma=2)
    with pytest.raises(ValueError, match=r"y_prob: row 0 sums to 1\.1"):
        entropy([[0.5, 0.6]])


def test_the_smoothed_optimum_is_finite():
    best = minimize(
        lambda v: label_smoothing(v[None], [0], alpha=0.1)[0][0],
        np.zeros(4),
        jac=lambda v: label_smoothing(v[None], [0], alpha=0.1)[1][0],
    )
    margin = best.x[0] - best.x[1]
    assert margin == pytest.approx(np.log(1 + 4 * 0.9 / 0.1), abs=1e-4)


def test_bad_options_are_named():
    with pytest.raises(ValueError, match=r"alpha: 1\.5"):
        label_smoothing([[0.0, 1.0]], [0], alpha=1.5)
    with pytest.raises(ValueError, match="gamma: -1"):
        focal_loss([[0.0, 1.0]], [0], gamma=-1)
    with pytest.raises(ValueError, match="y: row 0 is 2"):
        cross_entropy([[0.0, 1.0]], [2])
