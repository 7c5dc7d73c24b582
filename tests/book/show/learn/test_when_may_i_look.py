"""Wealth and alarms by week; what gates do in simulated worlds, by hand."""

import numpy as np
import pandas as pd
import pytest
from drawings import points

from book.show.learn import when_may_i_look

WEEKS = np.arange(1, 5)
TESTS = {
    "shirts come late": np.array([False, True, True, False]),
    "calm": np.array([False, False, False, True]),
}
WEALTH = {"shirts come late": np.array([1, 5, 20, 90.0]), "calm": np.ones(4)}


def test_weeks_whose_own_test_alarms_are_marked_below_the_wealth():
    (ax,) = when_may_i_look.draw_wealth_and_alarms(TESTS, WEALTH, WEEKS).axes
    assert points(ax, 1) == pytest.approx(np.c_[WEEKS, WEALTH["shirts come late"]])
    assert points(ax, 2) == pytest.approx(np.array([[2, 0.008], [3, 0.008]]))
    assert points(ax, 4)[:, 0].tolist() == [4]
    assert points(ax, 0)[0, 1] == 20


def looks():
    """Rows of a study: two gates in a world that stays, one that moves, one at the edge."""
    bet, weekly = "memory", "a test each week"
    rows = [
        (bet, "calm", 100, 0.0, 0.0, 0.0, 0.01, np.nan, np.nan),
        (weekly, "calm", 100, 0.0, 0.0, 0.0, 0.9, np.nan, np.nan),
        (bet, "edge", 100, 0.02, 0.02, 0.02, 0.03, np.nan, np.nan),
        (weekly, "edge", 100, 0.02, 0.02, 0.02, 0.5, np.nan, np.nan),
        (bet, "edge", 1000, 0.02, 0.02, 0.02, 0.02, np.nan, np.nan),
        (weekly, "edge", 1000, 0.02, 0.02, 0.02, 0.6, np.nan, np.nan),
        (bet, "moves", 100, 0.02, 0.0, 0.05, 0.0, 0.4, 50.0),
        (weekly, "moves", 100, 0.02, 0.0, 0.05, 0.2, 1.0, 5.0),
        (bet, "moves", 1000, 0.02, 0.01, 0.05, 0.0, 0.9, 12.0),
        (weekly, "moves", 1000, 0.02, 0.01, 0.05, 0.3, 1.0, 3.0),
    ]
    columns = "gate world labels tolerance before after false_alarms seen median_weeks"
    return pd.DataFrame(rows, columns=columns.split())


def test_gates_stand_side_by_side_in_each_world():
    table = when_may_i_look.table_of_simulated_worlds(looks()).set_index(
        ["world", "labels"]
    )
    assert table.loc[("calm", 100), "false alarms, bet"] == "1"
    assert table.loc[("calm", 100), "false alarms, tests"] == "90"
    assert table.loc[("moves", 1000), "weeks, bet"] == "12"
    assert table.loc[("moves", 100), "seen, bet"] == "40"
    assert table.loc[("calm", 100), "seen, bet"] == "–"


def test_false_alarms_are_those_of_models_that_did_not_move(glued):
    score, hit = np.array([0.9, 0.8]), np.array([1, 0])
    when_may_i_look.glue_alarms_of_gates(looks(), TESTS, WEALTH, score, hit)
    year = 100 * (1 - 0.95**52)
    assert glued == {
        "look-off": "35.0",
        "look-year": f"{year:.0f}",
        "look-first": 3,
        "look-tests": 1,
        "look-most": "3.0",
        "look-fewest": "90",
        "look-fewest-edge": "50",
        "look-exact": "20 to 30 %",
        "look-median": "12",
        "look-median-tests": "3",
        "look-seen": "40",
    }
    blind = looks().replace({"seen": {1.0: 0.99}})
    with pytest.raises(ValueError, match="all weekly tests see"):
        when_may_i_look.glue_alarms_of_gates(blind, TESTS, WEALTH, score, hit)


def test_most_labels_come_late_after_the_last_week_with_few(glued):
    late = np.repeat([0.2, 0.6, 0.5, 0.51, 0.9], 100) > np.tile(np.arange(100) / 100, 5)
    when_may_i_look.glue_week_of_few_labels(late)
    assert glued == {
        "look-half": 4
    }  # the third week is the last with half of them or fewer
