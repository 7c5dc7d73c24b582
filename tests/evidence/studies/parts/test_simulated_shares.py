"""Simulated sentences have the truth that they say."""

import numpy as np
import pytest

from evidence.studies.parts import simulated_shares


def test_the_mean_share_is_that_of_new_networks():
    """Of which each is in a data set and by an author of its own."""
    rng, spreads = np.random.default_rng(0), [1.5, 0.8]
    alone = {"dataset": np.arange(100_000), "author": np.arange(100_000)}
    agree = simulated_shares.agreeing(1.0, spreads, alone, rng)
    assert simulated_shares.mean_share(1.0, spreads) == pytest.approx(
        agree.mean(), abs=0.006
    )
    assert simulated_shares.mean_share(0.0, spreads) == pytest.approx(0.5)


def test_networks_of_a_data_set_share_its_effect():
    rng = np.random.default_rng(1)
    codes = {"dataset": np.repeat(np.arange(200), 50)}
    agree = simulated_shares.agreeing(0.0, [3.0], codes, rng).reshape(200, 50)
    apart = simulated_shares.agreeing(0.0, [0.0], codes, rng).reshape(200, 50)
    assert agree.mean(axis=1).std() > 0.3 and apart.mean(axis=1).std() < 0.1


def test_networks_of_one_data_set_are_one_cell_and_with_authors_each_is_one():
    agree, levels = np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]), np.array([0, 0, 1])
    n, sums, codes = simulated_shares.in_cells(agree, {"dataset": levels})
    assert n.tolist() == [2, 1] and sums.tolist() == [[1, 1], [2, 0]]
    assert codes["dataset"].tolist() == [0, 1]
    both = {"dataset": levels, "author": levels}
    n, sums, codes = simulated_shares.in_cells(agree, both)
    assert n.tolist() == [1, 1, 1] and sums is agree and codes is both


def test_a_design_has_half_of_its_networks_in_the_first_data_set():
    codes = simulated_shares.design(
        44, 8, np.random.default_rng(2), ("dataset", "author")
    )
    assert list(codes) == ["dataset", "author"]
    counts = np.bincount(codes["dataset"])
    assert counts.sum() == 44 and len(counts) == 8 and counts[0] == 22
