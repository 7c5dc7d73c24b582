"""Focal loss: its definition, its limit and its gradient."""

import numpy as np
import pytest
from scipy.optimize import check_grad

from calib import nll_per_sample, softmax
from evidence.derived.losses import focal_loss, focal_weight


@pytest.mark.parametrize("gamma", [0, 0.5, 1, 3])
@pytest.mark.parametrize("scale", [0.1, 1, 8])
def test_gradient_by_finite_differences(gamma, scale):
    z = scale * np.random.default_rng(0).standard_normal((5, 5))
    for y in range(5):
        value, slope = (
            lambda v, place=place, y=y: focal_loss(v[None], [y], gamma=gamma)[place][0]
            for place in (0, 1)
        )
        assert check_grad(value, slope, z[y]) < 1e-5


def test_definition_and_limit():
    rng = np.random.default_rng(2)
    z, y = rng.standard_normal((20, 3)), rng.integers(0, 3, 20)
    p = softmax(z)
    p_y = p[np.arange(20), y]
    np.testing.assert_allclose(
        focal_loss(z, y, gamma=2)[0], -((1 - p_y) ** 2) * np.log(p_y)
    )
    value, gradient = focal_loss(z, y, gamma=0)
    np.testing.assert_allclose(value, nll_per_sample(y, p))
    np.testing.assert_allclose(gradient, p - np.eye(3)[y])
    weight = focal_weight(p_y, gamma=3)[:, None]
    np.testing.assert_allclose(focal_loss(z, y, gamma=3)[1], weight * gradient)
