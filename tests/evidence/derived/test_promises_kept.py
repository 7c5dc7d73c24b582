"""Which promises of the library fall short, of the tables that are stored."""

import pandas as pd
import pytest

import calib
from evidence.derived import promises_kept

ANSWERS = ("Estimate", "CalibrationTest", "Band", "PriorEstimate", "GroupErrors")


def test_nothing_falls_short():
    """Of the tables that `make promises` computes."""
    short = promises_kept.falls_short(promises_kept.every_promise())
    assert short.empty, short.to_string()


def test_over_all_worlds_the_one_that_falls_short_is_known():
    """A page says its name; of 300 trials a world none of its four worlds is short alone."""
    promises = promises_kept.over_worlds(promises_kept.every_promise())
    assert len(promises) == len(promises_kept.summary())
    short = promises_kept.falls_short(promises)
    assert short["name"].tolist() == ["bootstrap of excess_aurc"]


@pytest.mark.parametrize("trials", [300, 1200])
def test_the_least_share_that_is_not_seen_is_at_the_border(trials):
    border = promises_kept.least_unseen(95, trials)
    rows = pd.DataFrame({"kept": [border - 0.001, border], "trials": trials})
    short = promises_kept.falls_short(rows.assign(promised=95))
    assert short.index.tolist() == [0]


def test_a_broken_table_falls_short():
    promises = promises_kept.every_promise().assign(kept=0.8)
    assert (
        len(promises_kept.falls_short(promises))
        > 0.9 * promises["promised"].notna().sum()
    )


def test_all_that_answers_with_chance_is_in_the_table():
    names = " ".join(promises_kept.summary()["name"])
    functions = [getattr(calib, name) for name in calib.__all__]
    returned = {
        f.__name__: getattr(f, "__annotations__", {}).get("return")
        for f in functions
        if callable(f)
    }
    of_chance = [name for name, answer in returned.items() if answer in ANSWERS]
    assert len(of_chance) >= 8
    for name in (*of_chance, "wilson_interval", "holm", "VennAbers", "ConformalSets"):
        assert name in names


def test_of_a_promise_the_worst_world_is_shown():
    table = promises_kept.summary().set_index("name")
    worst = promises_kept.load_results("paired_coverage")["split"].min()
    assert table.loc["paired_difference of ece", "least"] == round(100 * worst, 1)
    assert table.loc["look at the file first", "promised"] == 99
