"""Each map's rank and gain in each case of the arena."""

import pytest
from arena_rows import BASE, flat, table

from evidence.arena.ranked_cases import rank_cases


def test_a_failure_has_the_losses_of_none_and_the_last_rank():
    rows = rank_cases(table(BASE | {"a": flat(None), "b": flat(1.2)}))
    of_a = rows[rows["map"] == "a"]
    assert (of_a["nll"] == 1.0).all() and of_a["failed"].all()
    assert set(of_a["rank"]) == {4}
    assert of_a["gain"].tolist() == pytest.approx([-100] * 8)
