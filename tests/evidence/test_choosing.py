"""The study behind the chapter on choosing a method."""

import numpy as np
import pytest

from book.evidence import load_results
from data.results import choosing

TABLE = load_results("choosing")


@pytest.mark.parametrize("world", choosing.WORLDS)
def test_stored_rows_are_computed_again(world):
    stored = TABLE[(TABLE.world == world) & (TABLE.classes == 2) & (TABLE.repetition == 0)]
    rows = list(choosing.compare(world, 2, 0))
    assert [(n, name) for n, name, _, _ in rows] == list(zip(stored.n, stored.method, strict=True))
    nll = [np.nan if nll is None else nll for _, _, nll, _ in rows]
    np.testing.assert_allclose(nll, stored.excess_nll, atol=2e-6)


@pytest.mark.parametrize("world", choosing.WORLDS)
def test_truth_is_the_frequency_of_the_labels(world):
    rng = np.random.default_rng(5)
    y, _, truth = choosing.Network(world, 5, rng).sample(200_000, rng)
    np.testing.assert_allclose(truth.sum(axis=1), 1)
    np.testing.assert_allclose(np.bincount(y) / len(y), truth.mean(axis=0), atol=0.005)
    hit = y == truth.argmax(axis=1)
    confident = truth.max(axis=1) > 0.7
    assert abs(hit[confident].mean() - truth.max(axis=1)[confident].mean()) < 0.01


def test_a_stored_network_is_computed_again():
    stored = load_results("choosing_networks")
    assert list(stored.network.unique()) == list(choosing.NETWORKS)
    stored = stored[stored.network == choosing.NETWORKS[0]]
    again = list(choosing.on_network(choosing.NETWORKS[0]))
    assert [row["method"] for row in again] == list(stored.method)
    for column in ("held_out_nll", "test_nll"):
        values = [float(row[column] or "nan") for row in again]
        np.testing.assert_allclose(values, stored[column], atol=2e-6)
