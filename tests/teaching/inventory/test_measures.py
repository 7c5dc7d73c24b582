"""What answers say of items and of a class, on simulated classes whose truth is known."""

import numpy as np
import pytest
from simulated_class import EASE, K, a_class

from teaching.inventory.answers import Answers
from teaching.inventory.measures import (
    calibration,
    difficulty,
    discrimination,
    reliability,
)
from teaching.inventory.statements import TRUE
from teaching.tables import CourseError


def over_seeds(kind, measure, seeds=20):
    return np.array([measure(a_class(kind, seed)[0]) for seed in range(seeds)])


def test_difficulty_and_discrimination_find_the_items_that_are_hard_and_tell():
    """On average over classes what a class of 3000 has; an item with a wrong key tells nothing."""
    large, chance = a_class("calibrated", 99, n=3000)
    assert np.allclose(difficulty(large), chance.mean(axis=0), atol=0.03)
    assert np.allclose(
        over_seeds("calibrated", difficulty).mean(axis=0), difficulty(large), atol=0.06
    )
    answers = over_seeds("calibrated", discrimination)
    guessed = over_seeds("guessing", discrimination)
    assert np.nanmean(answers) > 0.15 and abs(np.nanmean(guessed)) < 0.05
    turned = Answers(large.students, large.prob.copy())
    easy = int(np.argmax(EASE < 1))
    turned.prob[:, easy] = 1 - turned.prob[:, easy]
    assert discrimination(turned)[easy] < -0.1 < 0.1 < discrimination(large)[easy]


def test_reliability_is_that_of_the_large_class_and_zero_where_all_guess():
    """Against the correlation of two halves, stepped up (Spearman and Brown)."""
    large, _ = a_class("calibrated", 99, n=4000)
    halves = large.right[:, ::2].sum(axis=1), large.right[:, 1::2].sum(axis=1)
    r = np.corrcoef(*halves)[0, 1]
    assert np.isclose(reliability(large), 2 * r / (1 + r), atol=0.03)
    assert abs(over_seeds("calibrated", reliability).mean() - reliability(large)) < 0.1
    assert abs(over_seeds("guessing", reliability).mean()) < 0.2


@pytest.mark.parametrize(
    ("kind", "excess", "ratio"),
    [
        ("calibrated", (-0.01, 0.01), (0.7, 1.3)),
        ("overconfident", (0.05, 0.12), (2, np.inf)),
        ("guessing", (0.23, 0.27), (5, np.inf)),
    ],
)
def test_a_class_of_thirty_has_the_calibration_that_is_true_of_it(kind, excess, ratio):
    """Its mean excess over twenty classes, and its median ECE beside what chance makes."""
    classes = [calibration(a_class(kind, seed)[0]) for seed in range(20)]
    assert excess[0] < np.mean([c.excess for c in classes]) < excess[1]
    assert ratio[0] < np.median([c.ece / c.chance for c in classes]) < ratio[1]


def test_answers_of_50_per_cent_are_neither_right_nor_wrong():
    """By hand: 80 % on one true and one false item; 50 % on true items must change nothing."""
    prob = np.full((1, K), np.nan)
    true_items, false_items = np.flatnonzero(TRUE), np.flatnonzero(~TRUE)
    prob[0, [true_items[0], false_items[0]]] = 0.8  # right once, wrong once
    prob[0, true_items[1:]] = 0.5
    measured = calibration(Answers(["s"], prob))
    assert np.isclose(measured.excess, 0.8 - 0.5) and np.isclose(measured.ece, 0.3)
    assert measured.bins.count.sum() == 2
    prob[np.isfinite(prob)] = 0.5
    with pytest.raises(CourseError, match="no answer leans"):
        calibration(Answers(["s"], prob))


def test_a_class_is_measured_in_five_bins():
    """62 % for the truth and 78 % against it are in one bin: by hand |.5 - .7|, of 4 or 6 not."""
    prob = np.full((1, K), np.nan)
    prob[0, np.flatnonzero(TRUE)[0]] = 0.62
    prob[0, np.flatnonzero(~TRUE)[0]] = 0.78
    measured = calibration(Answers(["s"], prob))
    assert np.isclose(measured.ece, 0.2)
    assert measured.bins.count.tolist() == [0, 0, 0, 2, 0]
    assert np.isclose(measured.excess, 0.7 - 0.5)


def test_an_item_tells_by_its_correlation_with_the_points_of_the_others():
    rng = np.random.default_rng(0)
    answers = Answers(list("abcdefgh"), rng.choice([0.1, 0.5, 0.9], size=(8, K)))
    points, found = answers.right, discrimination(answers)
    for item in range(K):
        others = np.delete(points, item, axis=1).sum(axis=1)
        assert np.isclose(found[item], np.corrcoef(points[:, item], others)[0, 1])


def test_alpha_is_one_of_items_that_agree_and_of_others_the_share_that_they_have_in_common():
    """The share of the covariances between items in the variance of the sum, stepped up."""
    same = np.where(TRUE, 0.9, 0.1)
    agree = Answers(list("abc"), np.stack([same, 1 - same, same]))
    assert np.isclose(reliability(agree), 1)
    rng = np.random.default_rng(1)
    mixed = Answers(list("abcdefgh"), rng.choice([0.1, 0.9], size=(8, K)))
    shared = np.cov(mixed.right.T, ddof=0)
    between = shared.sum() - np.trace(shared)
    assert np.isclose(reliability(mixed), K / (K - 1) * between / shared.sum())
