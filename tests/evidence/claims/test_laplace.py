"""Laplace's approximation, against numerical integration."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from evidence.claims import shares


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
