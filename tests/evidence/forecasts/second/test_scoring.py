"""The scores of three forecasters, by hand and in simulated worlds."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from evidence.forecasts.second import (
    expected_by_ledger,
    judge_second,
    registered,
    scoring,
    stand_ins,
)

LINES = registered.load_lines()
TABLE = registered.load_table()
ENDS = ("low", "high")


def test_an_interval_score_worked_by_hand():
    """An amount three beyond an interval of width two: 2 + 2 / (1 - level) times 3."""
    assert scoring.interval_score(0.0, 2.0, 0.9, 5.0) == pytest.approx(62)
    assert scoring.interval_score(0.0, 2.0, 0.5, -3.0) == pytest.approx(14)
    assert scoring.interval_score(0.0, 2.0, 0.5, 1.0) == 2


def test_by_chance_all_five_of_five_intervals_may_miss_or_hold_the_amount():
    """All five of 50 % miss with probability 1/32, more than 2.5 %; of 90 % two hold in 0.9 %."""
    ends = {"low_50": 0.0, "high_50": 2.0, "low_90": -1.0, "high_90": 3.0}
    number = [0.5, 1.0, 1.5, 2.5, 4.0]
    found = scoring.score_intervals(
        pd.DataFrame({**ends, "number": number, "scale": 4.0}), ""
    )
    by_chance = [
        found[f"inside {of} by chance, {end}"] for of in ("50%", "90%") for end in ENDS
    ]
    assert by_chance == [0, 1, 0.6, 1]
    assert (found["inside 50%"], found["inside 90%"]) == (0.6, 0.8)


def of_a_world(rng, n):
    """A list of which the writer knows the truth, the ledger all but twice it, and what came."""
    p, center = rng.uniform(0.05, 0.95, n), rng.normal(0, 5, n)
    table = pd.DataFrame({"id": np.arange(2 * n).astype(str), "evidence": "six models"})
    table["unit"] = np.repeat(["", "points"], n)
    table["probability"] = np.append(p, np.full(n, np.nan))
    table["ledger_probability"] = np.append(0.5 + 0.3 * (p - 0.5), np.full(n, np.nan))
    table["base_probability"] = np.append(np.full(n, 0.46), np.full(n, np.nan))
    for end, level in expected_by_ledger.QUANTILES.items():
        table[end] = np.append(np.full(n, np.nan), norm.ppf(level, center, 1))
        table[f"ledger_{end}"] = np.append(
            np.full(n, np.nan), norm.ppf(level, center, 0.3)
        )
    judged = pd.DataFrame({"id": table["id"], "n": 1, "reason": ""})
    judged["true"] = np.append((rng.random(n) < p).astype(float), np.full(n, np.nan))
    judged["number"] = np.append(np.full(n, np.nan), rng.normal(center, 1))
    return table, judged


def test_who_is_right_scores_as_expected_and_who_is_too_sure_does_not():
    table, judged = of_a_world(np.random.default_rng(8), 400)
    found = scoring.score_all(table, judged)
    chosen = {
        name: rows.query("lines == 'common' and evidence == 'all'").set_index(
            "forecaster"
        )
        for name, rows in found.items()
    }
    sentences, amounts = chosen["sentences"], chosen["amounts"]
    writer = sentences.loc["writer"]
    assert writer["brier"] == pytest.approx(writer["brier if right"], abs=0.03)
    assert writer["log loss"] == pytest.approx(writer["log loss if right"], abs=0.08)
    assert writer["ece"] < 2 * writer["ece by chance"]
    assert sentences.loc["ledger", "ece"] > 2 * sentences.loc["ledger", "ece by chance"]
    assert sentences["brier"].idxmin() == sentences["log loss"].idxmin() == "writer"
    assert set(amounts.index) == {"writer", "ledger"}  # a rate says nothing of amounts
    for level in ("50%", "90%"):
        low, high = (
            amounts.loc["writer", f"inside {level} by chance, {end}"] for end in ENDS
        )
        assert low <= amounts.loc["writer", f"inside {level}"] <= high
        assert amounts.loc["ledger", f"inside {level}"] < low
        right = amounts.loc["writer", f"score {level} if right"]
        assert amounts.loc["writer", f"score {level}"] == pytest.approx(right, rel=0.12)
        assert amounts[f"score {level}"].idxmin() == "writer"


def test_scores_count_what_has_no_answer_and_no_forecast():
    table, judged = of_a_world(np.random.default_rng(9), 30)
    table.loc[:4, "ledger_probability"] = np.nan
    judged.loc[3:9, ["true", "reason"]] = [np.nan, "no answer: why"]
    judged.loc[30:34, ["number", "reason"]] = [np.nan, "no answer: why"]
    found = scoring.score_all(table, judged)
    rows = (
        found["sentences"].query("evidence == 'all'").set_index(["forecaster", "lines"])
    )
    assert rows.loc[("writer", "its own"), ["forecasts", "answered"]].tolist() == [
        30,
        23,
    ]
    assert rows.loc[("writer", "common"), ["forecasts", "answered"]].tolist() == [
        25,
        20,
    ]
    amounts = (
        found["amounts"].query("evidence == 'all'").set_index(["forecaster", "lines"])
    )
    assert amounts.loc[("ledger", "common"), ["forecasts", "answered"]].tolist() == [
        30,
        25,
    ]


def test_the_three_are_scored_on_stand_ins(complete, tmp_path):
    only = stand_ins.StandIn({}, complete.tasks, complete.subjects)
    judged = judge_second.judge_lines(
        LINES, judge_second.read_folder(only.write(tmp_path)).frames
    )
    found = scoring.score_all(TABLE, judged)
    sentences = found["sentences"].query("evidence == 'all' and lines == 'common'")
    assert sentences["forecaster"].tolist() == ["writer", "ledger", "base rate"]
    assert sentences["answered"].nunique() == 1 and (sentences["answered"] > 5).all()
    assert found["amounts"].query("evidence == 'all'")["answered"].gt(3).all()
