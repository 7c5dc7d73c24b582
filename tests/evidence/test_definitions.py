"""What chapters of evidence define: simulated worlds, two tests, focal loss, multicalibration."""

import numpy as np
import pytest
from cases import draw
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from scipy.optimize import check_grad
from scipy.stats import entropy

from book.evidence.calibration_tests import hosmer_lemeshow_test, skce_test
from book.evidence.losses import focal_loss, focal_weight
from book.evidence.multicalibration import Multicalibration
from book.evidence.simulate import BetaDistorted, LabelNoise, TemperedGaussian
from calib import classwise_ece, ece, equal_width, nll_per_sample, softmax, top_label

MODELS = [
    BetaDistorted(),
    BetaDistorted(alpha=2, beta=2, a=0.5, b=1.4, c=0.3),
    LabelNoise(),
    LabelNoise(n_classes=3, concentration=1.0, noise=0.3),
]
N = 200_000


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_errors_match_large_samples(model):
    y, p = model.sample(N, np.random.default_rng(11))
    score, hit = top_label(y, p)
    four_errors = 4 * 0.5 / np.sqrt(N)
    assert ece(y, p, n_bins=50) == pytest.approx(model.true_ece(), abs=four_errors)
    if p.ndim == 1:
        assert hit.mean() == pytest.approx(model.true_accuracy(), abs=four_errors)
        order = np.argsort(score)
        ks = np.abs(np.cumsum((hit - score)[order])).max() / N
        assert ks == pytest.approx(model.true_ks(), abs=four_errors)
    else:  # 3 errors of a class's frequency 1/K, and the bins' bias
        margin = 4 * np.sqrt(1 / p.shape[1] / N)
        found = classwise_ece(y, p, n_bins=50)
        assert found == pytest.approx(model.true_classwise_ece(), abs=margin)


def test_the_calibrated_case_has_no_error_and_the_same_scores():
    for model in MODELS:
        right = model.calibrated()
        errors = [right.true_ece(), getattr(right, "true_ks", right.true_ece)()]
        assert errors == [0, 0]
        one, two = (m.sample(50, np.random.default_rng(3))[1] for m in (model, right))
        np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize("model", MODELS[:2], ids=repr)
def test_beta_by_the_midpoint_rule(model):
    edges = np.linspace(0, 1, 400_001)
    s = (edges[1:] + edges[:-1]) / 2
    gap = (model.hit_probability(s) - s) * stats.beta(model.alpha, model.beta).pdf(s) / len(s)
    assert model.true_ece() == pytest.approx(np.abs(gap).sum(), abs=1e-8)
    assert model.true_ks() == pytest.approx(np.abs(np.cumsum(gap)).max(), abs=1e-8)


def test_beta_closed_forms():
    # uniform scores, P(h | s) = s / (1 + s): the gap is s - s / (1 + s), never negative
    model = BetaDistorted(alpha=1, beta=1, a=1, b=0, c=0)
    assert model.true_ece() == pytest.approx(np.log(2) - 1 / 2, abs=1e-12)
    assert model.true_ks() == pytest.approx(np.log(2) - 1 / 2, abs=1e-12)
    assert model.true_accuracy() == pytest.approx(1 - np.log(2), abs=1e-12)
    # uniform scores, always P(h | s) = 1/2: mean |s - 1/2| = 1/4, the cumulative gap is 1/8
    model = BetaDistorted(alpha=1, beta=1, a=0, b=0, c=0)
    assert model.true_ece() == pytest.approx(1 / 4, abs=1e-12)
    assert model.true_ks() == pytest.approx(1 / 8, abs=1e-12)


def test_the_temperature_repairs_the_network():
    model = TemperedGaussian(temperature=2.5)
    y, logits = model.sample_logits(100, np.random.default_rng(0))
    right = model.calibrated().sample(100, np.random.default_rng(0))
    np.testing.assert_array_equal(y, right[0])
    np.testing.assert_allclose(special.softmax(logits / 2.5, axis=1), right[1])


