"""Simulated worlds have the errors that they say."""

import numpy as np
import pytest
from scipy import stats

from calib import classwise_ece, ece, top_label
from evidence.simulate import (
    BetaDistorted,
    LabelNoise,
    TemperedGaussian,
    drawn_labels,
    labels_at,
)

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


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_the_calibrated_case_has_no_error_and_the_same_scores(model):
    calibrated = model.calibrated()
    assert calibrated.true_ece() == 0
    assert getattr(calibrated, "true_ks", calibrated.true_ece)() == 0
    (_, scores), (_, same) = (m.sample(50, 3) for m in (model, calibrated))
    np.testing.assert_array_equal(scores, same)


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


CROSSING = BetaDistorted(alpha=3, beta=2, a=0.6, b=0.7, c=-0.4)  # not at a half


@pytest.mark.parametrize("model", [*MODELS[:2], CROSSING], ids=repr)
def test_beta_errors_are_sums_over_even_fractiles(model):
    n = 20_000
    score = stats.beta(model.alpha, model.beta).ppf((np.arange(n) + 0.5) / n)
    odds = score**model.a / (1 - score) ** model.b * np.exp(model.c)
    hits = odds / (1 + odds)
    assert model.hit_probability(score) == pytest.approx(hits)
    gaps = hits - score
    assert model.true_accuracy() == pytest.approx(hits.mean(), abs=1e-4)
    assert model.true_ece() == pytest.approx(np.abs(gaps).mean(), abs=1e-4)
    assert model.true_ks() == pytest.approx(np.abs(gaps.cumsum()).max() / n, abs=1e-4)


@pytest.mark.parametrize("model", MODELS[:2], ids=repr)
def test_hits_come_as_often_as_their_probability_says(model):
    hits, score = model.sample(20_000, 4)
    assert set(np.unique(hits)) == {0, 1}
    gap = hits - model.hit_probability(score)
    for part in (score < np.median(score), score >= np.median(score)):
        assert gap[part].mean() == pytest.approx(0, abs=4 * 0.5 / 100)
    assert stats.kstest(score, stats.beta(model.alpha, model.beta).cdf).pvalue > 1e-3


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_noise_makes_of_a_label_each_of_the_others_alike(n_classes):
    right, p = LabelNoise(n_classes=n_classes, noise=0.0).sample(9000, 7)
    all_wrong, same = LabelNoise(n_classes=n_classes, noise=1.0).sample(9000, 7)
    some_wrong, _ = LabelNoise(n_classes=n_classes, noise=0.3).sample(9000, 7)
    assert np.array_equal(p, same) and p.sum(axis=1) == pytest.approx(1)
    counts = np.bincount((all_wrong - right) % n_classes, minlength=n_classes)
    others = 9000 / (n_classes - 1)
    assert counts[0] == 0 and counts[1:] == pytest.approx(others, abs=4 * others**0.5)
    assert {*some_wrong} == {*range(n_classes)}
    assert (some_wrong != right).mean() == pytest.approx(0.3, abs=4 * 0.46 / 94)


@pytest.mark.parametrize(
    ("n_classes", "concentration"), [(2, 0.5), (3, 1.0), (10, 0.1), (5, 4.0)]
)
def test_noise_moves_the_error_of_a_class_as_far_as_its_score(n_classes, concentration):
    """The mean of |1 - Kp| over the score of a class, a beta variable, by quadrature."""
    model = LabelNoise(n_classes, concentration, noise=0.2)
    score = stats.beta(concentration, (n_classes - 1) * concentration)
    middles = score.ppf((np.arange(9000) + 0.5) / 9000)
    gap = 0.2 * np.abs(1 - n_classes * middles).mean() / (n_classes - 1)
    assert model.true_classwise_ece() == pytest.approx(gap, rel=2e-3)
    p = model.sample(20_000, 3)[1].max(axis=1)
    mean = 0.2 * (n_classes * p.mean() - 1) / (n_classes - 1)
    error = 0.2 * n_classes / (n_classes - 1) * p.std() / np.sqrt(20_000)
    assert model.true_ece() == pytest.approx(mean, abs=4 * error)


def test_two_arcsine_classes_have_a_mean_confidence_of_a_half_and_one_over_pi():
    model = LabelNoise(n_classes=2, concentration=0.5, noise=0.1)
    assert model.true_ece() == pytest.approx(0.1 * 2 / np.pi, abs=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_gaussian_classes_lie_evenly_on_a_circle(n_classes):
    """The logits of a class have the means r^2 cos of the angles between it and each."""
    model = TemperedGaussian(n_classes, radius=1.5, temperature=2.0)
    y, logits = model.sample_logits(6000, 3)
    angles = 2 * np.pi * np.arange(n_classes) / n_classes
    for label in range(n_classes):
        expected = 2.0 * 1.5**2 * np.cos(angles - angles[label])
        chosen = logits[y == label]
        error = 2.0 * 1.5 / np.sqrt(len(chosen))
        assert chosen.mean(axis=0) == pytest.approx(expected, abs=4 * error)
        assert chosen.std(axis=0) == pytest.approx(2.0 * 1.5, rel=0.1)
    assert np.bincount(y) / 6000 == pytest.approx(1 / n_classes, abs=4 * 0.5 / 77)


def test_a_tempered_network_says_more_than_the_posterior_of_the_same_classes():
    model = TemperedGaussian()
    y, logits = model.sample_logits(5000, 3)
    _, p = model.sample(5000, 3)
    its_labels, posterior = model.calibrated().sample(5000, 3)
    assert np.array_equal(y, its_labels)
    assert p == pytest.approx(np.exp(logits) / np.exp(logits).sum(1, keepdims=True))
    assert posterior**2 / (posterior**2).sum(1, keepdims=True) == pytest.approx(p)
    hits, scores = top_label(y, posterior)[::-1]
    assert hits.mean() == pytest.approx(scores.mean(), abs=4 * 0.5 / 70)
    assert top_label(y, p)[0].mean() > hits.mean() + 0.02
