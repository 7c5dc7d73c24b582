"""The judge of the second set: an error stops one line, and what binds is fixed."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT

from evidence.forecasts.digests import digests
from evidence.forecasts.second import judge_second, line_rules, registered

LINES = registered.load_lines()


def test_an_error_that_no_rule_names_stops_one_line(monkeypatch):
    line = next(
        line for line in LINES if line.rule == "number" and line.frame == "tasks"
    )
    monkeypatch.setitem(line_rules.RULES, "number", lambda rows, fewest, **given: 1 / 0)
    result = judge_second.judge_line(line, {"tasks": pd.DataFrame()})
    assert (
        result["reason"].startswith(f"{judge_second.BREAKS}: ZeroDivisionError")
        and result["n"] == 0
    )


LINE = SimpleNamespace(id="a", frame="f", rule="r", fewest=3, parameters={"above": 2})


@pytest.mark.parametrize(("true", "expected"), [(True, 1), (False, 0), (None, np.nan)])
def test_an_answer_is_one_or_zero_with_its_number(monkeypatch, true, expected):
    def rule(rows, fewest, above):
        return SimpleNamespace(true=true, number=above + fewest, n=len(rows))

    monkeypatch.setitem(judge_second.RULES, "r", rule)
    result = judge_second.judge_line(LINE, {"f": pd.DataFrame({"value": [1, 2]})})
    assert result["true"] == pytest.approx(expected, nan_ok=True)
    assert (result["id"], result["number"], result["n"]) == ("a", 5, 2)
    assert result["reason"] == ""


def test_a_line_without_its_frame_has_no_evidence():
    result = judge_second.judge_line(LINE, {"another": pd.DataFrame()})
    assert result["reason"] == "no evidence: f" and np.isnan(result["true"])


def test_a_line_whose_rule_finds_too_little_says_why(monkeypatch):
    def rule(rows, fewest, above):
        raise line_rules.NoAnswerError("two rows")

    monkeypatch.setitem(judge_second.RULES, "r", rule)
    result = judge_second.judge_line(LINE, {"f": pd.DataFrame()})
    assert result["reason"] == "no answer: two rows" and result["n"] == 0


def test_lines_with_an_answer_are_those_without_a_reason():
    judged = pd.DataFrame({"reason": ["", "no answer: two rows"]})
    assert judge_second.answered(judged).tolist() == [True, False]


def test_what_binds_has_the_digests_that_are_stored():
    stored = pd.read_csv(ROOT / "data" / "forecasts" / "frozen-2.csv")
    assert digests(judge_second.FROZEN_SECOND) == dict(stored.to_numpy().tolist())
    assert all(name.startswith("data/") for name in stored["file"])  # and no code
