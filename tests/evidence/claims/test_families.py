"""Families of networks, on tables by hand."""

import numpy as np
import pandas as pd
import pytest
from network_rows import networks
from scipy.stats import f_oneway, ncf

from evidence.claims import families


def test_families_that_rise_are_counted():
    """One rises, one falls; two sizes are too few, and one value says nothing."""
    by_family = {
        "rises": [(1, 1.0), (2, 2.0), (3, 4.0)],
        "falls": [(1, 3.0), (2, 2.0), (3, 1.0)],
        "two sizes": [(1, 1.0), (2, 2.0)],
        "one value": [(1, 1.0), (2, 1.0), (3, 1.0)],
    }
    rows = pd.DataFrame(
        [(name, x, y) for name, cells in by_family.items() for x, y in cells],
        columns=["siblings", "size", "value"],
    )
    cases = families.families_rise(rows, x="size")
    assert cases.values.to_dict() == {("falls",): False, ("rises",): True}
    falling = families.families_rise(rows, x="size", sign=-1).values
    assert falling.to_dict() == {("falls",): True, ("rises",): False}


def test_families_explain_what_they_were_made_to_explain():
    """The logarithm of the value is the size's, a family's, and a little noise."""
    rng = np.random.default_rng(5)
    rows = networks(60, rng, size=lambda rng, n: rng.random(n))
    rows["family"] = np.resize(["a", "b", "c"], 60)
    effect = rows["family"].map({"a": 0.0, "b": 1.0, "c": -1.0})
    noise = 0.3 * rng.standard_normal(60)
    for strength, explained in ((1.0, True), (0.0, False)):
        made = rows.assign(value=np.exp(rows["size"] + strength * effect + noise))
        cases = families.families_explain(made, given=["size"])
        interval = cases.interval_of(cases.values, {})
        assert (interval.estimate > 0.8) == explained
        assert (interval.low > 0.1) == explained
        assert (interval.p(0.0) < 0.001) == explained


def test_the_share_that_families_explain_has_an_interval_of_95_percent():
    """Its ends are the noncentralities at which F has 2.5 % beyond what was found (Steiger)."""
    rng = np.random.default_rng(6)
    by_family = np.repeat(np.eye(3), 8, axis=0)
    y = by_family @ [0.0, 1.0, 2.0] + 0.8 * rng.standard_normal(24)
    ones = np.ones((24, 1))
    interval = families.explained_interval(y, ones, np.hstack([ones, by_family[:, 1:]]))
    result = f_oneway(*y.reshape(3, 8))
    # of F one tail says that something is explained; a p-value here is of both sides
    assert interval.p(0.0) == pytest.approx(2 * result.pvalue)
    ends = np.array([interval.low, interval.high])
    # a share is the noncentrality divided by itself and the number of samples
    below = ncf.cdf(result.statistic, 2, 21, 24 * ends / (1 - ends))
    assert below == pytest.approx([0.975, 0.025], abs=1e-4)


def test_families_that_explain_nothing_are_seldom_said_to():
    """Of 60 networks in six families: in one draw of a hundred, as often as the judge allows."""
    rng, ones = np.random.default_rng(7), np.ones((60, 1))
    by_family = np.repeat(np.eye(6)[:, 1:], 10, axis=0)
    n_certain = 0
    for _ in range(1500):
        y = rng.standard_normal(60)
        interval = families.explained_interval(y, ones, np.hstack([ones, by_family]))
        n_certain += interval.estimate > 0 and interval.p(0.0) / 2 < 0.01
    assert 5 <= n_certain <= 25


def test_the_nearest_in_size_is_compared():
    rows = pd.DataFrame(
        [("n1", "new", 10, 1.0), ("o1", "old", 9, 2.0), ("o2", "old", 30, 0.5)],
        columns=["case", "family", "size", "value"],
    )
    cases = families.nearest(rows, column="family", member="new", than="old", by="size")
    assert cases.values.to_dict() == {"n1": True}


def test_a_p_value_of_a_share_is_small_on_both_sides():
    """At the ends of an interval of 95 % it is 5 %, wherever the estimate lies."""
    rng = np.random.default_rng(6)
    by_family = np.repeat(np.eye(3), 8, axis=0)
    y = by_family @ [0.0, 1.0, 2.0] + 0.8 * rng.standard_normal(24)
    ones = np.ones((24, 1))
    interval = families.explained_interval(y, ones, np.hstack([ones, by_family[:, 1:]]))
    assert interval.p(interval.low) == pytest.approx(0.05, abs=1e-3)
    assert interval.p(interval.high) == pytest.approx(0.05, abs=1e-3)
    assert interval.p(0.99) < 0.001
