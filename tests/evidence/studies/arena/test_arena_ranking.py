"""Ranks of each selection of networks; the stored ones follow from the arena's table."""

import numpy as np
import pandas as pd
import pytest
from arena_rows import BASE, flat, table

from evidence import load_results
from evidence.arena import ranking
from evidence.arena.ranked_cases import rank_cases
from evidence.studies.arena import arena_ranking


def test_ranks_follow_from_the_table():
    ranked = rank_cases(load_results("arena"))
    stored = load_results("arena_ranking").query(
        "networks == '2 classes' and size == '500'"
    )
    stored = stored.set_index("map")
    computed = ranking.ranking(
        ranked[(ranked["group"] == "2") & (ranked["size"] == "500")]
    )
    assert set(stored.index) == set(computed.index)
    for name in ("gain", "low", "high", "rank", "best", "regret", "failed"):
        there = stored[name].astype(float)[computed.index]
        np.testing.assert_allclose(there, computed[name], rtol=1e-3, atol=1e-9)


@pytest.fixture
def ranked(monkeypatch):
    """Three maps of four data sets at two sizes; map a did not run at the larger."""
    monkeypatch.setattr(
        ranking,
        "ranking",
        lambda cases: cases.groupby("map")[["rank"]].mean().sort_values("rank"),
    )
    rows = table(BASE | {"a": flat(0.5)}, seeds=1)
    larger = rows[rows["map"] != "a"].assign(n=2500)
    return rank_cases(pd.concat([rows, larger], ignore_index=True))


def test_over_all_sizes_a_map_counts_that_ran_at_each(ranked):
    maps = {}
    for row in arena_ranking.rank_sizes("some", ranked):
        assert row["networks"] == "some"
        maps.setdefault(row["size"], []).append(row["map"])
    both = ["temperature", "none"]
    assert maps == {"all": both, "500": ["a", *both], "2500": both}


def test_networks_are_selected_by_their_classes_and_by_their_domain(ranked):
    ranked["dataset"] = ranked["dataset"].replace({"d0": "SST-2", "d1": "CIFAR-10"})
    masks = arena_ranking.selections(ranked)
    assert masks["all"].all() and masks["8 to 19 classes"].all()
    assert not masks["2 classes"].any()
    assert set(ranked["dataset"][masks["text"]]) == {"SST-2"}
    assert set(ranked["dataset"][masks["images"]]) == {"CIFAR-10"}


def test_every_selection_with_networks_is_ranked(ranked):
    rows = [*arena_ranking.rank(ranked)]
    assert {row["networks"] for row in rows} == {"all", "8 to 19 classes"}
