"""Whether a change is worse than chance explains."""

import numpy as np
import pytest
from scipy import stats
from weeks import week_of_three_classes

from calib_report import make_report, read
from calib_report.gating.changes import (
    unpaired_change,
    verdict_of_change,
    verdicts_against_outputs,
)
from calib_report.gating.references import ReferenceOutputs, read_reference
from calib_report.gating.rules import Rules, judge
from evidence.studies.software.promises_about_chance import broken


@pytest.mark.parametrize("name", ["accuracy", "NLL"])
def test_a_change_breaks_a_rule_beyond_a_quarter_of_the_error_of_one(name):
    """Four numbers are looked at: 2.4977 standard errors, of which 0.625 % lie beyond."""
    worse = -1 if name == "accuracy" else 1
    assert stats.norm.sf(2.4977) == pytest.approx(0.025 / 4, rel=1e-3)
    for errors, holds in ((1.97, True), (2.49, True), (2.51, False), (-9, True)):
        change = worse * errors
        # the interval of a standard error of one, further on the side that does not matter
        low, high = (
            change - 1.96 * (1 + 4 * (worse < 0)),
            change + 1.96 * (1 + 4 * (worse > 0)),
        )
        verdict = verdict_of_change(
            name, {"difference": change, "low": low, "high": high}, "b"
        )
        assert verdict.holds == holds, verdict.line


def test_losses_that_are_all_equal_are_compared_with_those_of_a_base():
    constant = {"value": 0.2}
    change = unpaired_change({"value": 0.1, "low": 0.06, "high": 0.14}, constant)
    assert change["difference"] == pytest.approx(0.1)
    assert (change["low"], change["high"]) == pytest.approx((0.06, 0.14))


def test_a_report_on_equal_losses_is_a_base(tmp_path):
    y = np.random.default_rng(0).integers(2, size=120)
    p = np.where(y == 1, 0.985, 0.015)
    constant = {"y": y, "probabilities": np.column_stack([1 - p, p])}
    report = make_report(constant, tmp_path / "base.html")
    # all losses fall alike, by no known chance
    assert report["recommended"]["name"] == "none"
    base = read_reference(tmp_path / "base.json")
    _, of_rules = judge(read(constant), Rules(against=base))
    [nll] = [verdict for verdict in of_rules if verdict.line.startswith("NLL")]
    assert nll.holds


@pytest.mark.slow
def test_one_look_seldom_breaks_a_rule_of_a_model_that_did_not_change():
    """Of 60 looks at the four numbers of a report; intervals of each alone break 5 to 10."""
    report, _, bound = broken(60, "calibrated, 500 samples", np.random.default_rng(5))
    assert report <= 4 and bound <= 5


def test_the_interval_of_a_change_joins_the_ends_that_pull_the_same_way():
    """Zou & Donner: 3 below the new and 4 above the old are 5 below their difference."""
    new = {"value": 10.0, "low": 7.0, "high": 22.0}
    old = {"value": 4.0, "low": -1.0, "high": 8.0}
    change = unpaired_change(old, new)
    assert (change["difference"], change["low"], change["high"]) == (6, 1, 19)


def test_an_event_that_was_impossible_breaks_the_rule_of_the_nll_alone():
    before = ReferenceOutputs("before", read(week_of_three_classes()))
    verdicts = verdicts_against_outputs(read(week_of_three_classes(1)), before, seed=0)
    broken_rules = [verdict.line for verdict in verdicts if not verdict.holds]
    assert len(verdicts) > 1 and len(broken_rules) == 1
    assert broken_rules[0].startswith("NLL")
