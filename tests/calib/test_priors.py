"""New class frequencies: Bayes' rule, the likelihood that EM climbs, intervals that cover."""

from functools import partial

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

import calib

OLD = np.array([0.5, 0.3, 0.2])
NEW = np.array([0.1, 0.3, 0.6])
MEANS = np.array([[2.0, 0.0], [-1.0, 1.7], [-1.0, -1.7]])


def posterior(x, priors):
    """Probabilities of three Gaussian classes by Bayes' rule."""
    squares = ((x[:, None] - MEANS) ** 2).sum(axis=2)
    return calib.softmax(np.log(priors) - squares / 2)


def draw(n, priors, seed):
    rng = np.random.default_rng(seed)
    return MEANS[rng.choice(3, n, p=priors)] + rng.normal(size=(n, 2))


def test_adjusted_probabilities_are_those_of_the_new_world():
    x = draw(500, NEW, 0)
    adjusted = calib.adjust_priors(posterior(x, OLD), OLD, NEW)
    np.testing.assert_allclose(adjusted, posterior(x, NEW), atol=1e-12)
    back = calib.adjust_priors(adjusted, NEW, OLD)
    np.testing.assert_allclose(back, posterior(x, OLD), atol=1e-12)


def test_em_finds_the_maximum_of_the_likelihood():
    x = draw(400, NEW, 2)
    p = posterior(x, OLD)
    priors = calib.estimate_priors(p, OLD).priors

    def loss(free):
        q = calib.softmax([[*free, 0.0]])[0]
        return -np.log(p / OLD @ q).mean()

    direct = calib.softmax([[*minimize(loss, [0, 0], tol=1e-12).x, 0.0]])[0]
    np.testing.assert_allclose(priors, direct, atol=1e-5)
    np.testing.assert_allclose(
        calib.adjust_priors(p, OLD, priors).mean(axis=0), priors, atol=1e-6
    )


def test_intervals_cover_and_the_test_keeps_its_level():
    n_covered, refused = np.zeros(3), 0
    for seed in range(300):
        x = draw(500, NEW, seed)
        estimate = calib.estimate_priors(posterior(x, OLD), OLD)
        n_covered += (estimate.low < NEW) & (estimate.high > NEW)
        x = draw(500, OLD, seed)
        refused += calib.estimate_priors(posterior(x, OLD), OLD).p_value < 0.05
    assert (n_covered >= 273).all() and (n_covered < 300).all()
    assert 4 <= refused <= 28


def test_certain_probabilities_are_counts():
    p = np.eye(3)[[0, 0, 1, 2, 2, 2, 2, 2]]
    estimate = calib.estimate_priors(p, OLD)
    np.testing.assert_allclose(estimate.priors, [2 / 8, 1 / 8, 5 / 8])
    np.testing.assert_allclose(
        estimate.standard_error**2, estimate.priors * (1 - estimate.priors) / 8
    )


def test_without_information_every_prior_is_possible():
    estimate = calib.estimate_priors(np.tile(OLD, (50, 1)), OLD)
    np.testing.assert_allclose(estimate.priors, OLD)
    assert (estimate.low == 0).all() and (estimate.high == 1).all()
    assert estimate.p_value == pytest.approx(1)
    estimate = calib.estimate_priors([[1, 0], [0, 1]], [0.5, 0.5], sample_weight=[1, 0])
    assert estimate.priors.tolist() == [1, 0]


ADJUST, ESTIMATE, HALF = calib.adjust_priors, calib.estimate_priors, [0.5, 0.5]


@pytest.mark.parametrize(
    ("call", "given", "message"),
    [
        (ADJUST, ([HALF], [1.0], HALF), "priors: shape"),
        (ADJUST, ([HALF], HALF, [0.5, 0.4]), r"new_priors: row 0 sums to 0\.9"),
        (ESTIMATE, ([HALF], [1.0, 0.0]), "priors: class 1 has the prior 0"),
        (ADJUST, ([HALF, [1.0, 0.0]], HALF, [0.0, 1.0]), "row 1 of y_prob"),
        (
            partial(ESTIMATE, max_iter=1),
            ([[0.6, 0.4], [0.4, 0.6]], [0.9, 0.1]),
            "max_iter",
        ),
    ],
)
def test_refusals(call, given, message):
    with pytest.raises((ValueError, calib.ConvergenceError), match=message):
        call(*given)


def test_a_prior_too_small_for_a_ratio_is_refused():
    """It made probabilities that are not a number."""
    with pytest.raises(ValueError, match="priors: 1e-310 in column 1"):
        calib.adjust_priors([[0.5, 0.5], [1.0, 0.0]], [1.0, 1e-310], [0.5, 0.5])


def test_the_p_value_is_that_of_a_likelihood_ratio_by_hand():
    """Of K priors K - 1 are free."""
    p = posterior(draw(200, [0.45, 0.3, 0.25], 3), OLD)
    estimate = calib.estimate_priors(p, OLD)
    likelihood = (p / OLD) @ estimate.priors  # against one under the old priors
    ratio = 2 * np.log(likelihood).sum()
    assert estimate.p_value == pytest.approx(stats.chi2.sf(ratio, 2), rel=1e-4)
    assert 0.001 < estimate.p_value < 0.9
