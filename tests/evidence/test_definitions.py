"""What chapters of evidence define: simulated worlds, two tests, focal loss, multicalibration."""

import numpy as np
import pytest
from draws import draw
from scipy import stats
from scipy.optimize import check_grad

from calib import classwise_ece, ece, equal_width, nll_per_sample, softmax, top_label
from evidence.derived.hosmer_lemeshow_and_skce import hosmer_lemeshow_test, skce_test
from evidence.derived.losses import focal_loss, focal_weight
from evidence.derived.multicalibration import Multicalibration
from evidence.simulate import BetaDistorted, LabelNoise

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
        estimate = classwise_ece(y, p, n_bins=50)
        assert estimate == pytest.approx(model.true_classwise_ece(), abs=margin)


def test_the_calibrated_case_has_no_error_and_the_same_scores():
    for model in MODELS:
        calibrated = model.calibrated()
        errors = [
            calibrated.true_ece(),
            getattr(calibrated, "true_ks", calibrated.true_ece)(),
        ]
        assert errors == [0, 0]
        first, second = (
            m.sample(50, np.random.default_rng(3))[1] for m in (model, calibrated)
        )
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("a", "ece_", "ks", "accuracy"),
    [
        # uniform scores, P(h | s) = s / (1 + s): the gap is s - s / (1 + s), never negative
        (1, np.log(2) - 1 / 2, np.log(2) - 1 / 2, 1 - np.log(2)),
        # uniform scores, always P(h | s) = 1/2: mean |s - 1/2| = 1/4, the cumulative gap is 1/8
        (0, 1 / 4, 1 / 8, 1 / 2),
    ],
)
def test_beta_closed_forms(a, ece_, ks, accuracy):
    model = BetaDistorted(alpha=1, beta=1, a=a, b=0, c=0)
    computed = model.true_ece(), model.true_ks(), model.true_accuracy()
    assert computed == pytest.approx((ece_, ks, accuracy), abs=1e-12)


def test_label_noise_closed_forms():
    # uniform on the simplex: the mean of the largest of K is (1 + 1/2 + ... + 1/K) / K
    model = LabelNoise(n_classes=4, concentration=1.0, noise=0.3)
    mean = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert model.true_ece() == pytest.approx(0.1 * (4 * mean - 1), abs=1e-10)
    # two classes, uniform: the confidence is uniform on [1/2, 1]
    model = LabelNoise(n_classes=2, concentration=1.0, noise=0.5)
    assert model.true_ece() == pytest.approx(0.5 * (2 * 3 / 4 - 1), abs=1e-10)
    assert model.true_classwise_ece() == pytest.approx(0.5 * 2 * 1 / 4, abs=1e-12)


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


@pytest.mark.parametrize("alpha", [0.005, 0.01, 0.03])
def test_multicalibration_leaves_no_cell_and_needs_few_patches(alpha):
    """Overlapping groups; one is underconfident, one overconfident above one half."""
    rng = np.random.default_rng(0)
    groups, score = rng.random((5000, 12)) < 0.3, 0.02 + 0.96 * rng.random(5000)
    true = np.clip(
        score + 0.15 * groups[:, 3] - 0.2 * (groups[:, 5] & (score > 0.5)), 0, 1
    )
    hit = rng.random(5000) < true
    fitted = Multicalibration(alpha).fit(score, hit, groups)
    after = fitted.predict(score, groups)
    level = np.minimum((after * 10).astype(int), 9)
    for cell in (groups[:, g] & (level == m) for g in range(12) for m in range(10)):
        gap_sum = (hit - after)[cell].sum()
        assert gap_sum**2 <= (alpha**2 + 1e-12) * cell.sum() * 5000
    lowered = np.mean((hit - score) ** 2) - np.mean((hit - after) ** 2)
    assert 0 < len(fitted.patches_) <= lowered / alpha**2 <= 1 / alpha**2


def test_by_default_chance_alone_seldom_makes_a_patch():
    rng, patched = np.random.default_rng(0), []
    for _ in range(100):
        score, groups = rng.random(500), rng.random((500, 10)) < 0.3
        fitted = Multicalibration().fit(score, rng.random(500) < score, groups)
        patched.append(len(fitted.patches_) > 0)
    assert fitted.alpha_ == pytest.approx(np.sqrt(np.log(2 * 100 / 0.05) / 1000))
    assert np.mean(patched) <= 0.05
