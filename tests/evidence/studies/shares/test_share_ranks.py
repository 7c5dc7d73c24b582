"""Ranks of the truth among draws of the model."""

import numpy as np
import pytest
from uniform_ranks import uneven

from evidence.studies.parts import simulated_shares
from evidence.studies.shares import share_ranks

SCALES = {"dataset": 1.2, "author": 0.8, "kin": 0.6}


@pytest.mark.slow
def test_ranks_are_uniform_and_are_not_where_data_sets_are_forgotten(
    monkeypatch,
):
    codes = simulated_shares.design(44, 8, np.random.default_rng(6), ("dataset",))
    draws = share_ranks.ranks(codes, SCALES, np.random.default_rng(7), 400)
    assert uneven(draws) > 0.01
    posteriors = simulated_shares.posteriors

    def forgotten(agree, codes, scales):
        return posteriors(agree, codes, {**scales, "dataset": 0.05})

    monkeypatch.setattr(share_ranks, "posteriors", forgotten)
    assert (
        uneven(share_ranks.ranks(codes, SCALES, np.random.default_rng(7), 400)) < 1e-6
    )


def test_ranks_are_counted_in_tenths(monkeypatch):
    """Of a design with fewer draws there are as many ranks as its share of a thousand."""
    designs = [({"n": 3}, {}, None, 1), ({"n": 4}, {}, None, 500)]
    monkeypatch.setattr(share_ranks, "all_designs", lambda: iter(designs))
    monkeypatch.setattr(share_ranks, "load_scales", dict)
    monkeypatch.setattr(
        share_ranks,
        "ranks",
        lambda codes, scales, rng, n: np.linspace(0, 0.1, n),
    )
    rows = [*share_ranks.rows()]
    assert [row["bin"] for row in rows] == [*range(10)] * 2
    counts = [row["count"] for row in rows]
    assert (counts[0], counts[1], sum(counts[:10])) == (999, 1, 1000)
    assert counts[10:13] == [1, 1, 0] and rows[10]["n"] == 4
