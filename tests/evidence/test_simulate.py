"""The true errors of the simulated models: second quadratures, closed forms and large samples."""

import numpy as np
import pytest
from scipy import integrate, special, stats

from book.evidence.simulate import BetaDistorted, LabelNoise, TemperedGaussian
from calib import classwise_ece, ece, top_label

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


def test_beta_curve_is_monotone_and_reaches_its_ends():
    curve = BetaDistorted(a=0.0, b=0.5, c=1.0).hit_probability(np.linspace(0, 1, 101))
    assert (np.diff(curve) > 0).all()
    assert curve[0] == pytest.approx(special.expit(1.0))
    assert curve[-1] == 1


def test_the_temperature_repairs_the_network():
    model = TemperedGaussian(temperature=2.5)
    y, logits = model.sample_logits(100, np.random.default_rng(0))
    right = model.calibrated().sample(100, np.random.default_rng(0))
    np.testing.assert_array_equal(y, right[0])
    np.testing.assert_allclose(special.softmax(logits / 2.5, axis=1), right[1])


def test_the_gaussians_posterior_is_the_frequency():
    y, p = TemperedGaussian(n_classes=4).calibrated().sample(N, np.random.default_rng(2))
    score, hit = top_label(y, p)
    order = np.argsort(score)
    assert np.abs(np.cumsum((hit - score)[order])).max() / N < 1.6 * 0.5 / np.sqrt(N)


def test_label_noise_closed_forms():
    # uniform on the simplex: the mean of the largest of K is (1 + 1/2 + ... + 1/K) / K
    model = LabelNoise(n_classes=4, concentration=1.0, noise=0.3)
    mean = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert model.true_ece() == pytest.approx(0.1 * (4 * mean - 1), abs=1e-10)
    # two classes, uniform: the confidence is uniform on [1/2, 1]
    model = LabelNoise(n_classes=2, concentration=1.0, noise=0.5)
    assert model.true_ece() == pytest.approx(0.5 * (2 * 3 / 4 - 1), abs=1e-10)
    assert model.true_classwise_ece() == pytest.approx(0.5 * 2 * 1 / 4, abs=1e-12)


@pytest.mark.parametrize(("n_classes", "concentration"), [(3, 1.0), (10, 0.5), (5, 2.0)])
def test_label_noise_per_class_by_quadrature(n_classes, concentration):
    model = LabelNoise(n_classes, concentration, noise=0.2)
    p = stats.beta(concentration, (n_classes - 1) * concentration)

    def gap(score):
        return 0.2 * (1 - n_classes * score) / (n_classes - 1)

    def mean(f):  # over fractiles: the density may be infinite at zero
        kink = p.cdf(1 / n_classes)
        integral = [
            integrate.quad(lambda u: f(0.2 * (1 - n_classes * p.ppf(u)) / (n_classes - 1)), *piece)[
                0
            ]
            for piece in [(0, kink), (kink, 1)]
        ]
        return np.array(integral)

    assert model.true_classwise_ece() == pytest.approx(mean(np.abs).sum(), abs=1e-7)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BetaDistorted(alpha=0), "alpha: 0, expected a number in"),
        (lambda: BetaDistorted(b=-1.0), "b: -1.0"),
        (lambda: BetaDistorted(c=np.nan), "c: nan"),
        (lambda: TemperedGaussian(n_classes=1), "n_classes: 1"),
        (lambda: TemperedGaussian(temperature=0.0), "temperature: 0.0"),
        (lambda: LabelNoise(noise=1.2), "noise: 1.2"),
        (lambda: LabelNoise().sample(0, 1), "n: 0"),
        (lambda: BetaDistorted().hit_probability([0.5, np.nan]), "score: row 1 is nan"),
    ],
)
def test_bad_parameters_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make()
