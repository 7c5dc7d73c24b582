"""The judge of the second set: an error stops one line, and what binds is fixed."""

import pandas as pd
from helpers import ROOT

from evidence.forecasts.digests import digests
from evidence.forecasts.second import judge_second, line_rules, registered

LINES = registered.load_lines()


def test_an_error_that_no_rule_names_stops_one_line(monkeypatch):
    line = next(
        line for line in LINES if line.rule == "number" and line.frame == "tasks"
    )
    monkeypatch.setitem(line_rules.RULES, "number", lambda rows, fewest, **given: 1 / 0)
    found = judge_second.judge_line(line, {"tasks": pd.DataFrame()})
    assert (
        found["reason"].startswith(f"{judge_second.BREAKS}: ZeroDivisionError")
        and found["n"] == 0
    )


def test_what_binds_has_the_digests_that_are_stored():
    stored = pd.read_csv(ROOT / "data" / "forecasts" / "frozen-2.csv")
    assert digests(judge_second.FROZEN_SECOND) == dict(stored.to_numpy().tolist())
    assert all(name.startswith("data/") for name in stored["file"])  # and no code
