"""What the judge finds in stand-ins, complete and with holes, is what binds."""

import numpy as np
import pandas as pd
import pytest

from evidence.forecasts.second import judge_second, outcomes, registered, stand_ins

LINES = registered.load_lines()
TABLE = registered.load_table()


STORED = dict(list(outcomes.load_outcomes().groupby("stand_in", sort=False)))


def test_the_outcomes_that_bind_are_of_every_stand_in_and_every_line():
    assert list(STORED) == [outcomes.COMPLETE, *stand_ins.HOLES]
    for stored in STORED.values():
        assert stored["id"].tolist() == TABLE["id"].tolist()


FOUND = pd.DataFrame(
    {
        "id": ["a", "b", "c"],
        "true": [1.0, np.nan, np.nan],
        "number": [2.0, 0.0, np.nan],
        "n": [3, 4, 0],
        "reason": ["", "", "no answer: 2 cases"],
    }
)


@pytest.mark.parametrize(
    ("line", "column", "value", "differs"),
    [
        ("a", "true", 0.0, True),
        ("a", "true", np.nan, True),
        ("b", "true", 1.0, True),
        ("a", "number", 2 + 1e-6, False),
        ("a", "number", 2 - 4e-6, True),
        ("b", "number", 5e-7, False),
        ("b", "number", 2e-6, True),
        ("b", "number", np.nan, True),
        ("c", "number", 0.0, True),
        ("b", "n", 5, True),
        ("b", "reason", "no evidence", True),
        ("c", "reason", "", True),
        ("c", "reason", "in other words", False),
    ],
)
def test_an_outcome_is_a_truth_a_number_its_cases_and_whether_there_is_one(
    line, column, value, differs
):
    today = FOUND.set_index("id")
    today.loc[line, column] = value
    turned = today.reset_index()[::-1]  # a line is found by its name
    assert outcomes.differing(turned, FOUND) == [line] * differs


def test_a_line_that_is_not_stored_differs():
    assert outcomes.differing(FOUND, FOUND[:2]) == ["c"]


def test_a_hole_is_made_in_three_networks_and_none_in_all():
    complete = outcomes.with_hole(outcomes.COMPLETE)
    assert len(complete.networks) == 16
    for name in stand_ins.HOLES:
        assert {*outcomes.with_hole(name).networks} <= {*outcomes.SOME}


def test_the_judge_reads_the_stand_in_that_was_written(monkeypatch, tmp_path):
    """Of one that has its tables alone, lines about tasks have an answer."""
    tasks, networks = (
        next(line for line in LINES if line.frame == frame)
        for frame in ("tasks", "network table")
    )
    monkeypatch.setattr(outcomes, "load_lines", lambda: [tasks, networks])
    whole = stand_ins.stored()
    few = stand_ins.StandIn({}, whole.tasks, whole.subjects)
    result = outcomes.outcome(few, tmp_path)
    assert result["id"].tolist() == [tasks.id, networks.id]
    assert (result["reason"] == "").tolist() == [True, False]


def test_the_command_prints_what_differs_of_each_stand_in(monkeypatch, capsys):
    stored = pd.concat([FOUND.assign(stand_in=name) for name in ("second", "first")])
    monkeypatch.setattr(outcomes, "load_outcomes", lambda: stored)
    monkeypatch.setattr(outcomes, "with_hole", str)
    today = {"second": FOUND.assign(n=7), "first": FOUND}
    monkeypatch.setattr(outcomes, "outcome", lambda name, folder: today[name])
    outcomes.main()
    assert capsys.readouterr().out == "second: a, b, c\nfirst: as stored\n"


@pytest.mark.slow
def test_of_the_complete_stand_in_the_judge_finds_what_binds(frames_of_complete):
    judged = judge_second.judge_lines(LINES, frames_of_complete)
    assert judge_second.answered(judged).mean() > 0.95
    assert outcomes.differing(judged, STORED[outcomes.COMPLETE]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", stand_ins.HOLES)
def test_no_hole_breaks_the_judge(tmp_path, name):
    """What has no answer is counted, with a reason; no rule meets what it does not name."""
    seen = judge_second.read_folder(outcomes.with_hole(name).write(tmp_path))
    judged = judge_second.judge_lines(LINES, seen.frames)
    assert outcomes.differing(judged, STORED[name]) == []
    assert len(judged) == len(LINES)
    assert not judged["reason"].str.startswith(judge_second.BREAKS).any()
    answered = judge_second.answered(judged)
    amount = TABLE["unit"] != ""
    assert judged.loc[answered, "number"].notna().all()
    assert judged.loc[answered & ~amount, "true"].isin([0, 1]).all()
    assert judged.loc[~answered, ["true", "number"]].isna().all(axis=None)
    assert judged.loc[~answered, "reason"].str.match("no (answer|evidence): ").all()
    without = {
        "all_nan",
        "no_samples",
        "an_array_is_missing",
        "labels_too_short",
        "some_nan",
    }
    assert bool(seen.notes) or name not in without
