"""Which map to use: of losses that are chosen, and as stored."""

import pandas as pd
from arena_rows import BASE, table

from evidence import load_results
from evidence.arena.ranked_cases import rank_cases
from evidence.studies.arena import arena_decisions


def test_a_clear_best_is_resolved():
    losses = BASE | {"a": lambda dataset, seed: 0.8 + 0.001 * dataset}
    decision = arena_decisions.decision(
        rank_cases(table(losses)), ["temperature", "a", "b"]
    )
    assert decision["best"] == decision["use"] == "a" and decision["left"] == ["a"]


def test_decisions_follow_from_the_table():
    columns = ["classes", "size", "best", "use", "left"]
    ranked = rank_cases(load_results("arena"))
    decided = pd.DataFrame(arena_decisions.decide(ranked))[columns]
    there = load_results("arena_decisions")[columns]
    pd.testing.assert_frame_equal(decided, there, check_dtype=False)
