"""Differences of means, of groups and of the same networks, on tables by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from network_rows import networks
from scipy.stats import ttest_ind

from evidence.claims import groups


def test_groups_are_compared_by_welch():
    rng = np.random.default_rng(3)
    rows = networks(14, rng, value=lambda rng, n: rng.random(n))
    rows["family"] = ["old"] * 6 + ["new"] * 8
    old_and_new = {"column": "family", "first": "old", "second": "new", "sign": 1}
    cases = groups.between(rows, **old_and_new)
    interval = cases.interval_of(cases.values, {})
    of = rows.groupby("family")["value"]
    welch = ttest_ind(of.get_group("new"), of.get_group("old"), equal_var=False)
    assert interval.estimate == pytest.approx(of.mean()["new"] - of.mean()["old"])
    ends = welch.confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high))
    ratio = groups.between(rows, **old_and_new, log=True)
    logs = np.log(rows["value"]).groupby(rows["family"]).mean()
    estimate = ratio.interval_of(ratio.values, {}).estimate
    assert estimate == pytest.approx(logs["new"] - logs["old"])


def test_a_group_that_has_no_network_is_compared_with_nothing():
    rows = networks(6, np.random.default_rng(4), value=lambda rng, n: rng.random(n))
    rows["family"] = ["old"] * 3 + ["new"] * 3
    old_and_none = {"column": "family", "first": "old", "second": "none", "sign": 1}
    assert groups.between(rows, **old_and_none).values.empty


@pytest.mark.parametrize("column", ["dataset", "author"])
def test_what_networks_of_a_group_have_in_common_widens_its_interval(column):
    rows = networks(12, np.random.default_rng(4), value=lambda rng, n: rng.random(n))
    rows["family"] = ["old"] * 6 + ["new"] * 6
    cases = groups.between(rows, column="family", first="old", second="new", sign=1)
    new = np.asarray(cases.values["family"]) == "new"
    widths = []
    for alike in (0, ~new, new):
        levels = np.where(alike, "same", np.arange(12).astype(str))
        interval = cases.interval_of(cases.values, {column: levels})
        widths.append(interval.high - interval.low)
    assert min(widths[1:]) > 1.1 * widths[0]


def test_a_group_of_one_kind_of_model_is_drawn_singly():
    rows = networks(12, np.random.default_rng(4), value=lambda rng, n: rng.random(n))
    rows["family"] = ["old"] * 6 + ["new"] * 6
    rows["kin"] = ["one model"] * 6 + ["x", "y"] * 3
    cases = groups.between(rows, column="family", first="old", second="new", sign=1)
    kin = cases.values.index.get_level_values("kin")
    assert len(set(kin)) == 6 + 2  # the first group's have their own names


def test_from_one_level_to_another_a_group_rises_more():
    """Old networks rise by one, new ones by three."""
    rises = {"old": 1.0, "new": 3.0}
    rows = [
        {"dataset": "a", "case": f"{family}{i}", "family": family, "away": away}
        | {"value": i + (rise + 0.1 * i) * (away == "shifted")}
        for (family, rise), i, away in product(
            rises.items(), range(4), ("clean", "shifted")
        )
    ]
    old_and_new = {"column": "family", "first": "old", "second": "new", "sign": 1}
    levels = {"level": "away", "low": "clean", "high": "shifted"}
    cases = groups.rises_more(pd.DataFrame(rows), **levels, **old_and_new)
    estimate = cases.interval_of(cases.values, {}).estimate
    assert estimate == pytest.approx(2.0)


def test_two_metrics_are_compared_and_no_steps_of_one_thing():
    rows = pd.DataFrame({"case": "n", "metric": ["ECE", "MCE"], "value": [1.0, 3.0]})
    found = groups.changes(rows, level="metric", first="ECE", last="MCE")
    assert found.what == "MCE less ECE" and found.values.tolist() == [2.0]


def test_changes_and_pairs_are_differences_of_one_network():
    rows = pd.DataFrame(
        [("a", "n1", 1.0, 4.0), ("a", "n2", 2.0, 8.0), ("a", "n3", 5.0, np.nan)],
        columns=["dataset", "case", "clean", "shifted"],
    ).melt(["dataset", "case"], var_name="away")
    changes = groups.changes(rows, level="away", first="clean", last="shifted")
    assert changes.values.tolist() == [3.0, 6.0]
    assert changes.what == "away from clean to shifted"
    pairs = {"column": "away", "first": "clean", "second": "shifted", "keys": []}
    assert groups.paired(rows, **pairs, sign=1).values.tolist() == [3.0, 6.0]
    logs = groups.paired(rows, **pairs, sign=1, log=True).values
    assert logs.tolist() == pytest.approx([np.log(4), np.log(4)])


# tests of how networks differ, of a method "C" that none has
NO_NETWORK = {
    "changes": {"level": "method", "first": "A", "last": "C"},
    "paired": {
        "column": "method",
        "first": "A",
        "second": "C",
        "keys": ["case"],
        "sign": 1,
    },
    "between": {"column": "method", "first": "A", "second": "C", "sign": 1},
    "rises_more": {
        "level": "method",
        "low": "A",
        "high": "C",
        "column": "family",
        "first": "a",
        "second": "b",
        "sign": 1,
    },
}


@pytest.mark.parametrize("name", NO_NETWORK)
def test_a_method_that_no_network_has_makes_no_cases(name):
    rows = pd.DataFrame(
        {"family": family, "case": case, "method": method, "value": 1.0}
        for family, case in (("a", "n1"), ("a", "n2"), ("b", "n3"))
        for method in ("A", "B")
    )
    assert getattr(groups, name)(rows, **NO_NETWORK[name]).values.empty


def test_an_effect_over_simulated_samples_is_read_from_a_column():
    rows = pd.DataFrame({"gain": [1.0, 2.0, 6.0], "value": 9.0}, index=[4, 5, 6])
    cases = groups.mean_effect(rows, value="gain", sign=1)
    assert cases.values.tolist() == [1, 2, 6] and cases.sign == 1
    assert cases.values.index.tolist() == [0, 1, 2]
