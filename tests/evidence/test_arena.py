"""The arena: its sets, its rules of ranking, and its stored table."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest

from evidence import load_results
from evidence.arena import every_map, ranking
from evidence.arena import prediction_sets as sets
from evidence.arena.one_map import ARENA_METRICS
from evidence.arena.ranked_cases import rank_cases
from evidence.studies.arena import arena_decisions


def table(losses, datasets=4, seeds=2, halves=None):
    """Rows as of arena.csv; ``losses[map](dataset, seed)`` is the NLL, None fails."""
    rows = []
    for dataset, seed, (name, loss) in product(
        range(datasets), range(seeds), losses.items()
    ):
        value = loss(dataset, seed)
        row = {"set": f"d{dataset}-s{seed}", "dataset": f"d{dataset}", "classes": 10}
        row |= {
            "n": 500,
            "order": 0,
            "map": name,
            "fit_seconds": 0.1,
            "predict_seconds": 0.1,
        }
        row |= dict.fromkeys(ARENA_METRICS, np.nan if value is None else value)
        if halves is not None:
            row |= dict(zip(("nll_1", "nll_2"), value + halves(), strict=True))
        rows.append(row | {"failure": "ValueError: no" if value is None else np.nan})
    return pd.DataFrame(rows)


def flat(value):
    return lambda dataset, seed: value


BASE = {"none": flat(1.0), "temperature": flat(0.9)}


def test_sizes_are_nested_and_the_whole_pool_comes_once():
    z, y = np.arange(6000.0).reshape(3000, 2), np.zeros(3000, int)
    task = sets.PredictionSet("x", "SST-2", "text", z, y, z, y)
    subsets = [
        (order, n, set(logits[:, 0])) for order, n, logits, _ in task.calibration_sets
    ]
    assert [(order, n) for order, n, _ in subsets] == [
        *((order, n) for order in (0, 1) for n in (100, 500, 2500)),
        (0, 3000),
    ]
    for (first, _, smaller), (second, _, more) in pairwise(subsets):
        assert first != second or smaller < more
    assert subsets[0][2] != subsets[3][2]


def test_a_failure_has_the_losses_of_none_and_the_last_rank():
    rows = rank_cases(table(BASE | {"a": flat(None), "b": flat(1.2)}))
    of_a = rows[rows["map"] == "a"]
    assert (of_a["nll"] == 1.0).all() and of_a["failed"].all()
    assert set(of_a["rank"]) == {4}
    assert of_a["gain"].tolist() == pytest.approx([-100] * 8)


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


def test_a_clear_best_is_resolved():
    losses = BASE | {"a": lambda dataset, seed: 0.8 + 0.001 * dataset}
    decision = arena_decisions.decision(
        rank_cases(table(losses)), ["temperature", "a", "b"]
    )
    assert decision["best"] == decision["use"] == "a" and decision["left"] == ["a"]


def test_some_cheap_cells_are_computed_again():
    """To six digits; another processor may round the last otherwise."""
    task = sets.load_set("sst2-dan3-w100-s1")
    maps = {
        name: every_map.MAPS[name]
        for name in ("none", "temperature", "vector", "isotonic")
    }
    stored = load_results("arena").set_index(["set", "n", "order", "map"])
    for row in every_map.fit_all_maps(task, task.calibration_sets, maps):
        there = stored.loc[(row["set"], row["n"], row["order"], row["map"])]
        assert row["failure"] == ("" if pd.isna(there["failure"]) else there["failure"])
        values = [float(row[metric] or np.nan) for metric in ARENA_METRICS]
        expected = there[[*ARENA_METRICS]].astype(float)
        np.testing.assert_allclose(expected, values, rtol=1e-4, atol=1e-6)


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
