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


@pytest.mark.parametrize(
    ("layout", "sizes"), [("even", [5, 4, 4]), ("halving", [9, 3, 1])]
)
def test_networks_are_spread_over_data_sets(layout, sizes):
    """Of thirteen: a third each, or 7.4, 3.7 and 1.9; the largest has what is left."""
    sets = simulated_shares.in_sets(13, 3, layout)
    assert np.bincount(sets).tolist() == sizes


def test_no_data_set_is_empty():
    assert np.bincount(simulated_shares.in_sets(5, 4, "halving")).min() == 1


def test_levels_of_models_are_numbered_without_gaps():
    effects = ("dataset", "author", "kin")
    codes = simulated_shares.design(60, 7, np.random.default_rng(3), effects)
    for levels in codes.values():
        assert {*levels} == {*range(max(levels) + 1)} and len(levels) == 60
    assert np.bincount(codes["author"]).max() == 32


def test_all_three_designs_are_drawn_with_one_effect_and_the_middle_one_with_three():
    found = [
        (one.columns["n"], one.columns["data_sets"], [*one.codes], one.fewer)
        for one in simulated_shares.all_designs()
    ]
    alone, all_effects = ["dataset"], [*simulated_shares.shares.EFFECTS]
    assert found == [
        (17, 3, alone, 1),
        (44, 8, alone, 1),
        (60, 7, alone, 1),
        (44, 8, all_effects, 5),
    ]


def test_the_posterior_of_many_that_agree_is_above_that_of_none():
    codes = {"dataset": np.repeat(np.arange(4), 5)}
    agree = np.array([np.ones(20), np.zeros(20)])
    most, none = simulated_shares.posteriors(agree, codes, {"dataset": 0.5})
    assert most.mean > 0.8 and none.mean == pytest.approx(1 - most.mean, abs=0.01)
