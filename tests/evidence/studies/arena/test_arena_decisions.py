"""Which map to use, of losses that are chosen."""

from arena_rows import BASE, table

from evidence.arena.ranked_cases import rank_cases
from evidence.studies.arena import arena_decisions


def test_a_clear_best_is_resolved():
    losses = BASE | {"a": lambda dataset, seed: 0.8 + 0.001 * dataset}
    decision = arena_decisions.decision(
        rank_cases(table(losses)), ["temperature", "a", "b"]
    )
    assert decision["best"] == decision["use"] == "a" and decision["left"] == ["a"]
