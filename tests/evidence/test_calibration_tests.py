"""Tests of the bins and of the whole vector: by hand, by loops, and their size."""

import numpy as np
import pytest
from cases import draw
from scipy import stats

from book.evidence.calibration_tests import hosmer_lemeshow_test, skce, skce_test
from book.evidence.simulate import LabelNoise
from calib import equal_width


def rng(seed=0):
    return np.random.default_rng(seed)


TESTS = {
    "hosmer-lemeshow": lambda y, p, g: hosmer_lemeshow_test(y, p),
    "skce": lambda y, p, g: skce_test(y, p, n_resamples=99, rng=g),
}


def p_values(test, model, n, repeats):
    generator = rng()
    return np.array([test(*model.sample(n, generator), generator).p_value for _ in range(repeats)])


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_p_values_are_uniform_under_calibration(test):
    found = p_values(test, LabelNoise(n_classes=3, concentration=1.0, noise=0.0), 200, 200)
    assert stats.kstest(found, "uniform").pvalue > 0.001
    assert np.mean(found <= 0.05) < 0.11


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_a_distorted_model_is_found(test):
    model = LabelNoise(n_classes=3, concentration=0.3, noise=0.35)
    assert np.mean(p_values(test, model, 300, 20) <= 0.05) >= 0.9


def test_hosmer_lemeshow_by_hand():
    # bin 1: 4 scores of 0.25, 2 hits: 4 (0.25)^2 / (3/16) = 4/3; bin 2: 2 of 0.5, 1 hit: 0
    test = hosmer_lemeshow_test([1, 1, 0, 0, 1, 0], [0.25] * 4 + [0.5] * 2, bins=equal_width(4))
    assert test.statistic == pytest.approx(4 / 3)
    assert test.p_value == pytest.approx(np.exp(-2 / 3))  # two degrees of freedom
    one = hosmer_lemeshow_test(
        [1, 1, 0, 0, 1, 0], [0.25] * 4 + [0.5] * 2, bins=equal_width(4), n_fitted=1
    )
    assert one.p_value == pytest.approx(2 * stats.norm.sf(np.sqrt(4 / 3)))


def skce_loop(y, p, width):
    def h(i, j):
        distance = sum(abs(a - b) for a, b in zip(p[i], p[j], strict=True)) / 2
        errors = [((y[i] == k) - p[i][k]) * ((y[j] == k) - p[j][k]) for k in range(len(p[i]))]
        return np.exp(-distance / width) * sum(errors)

    return np.mean([h(i, j) for i in range(len(y)) for j in range(len(y)) if i != j])


@pytest.mark.parametrize(("n", "n_classes"), [(2, 2), (25, 5), (260, 3)])
def test_skce_agrees_with_a_loop(n, n_classes):
    y, p = draw(n, n_classes)
    assert skce(y, p, bandwidth=0.4) == pytest.approx(skce_loop(y, p, 0.4), abs=1e-14)


def test_skce_has_no_bias():
    generator = rng(3)
    samples = [LabelNoise(3, 1.0, 0.0).sample(30, generator) for _ in range(400)]
    found = [skce(y, p, bandwidth=0.3) for y, p in samples]
    assert abs(np.mean(found)) < 3 * np.std(found) / np.sqrt(len(found))


def test_skce_test_agrees_with_a_loop():
    y, p = draw(300, 3)
    error = np.eye(3)[y] - p
    h = np.exp(-np.abs(p[:, None] - p[None]).sum(axis=2) / 2 / 0.3) * (error @ error.T)
    np.fill_diagonal(h, 0)
    test = skce_test(y, p, bandwidth=0.3, n_resamples=10, rng=2)
    sign = 2.0 * rng(2).integers(2, size=(300, 10)) - 1
    null = [s @ h @ s / (300 * 299) for s in sign.T]
    np.testing.assert_allclose(test.null, null, atol=1e-15)
    assert test.statistic == pytest.approx(skce(y, p, bandwidth=0.3))
    assert test.p_value == (1 + sum(m >= test.statistic for m in null)) / 11


Y, P = [0, 1], [[0.9, 0.1], [0.4, 0.6]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: hosmer_lemeshow_test(Y, P, n_fitted=2), "n_fitted: 2"),
        (lambda: skce(Y, P, bandwidth=0.0), "bandwidth: 0.0"),
        (lambda: skce(Y, [[0.9, 0.1]] * 2), "bandwidth: the median"),
        (lambda: skce([0], [[0.9, 0.1]]), "y_prob: 1 row"),
        (lambda: skce([0, 2], P), "y_true: row 1 is 2"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
