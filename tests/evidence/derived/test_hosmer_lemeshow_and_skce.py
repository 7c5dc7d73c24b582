"""Two tests of calibration, by hand and from their definition."""

from functools import partial

import numpy as np
import pytest
from draws import draw
from scipy import stats

from calib import equal_width
from evidence.derived.hosmer_lemeshow_and_skce import hosmer_lemeshow_test, skce_test
from evidence.simulate import LabelNoise


def test_hosmer_lemeshow_by_hand():
    # bin 1: 4 scores of 0.25, 2 hits: 4 (0.25)^2 / (3/16) = 4/3; bin 2: 2 of 0.5, 1 hit: 0
    pairs = [1, 1, 0, 0, 1, 0], [0.25] * 4 + [0.5] * 2
    test = hosmer_lemeshow_test(*pairs, bins=equal_width(4))
    assert test.statistic == pytest.approx(4 / 3)
    assert test.p_value == pytest.approx(np.exp(-2 / 3))  # two degrees of freedom
    fitted = hosmer_lemeshow_test(*pairs, bins=equal_width(4), n_fitted=1)
    assert fitted.p_value == pytest.approx(2 * stats.norm.sf(np.sqrt(4 / 3)))


@pytest.mark.parametrize(("n", "n_classes"), [(2, 2), (25, 5), (300, 3)])
def test_skce_is_the_mean_over_pairs_and_its_null_that_of_random_signs(n, n_classes):
    y, p = draw(n, n_classes)
    error = np.eye(n_classes)[y] - p
    h = np.exp(-np.abs(p[:, None] - p[None]).sum(axis=2) / 2 / 0.3) * (error @ error.T)
    np.fill_diagonal(h, 0)
    test = skce_test(y, p, bandwidth=0.3, n_resamples=10, rng=2)
    sign = 2.0 * np.random.default_rng(2).integers(2, size=(n, 10)) - 1
    null = [s @ h @ s / (n * (n - 1)) for s in sign.T]
    np.testing.assert_allclose(test.null, null, atol=1e-15)
    assert test.statistic == pytest.approx(h.sum() / (n * (n - 1)))
    assert test.p_value == (1 + sum(m >= test.statistic - 1e-12 for m in null)) / 11


TESTS = {
    "hosmer-lemeshow": lambda y, p, rng: hosmer_lemeshow_test(y, p),
    "skce": partial(skce_test, n_resamples=99),
}


def p_values(test, model, n, repeats):
    generator = np.random.default_rng(0)
    samples = (model.sample(n, generator) for _ in range(repeats))
    return np.array([test(y, p, rng=generator).p_value for y, p in samples])


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_p_values_are_uniform_and_a_distorted_model_is_found(test):
    values = p_values(test, LabelNoise(3, 1.0, 0.0), 200, 200)
    assert stats.kstest(values, "uniform").pvalue > 0.001
    assert np.mean(values <= 0.05) < 0.11
    distorted = LabelNoise(3, 0.3, 0.35)
    assert np.mean(p_values(test, distorted, 300, 20) <= 0.05) >= 0.9
