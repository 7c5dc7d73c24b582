"""Simulated networks have their truth, and their rows are computed again."""

import numpy as np
import pytest

from evidence import load_results
from evidence.studies.maps import maps_on_simulated_networks


@pytest.mark.parametrize("world", maps_on_simulated_networks.WORLDS)
def test_simulated_worlds_have_their_truth_and_are_computed_again(world):
    stored = load_results("maps_on_simulated_networks").query(
        "world == @world and classes == 2 and repetition == 0"
    )
    rows = list(maps_on_simulated_networks.compare_methods(world, 2, 0))
    assert [row[:2] for row in rows] == list(zip(stored.n, stored.method, strict=True))
    np.testing.assert_allclose([row[2] for row in rows], stored.excess_nll, atol=2e-6)
    rng = np.random.default_rng(5)
    y, _, truth = maps_on_simulated_networks.DrawnNetwork(world, 5, rng).sample(
        200_000, rng
    )
    np.testing.assert_allclose(truth.sum(axis=1), 1)
    np.testing.assert_allclose(np.bincount(y) / len(y), truth.mean(axis=0), atol=0.005)
    confident = truth.max(axis=1) > 0.7
    hit, score = (y == truth.argmax(axis=1))[confident], truth.max(axis=1)[confident]
    assert abs(hit.mean() - score.mean()) < 0.01