def test_label_noise_closed_forms():
    # uniform on the simplex: the mean of the largest of K is (1 + 1/2 + ... + 1/K) / K
    model = LabelNoise(n_classes=4, concentration=1.0, noise=0.3)
    mean = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert model.true_ece() == pytest.approx(0.1 * (4 * mean - 1), abs=1e-10)
    # two classes, uniform: the confidence is uniform on [1/2, 1]
    model = LabelNoise(n_classes=2, concentration=1.0, noise=0.5)
    assert model.true_ece() == pytest.approx(0.5 * (2 * 3 / 4 - 1), abs=1e-10)
    assert model.true_classwise_ece() == pytest.approx(0.5 * 2 * 1 / 4, abs=1e-12)


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
    found = skce_test(y, p, bandwidth=0.4, n_resamples=1, rng=0).statistic
    assert found == pytest.approx(skce_loop(y, p, 0.4), abs=1e-14)


def test_skce_test_agrees_with_a_loop():
    y, p = draw(300, 3)
    error = np.eye(3)[y] - p
    h = np.exp(-np.abs(p[:, None] - p[None]).sum(axis=2) / 2 / 0.3) * (error @ error.T)
    np.fill_diagonal(h, 0)
    test = skce_test(y, p, bandwidth=0.3, n_resamples=10, rng=2)
    sign = 2.0 * rng(2).integers(2, size=(300, 10)) - 1
    null = [s @ h @ s / (300 * 299) for s in sign.T]
    np.testing.assert_allclose(test.null, null, atol=1e-15)
    assert test.statistic == pytest.approx(h.sum() / (300 * 299))
    assert test.p_value == (1 + sum(m >= test.statistic for m in null)) / 11


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


def overlapping(n=5000, seed=0):
    """Overlapping groups; one is underconfident, one overconfident above one half."""
    rng = np.random.default_rng(seed)
    groups = rng.random((n, 12)) < 0.3
    score = 0.02 + 0.96 * rng.random(n)
    true = np.clip(score + 0.15 * groups[:, 3] - 0.2 * (groups[:, 5] & (score > 0.5)), 0, 1)
    return score, rng.random(n) < true, groups, true


class TestMulticalibration:
    @pytest.mark.parametrize("alpha", [0.005, 0.01, 0.03])
    def test_no_cell_is_left_and_the_patches_are_few(self, alpha):
        score, hit, groups, _ = overlapping()
        fitted = Multicalibration(alpha).fit(score, hit, groups)
        after = fitted.predict(score, groups)
        for g in range(12):
            level = np.minimum((after * 10).astype(int), 9)
            for m in range(10):
                cell = groups[:, g] & (level == m)
                if cell.any():
                    gap = (hit - after)[cell].mean()
                    assert cell.mean() * gap**2 <= alpha**2 + 1e-12
        lowered = np.mean((hit - score) ** 2) - np.mean((hit - after) ** 2)
        assert 0 < len(fitted.patches_) <= lowered / alpha**2 <= 1 / alpha**2

    def test_it_nears_the_truth_on_new_samples(self):
        score, hit, groups, _ = overlapping(20_000)
        fitted = Multicalibration(0.01).fit(score, hit, groups)
        score, _, groups, true = overlapping(20_000, 1)
        before = np.mean((score - true) ** 2)
        assert np.mean((fitted.predict(score, groups) - true) ** 2) < 0.4 * before

    def test_by_default_chance_alone_seldom_makes_a_patch(self):
        rng, patched = np.random.default_rng(0), []
        for _ in range(100):
            score, groups = rng.random(500), rng.random((500, 10)) < 0.3
            fitted = Multicalibration().fit(score, rng.random(500) < score, groups)
            patched.append(len(fitted.patches_) > 0)
        assert fitted.alpha_ == pytest.approx(np.sqrt(np.log(2 * 100 / 0.05) / 1000))
        assert np.mean(patched) <= 0.05
