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


def test_a_map_that_did_not_run_on_all_data_sets_cannot_be_the_best():
    gain = pd.DataFrame(
        {"a": [1.0, 2.0], "none": [-1.0, -1.0], "b": [9.0, np.nan]}, index=["d0", "d1"]
    )
    best = ranking.probability_of_best(gain)
    assert best[["a", "none"]].tolist() == [1, 0] and np.isnan(best["b"])


def test_mean_ranks_are_of_the_data_sets_that_all_maps_ran_on():
    """The ranks 1, 2, 3 on three data sets: Friedman's statistic is 6, and p = exp(-3)."""
    rows = [
        (f"d{d}", f"d{d} n", name, rank)
        for d in range(3)
        for name, rank in (("a", 1.0), ("b", 2.0), ("c", 3.0))
    ]
    rows += [("d3", "d3 n", "a", 2.0), ("d3", "d3 n", "c", 1.0)]
    table_of_cases = pd.DataFrame(rows, columns=["dataset", "setting", "map", "rank"])
    ranks, p_value, _, n = ranking.friedman(table_of_cases)
    assert ranks.to_dict() == {"a": 1, "b": 2, "c": 3} and n == 3
    assert p_value == pytest.approx(np.exp(-3))


def test_a_row_of_the_ranking_says_on_how_many_data_sets_its_map_ran():
    rows = table(BASE | {"a": flat(0.8)})
    rows = rows[(rows["map"] != "a") | (rows["dataset"] != "d3")]
    ranked = ranking.ranking(rank_cases(rows))
    assert ranked["datasets"].to_dict() == {"a": 3, "temperature": 4, "none": 4}
    assert ranked["rank"].to_dict() == {"a": 1, "temperature": 2, "none": 3}
    assert np.isnan(ranked["best"]["a"]) and ranked["best"]["temperature"] == 1


def test_the_half_that_chooses_a_map_does_not_judge_it():
    """The first half chooses a map, which has 1.0 on the second; the second chooses temperature."""
    rows = table(BASE | {"a": flat(1.0)}, datasets=1, seeds=1)
    rows.loc[rows["map"] == "a", "nll_1"] = 0.1
    rows = rank_cases(rows)
    lost = ranking.regret(rows).groupby(rows["map"]).first()
    assert lost["temperature"] == pytest.approx((900 - 1000) / 2)
    assert lost["a"] == pytest.approx((100 - 900) / 2)


def test_the_best_map_of_a_half_is_compared_with_temperature_on_the_other():
    """Map a is best on the first half alone: .6 there and .8 on the other half."""
    rows = table(BASE | {"a": flat(1.0), "b": flat(2.0)}, datasets=2, seeds=1)
    rows.loc[rows["map"] == "a", ["nll_1", "nll_2"]] = 0.6, 0.8
    rows.loc[rows["map"] == "temperature", ["nll_1", "nll_2"]] = 0.9, 0.7
    found = ranking.best_on_a_half(rank_cases(rows))
    means = {name: interval["mean"] for name, interval in found.items()}
    # the first half chooses a, which gains .3 there and loses .1 on the other
    expected = {"same": 0, "chance": 1 / 4, "apparent": 150, "honest": -50}
    assert means == pytest.approx(expected)


def test_a_map_that_is_best_on_both_halves_is_the_same():
    rows = table(BASE | {"a": flat(0.5)}, datasets=2, seeds=1)
    assert ranking.best_on_a_half(rank_cases(rows))["same"]["mean"] == 1


def test_a_map_is_not_chosen_for_a_data_set_on_which_it_failed_once():
    """Map a gains most where it ran, and did not run on the last."""
    rows = table(BASE | {"a": flat(0.1), "b": flat(0.8)})
    rows = rows[(rows["map"] != "a") | (rows["dataset"] != "d3")]
    choices = ranking.chosen_elsewhere(rank_cases(rows))
    assert (choices["map"] == "b").all() and choices["gain"].tolist() == (
        pytest.approx([100] * 4)
    )


def test_a_row_of_the_ranking_has_the_times_and_the_regret_of_its_map():
    rows = table(BASE, datasets=3, seeds=1)
    rows["fit_seconds"] = [1.0, 5.0, 2.0, 5.0, 9.0, 5.0]
    ranked = ranking.ranking(rank_cases(rows))
    assert ranked.index.tolist() == ["temperature", "none"]
    assert ranked["fit_seconds"].to_dict() == {"temperature": 5, "none": 2}
    assert ranked["regret"].to_dict() == pytest.approx({"temperature": 0, "none": 100})


def test_numbers_are_written_with_four_digits_and_what_is_missing_is_empty():
    rows = pd.DataFrame({"map": ["a"], "gain": [1.23456], "n": [12345], "best": np.nan})
    (row,) = ranking.four_digits(rows)
    assert row == {"map": "a", "gain": "1.235", "n": 12345, "best": ""}
