"""Simulated worlds have the errors that they say."""

import numpy as np
import pytest

from calib import classwise_ece, ece, top_label
from evidence.simulate import BetaDistorted, LabelNoise, drawn_labels, labels_at

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


def test_labels_are_drawn_by_their_probabilities_and_are_classes():
    prob = np.tile([0.2, 0.5, 0.3], (N, 1))
    counts = np.bincount(drawn_labels(prob, np.random.default_rng(2)), minlength=3)
    assert counts / N == pytest.approx([0.2, 0.5, 0.3], abs=4 * 0.5 / np.sqrt(N))
    # probabilities that rounding leaves below one
    assert labels_at(np.full((1, 3), 0.333), np.array([0.9999])).tolist() == [2]
