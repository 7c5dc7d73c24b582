"""The stored ranks follow from the arena's table."""

import numpy as np

from evidence import load_results
from evidence.arena import ranking
from evidence.arena.ranked_cases import rank_cases


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
