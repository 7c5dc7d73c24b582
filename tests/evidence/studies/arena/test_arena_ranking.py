"""The stored ranks and decisions follow from the arena's table."""

import numpy as np
import pandas as pd

from evidence import load_results
from evidence.arena import ranking
from evidence.arena.ranked_cases import rank_cases
from evidence.studies.arena import arena_decisions


def test_ranks_and_decisions_follow_from_the_table():
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
    columns = ["classes", "size", "best", "use", "left"]
    decided = pd.DataFrame(arena_decisions.decide(ranked))[columns]
    there = load_results("arena_decisions")[columns]
    pd.testing.assert_frame_equal(decided, there, check_dtype=False)
