"""Worlds in which the true error of a network is known."""

import numpy as np
import pytest

import calib
from evidence.derived.known_truth import KnownCurve, modelled_on, scaled_network


def test_the_true_error_is_the_mean_distance_of_the_curve_and_samples_follow_it():
    world = KnownCurve(np.array([0.5, 0.9]), np.array([0.5, 0.7]))
    assert world.true_ece == pytest.approx(0.1)
    hit, score = world.sample(40_000, np.random.default_rng(0))
    for said, true in ((0.5, 0.5), (0.9, 0.7)):
        assert hit[score == said].mean() == pytest.approx(true, abs=0.015)
    assert (score == 0.9).mean() == pytest.approx(0.5, abs=0.015)


def test_the_world_of_a_network_has_its_scores_and_its_accuracy():
    """A beta map is a likelihood with an intercept, so its mean is that of the hits."""
    test, p = scaled_network("20news-dan1-w100-s1")
    assert calib.nll(test.y, p) < calib.nll(test.y, test.prob)
    world = modelled_on(test.y, p)
    assert np.array_equal(world.score, p.max(axis=1))
    accuracy = (p.argmax(axis=1) == test.y).mean()
    assert world.curve.mean() == pytest.approx(accuracy, abs=0.005)
