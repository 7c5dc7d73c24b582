"""Worlds with other frequencies of the classes: what is true in them."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.parts import worlds_with_other_priors as worlds

Y = np.repeat([0, 1, 2], [600, 300, 100])


def test_a_world_has_the_priors_that_it_says_and_none_of_what_is_fitted_on():
    rng = np.random.default_rng(0)
    world = worlds.new_world(Y, 3, rng)
    assert not {*world.fit} & {*world.chosen}
    assert len(world.fit) == 500 and len(world.chosen) == worlds.N_TARGET
    assert world.new.sum() == pytest.approx(1) == world.old.sum()
    drawn = np.bincount(Y[world.chosen], minlength=3) / worlds.N_TARGET
    np.testing.assert_allclose(drawn, world.new, atol=0.04)
    np.testing.assert_allclose(world.old, [0.6, 0.3, 0.1], atol=0.05)


def test_new_priors_are_drawn_evenly_from_all_that_there_are():
    """Of a uniform Dirichlet of three each has the mean a third and the variance a eighteenth."""
    rng = np.random.default_rng(1)
    news = np.array([worlds.new_world(Y, 3, rng).new for _ in range(600)])
    np.testing.assert_allclose(news.mean(axis=0), 1 / 3, atol=0.03)
    np.testing.assert_allclose(news.var(axis=0), 1 / 18, atol=0.01)


def test_a_class_that_nobody_drew_has_the_prior_of_one_sample():
    world = worlds.new_world(np.zeros(10, int), 2, np.random.default_rng(2))
    assert world.old.tolist() == [6 / 7, 1 / 7] and world.new.tolist() == [1, 0]


def test_priors_inside_their_intervals_are_counted_with_the_ends():
    intervals = SimpleNamespace(
        low=np.array([0.1, 0.5, 0.2]), high=np.array([0.2, 0.6, 0.3])
    )
    share = worlds.prior_coverage(intervals, np.array([0.1, 0.7, 0.3]))
    assert share == {"covered": pytest.approx(2 / 3)}
