"""Which promises of the library fall short, of the tables that are stored."""

import numpy as np
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


@pytest.mark.parametrize(
    ("kept", "trials", "promised", "short"),
    [
        (0.9, 300, 95, False),  # 3.3 standard errors are .057
        (0.9, 1000, 95, True),  # .031
        (0.94, 10**6, 95, True),
        (0.95, 10**6, 95, False),
        (1.0, 10, 99, False),
        (0.5, 10, np.nan, False),  # nothing is promised
    ],
)
def test_a_promise_is_missed_beyond_chance(kept, trials, promised, short):
    row = pd.DataFrame({"kept": [kept], "trials": trials, "promised": promised})
    assert len(promises_kept.falls_short(row)) == short


WORLDS = pd.DataFrame(
    {
        "kind": ["gate", "gate", "interval", "interval", "test"],
        "name": [*"aabbc"],
        "says": "is kept",
        "promised": [95, 95, 90, 90, np.nan],
        "world": ["w1", "w2", "w1", "w1", "w3"],
        "kept": [0.5, 1.0, 0.9123, 0.8, 0.25],
        "trials": [100, 300, 10, 10, 40],
        "table": [*"ttuuv"],
    }
)


def test_the_trials_of_all_worlds_count_alike():
    table = promises_kept.over_worlds(WORLDS).set_index("name")
    assert table["trials"].to_dict() == {"a": 400, "b": 20, "c": 40}
    kept = {"a": (50 + 300) / 400, "b": (9.123 + 8) / 20, "c": 0.25}
    assert table["kept"].to_dict() == pytest.approx(kept)


def test_a_promise_is_summed_up_over_its_worlds_by_kind(monkeypatch):
    monkeypatch.setattr(promises_kept, "every_promise", lambda: WORLDS)
    table = promises_kept.summary()
    assert table["name"].tolist() == ["b", "c", "a"]  # intervals, tests, gates
    table = table.set_index("name")
    assert table.loc["a", ["least", "median", "most"]].tolist() == [50, 75, 100]
    assert table.loc["b", ["least", "median", "most"]].tolist() == [80, 85.6, 91.2]
    assert table["worlds"].to_dict() == {"a": "2 worlds", "b": "w1", "c": "w3"}
    assert table["table"].to_dict() == {"a": "t", "b": "u", "c": "v"}
    assert table["promised"].fillna(0).to_dict() == {"a": 95, "b": 90, "c": 0}


STORED = {
    "promises_of_the_library": pd.DataFrame(
        {
            "kind": ["band"],
            "name": "its name",
            "says": "it holds",
            "promised": 90,
            "world": "w",
            "kept": 0.8,
            "trials": 5,
        }
    ),
    "paired_coverage": pd.DataFrame({"world": ["w"], "split": 0.9, "split_trials": 10}),
    "report_coverage": pd.DataFrame(
        {"world": ["w"], "metric": "ece", "coverage": 0.7, "n_trials": 20}
    ),
    "promises_about_chance": pd.DataFrame(
        {
            "what": ["honest", "none of a gate", "report"],
            "world": [*"uvw"],
            "promised": [1, 1, 5],
            "counted": [3, 1, 0],
            "of": [30, 10, 40],
        }
    ),
    "gate_with_memory": pd.DataFrame(
        {
            "gate": ["memory", "memory", "memory", "memory", "fixed"],
            "world": "w",
            "before": [0.0, -0.2, -0.3, 0.0, 0.0],
            "after": [0.0, 0.1, 0.0, 0.3, 0.0],
            "tolerance": 0.2,
            "labels": [50, 60, 70, 80, 90],
            "runs": 100,
            "false_alarms": [0.02, 0.04, 1.0, 1.0, 1.0],
        }
    ),
}


def test_each_table_says_what_was_kept_of_how_many_trials(monkeypatch):
    """Of the gate's memory only where no offset is beyond what is allowed, on either side."""
    monkeypatch.setattr(promises_kept, "load_results", STORED.get)
    rows = promises_kept.every_promise()
    columns = ["kind", "name", "promised", "world", "kept", "trials", "table"]
    result = [list(row) for row in rows[columns].itertuples(index=False)]
    difference = "paired_difference of ece"
    assert result == [
        ["band", "its name", 90, "w", 0.8, 5, "promises"],
        ["interval", difference, 95, "w", 0.9, 10, "paired_coverage"],
        ["interval", "report, ece", 95, "w", 0.7, 20, "report_coverage"],
        ["gate", "look at the file first", 99, "u", 0.9, 30, "gate"],
        ["gate", "check, against a report", 95, "w", 1, 40, "gate"],
        [
            "gate",
            "gate with memory",
            95,
            "w, 50 labels a week",
            0.98,
            100,
            "gate_with_memory",
        ],
        [
            "gate",
            "gate with memory",
            95,
            "w, 60 labels a week",
            0.96,
            100,
            "gate_with_memory",
        ],
    ]
    assert rows["says"].tolist()[3:5] == [
        "is silent of an honest file",
        "no rule breaks where nothing changed",
    ]
