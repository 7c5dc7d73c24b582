"""The arena's rules of ranking, on losses that are chosen."""

import numpy as np
import pandas as pd
import pytest
from arena_rows import BASE, flat, table

from evidence.arena import ranking
from evidence.arena.ranked_cases import rank_cases


def test_data_sets_count_alike_and_seeds_do_not_count():
    rows = table(
        BASE | {"a": lambda dataset, seed: 0.9 - 0.1 * (dataset == 0)}, seeds=3
    )
    more = rows[(rows["dataset"] == "d1")].assign(set=lambda t: "other-" + t["set"])
    table_of_cases = rank_cases(pd.concat([rows, more], ignore_index=True))
    gain = ranking.ranking(table_of_cases)["gain"]
    assert gain["a"] == pytest.approx(25)  # 100 on one of four data sets
    assert gain["none"] == pytest.approx(-100)


def test_critical_difference_is_that_of_demsars_example():
    """Demšar (2006), section 3.2.2: four algorithms, fourteen data sets, 1.25 at 5 %."""
    rng = np.random.default_rng(0)
    losses = {name: lambda dataset, seed: rng.random() for name in ("a", "b")}
    table_of_cases = rank_cases(table(BASE | losses, datasets=14, seeds=1))
    ranks, p_value, difference, n = ranking.friedman(table_of_cases)
    assert n == 14 and ranks.sum() == pytest.approx(10) and 0 <= p_value <= 1
    assert difference == pytest.approx(1.25, abs=0.005)


def test_luck_is_gone_on_the_other_half():
    rng = np.random.default_rng(1)
    losses = BASE | {name: flat(0.9) for name in "abcdefgh"}
    noise = lambda: rng.normal(scale=0.01, size=2)  # noqa: E731
    halves = ranking.best_on_a_half(
        rank_cases(table(losses, datasets=20, seeds=5, halves=noise))
    )
    assert halves["apparent"]["low"] > 10
    assert abs(halves["honest"]["mean"]) < 3
    assert halves["same"]["mean"] == pytest.approx(1 / 9, abs=0.07)


def test_what_is_chosen_elsewhere_never_saw_the_data_set():
    of_d0 = {"a": lambda dataset, seed: 0.2 if dataset == 0 else 0.95, "b": flat(0.8)}
    choices = ranking.chosen_elsewhere(rank_cases(table(BASE | of_d0)))
    assert choices["map"].to_dict() == {"d0": "b", "d1": "a", "d2": "a", "d3": "a"}
    assert choices["gain"].tolist() == pytest.approx([100, -50, -50, -50])
    assert choices["regret"].tolist() == pytest.approx([600, 150, 150, 150])
