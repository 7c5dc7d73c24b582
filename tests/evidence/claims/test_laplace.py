"""Laplace's approximation, against numerical integration."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from evidence.claims import laplace, shares


@pytest.mark.parametrize("spread", [0.6, 1.8])
def test_laplace_is_near_the_integral_over_the_effects(spread):
    """Three networks of each of two data sets, against numerical integration."""
    approximate = shares.log_likelihood(
        np.array([3, 3]), np.array([3.0, 1.0]), {"dataset": np.arange(2)}
    )
    node = list(shares.NODES["dataset"]).index(spread)
    for place in range(8, 22, 4):
        exact = 0.0
        for agree in (3, 1):
            value = quad(
                lambda u, k=agree, mu=shares.MU[place]: (
                    norm.pdf(u)
                    * expit(mu + spread * u) ** k
                    * expit(-mu - spread * u) ** (3 - k)
                ),
                -8,
                8,
            )[0]
            exact += np.log(value)
        assert approximate[node, place] == pytest.approx(exact, abs=0.12)


TWO_GROUPS = {"group": np.array([0, 0, 1])}


def test_effects_that_are_not_drawn_leave_the_likelihood_of_coins():
    """Without a spread log p is the binomial's but for its coefficient."""
    n, agree = np.array([3, 2, 4]), np.array([[[3, 1, 0]]])
    mu = np.array([-1.0, 0.5])
    design = laplace.design_of(TWO_GROUPS, ("group",), 3)
    mode = laplace.mode_of(n, agree, mu, design, np.zeros(1))
    expected = [
        sum(
            k * np.log(expit(m)) + (of - k) * np.log(expit(-m))
            for k, of in zip([3, 1, 0], n, strict=True)
        )
        for m in mu
    ]
    assert mode.log_likelihood[0] == pytest.approx(expected)
    assert np.abs(mode.effects).max() < 1e-3


def test_the_mode_is_where_the_joint_density_is_flat_and_curved_as_the_hessian():
    n, agree, spread, mu = np.array([3, 2, 4]), np.array([3, 1, 0]), 1.2, 0.5
    design = laplace.design_of(TWO_GROUPS, ("group",), 3)
    mode = laplace.mode_of(
        n, agree[None, None], np.array([mu]), design, np.array([spread])
    )
    z, indicators = mode.effects[0, 0], design.indicators

    def slope(z):
        missing = agree - n * expit(mu + spread * indicators @ z)
        return spread * indicators.T @ missing - z

    assert slope(z) == pytest.approx([0, 0], abs=1e-3)
    step = 1e-5 * np.eye(2)
    curvature = [(slope(z - s) - slope(z + s)) / 2e-5 for s in step]
    np.testing.assert_allclose(mode.hessian[0, 0], curvature, rtol=1e-3, atol=1e-6)


def test_a_design_has_a_column_for_each_level_of_each_effect_that_is_drawn():
    codes = {"second": np.array([1, 0, 1]), "first": np.array([0, 0, 0])}
    design = laplace.design_of(codes, ("first", "second"), 3)
    assert design.indicators.tolist() == [[0, 1, 1], [1, 0, 1], [0, 1, 1]]
    assert design.effect.tolist() == [1, 1, 0]


def test_steps_that_do_not_end_are_told(monkeypatch):
    monkeypatch.setattr(laplace, "MOST_STEPS", 1)
    design = laplace.design_of({"group": np.array([0])}, ("group",), 1)
    counts = np.array([50]), np.array([[[50]]])
    with pytest.raises(RuntimeError, match="no mode of the effects after 1 steps"):
        laplace.mode_of(*counts, np.array([0.0]), design, np.array([2.0]))
