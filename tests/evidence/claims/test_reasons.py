"""Why a claim has its verdict, as text, by hand."""

import numpy as np
import pandas as pd
import pytest

from evidence.claims.cases import Cases, measured_networks
from evidence.claims.network_intervals import ShownInterval
from evidence.claims.reasons import (
    ClusterCounts,
    cluster_counts,
    clusters_in_words,
    heterogeneity,
    labelled,
    listed,
    names_of_cases,
    number_as_text,
    reason_of,
    sides_of,
)

NETWORKS = [("CIFAR-10", "ResNet-20"), ("CIFAR-10", "VGG-16"), ("SST-2", "DAN")]


def cases(values, **about):
    index = pd.MultiIndex.from_tuples(NETWORKS, names=["dataset", "case"])
    return Cases(pd.Series(values, index=index), "A lower than B", **about)


def test_a_count_names_the_few_that_do_not_agree():
    measured = measured_networks(
        cases([True, False, True], note="ties left out"), "mostly"
    )
    assert reason_of(measured, ShownInterval(0.6, 0.1, 0.9)) == (
        "A lower than B: 2 of 3; not CIFAR-10 VGG-16 (2 data sets); ties left out"
    )


def test_an_effect_has_its_interval_and_how_many_networks_there_are():
    measured = measured_networks(cases([1.0, 2.0, 3.0], unit="points"), "direction")
    assert reason_of(measured, ShownInterval(2.0, 0.5, 3.5)) == (
        "A lower than B: +2 (+0.5 to +3.5) points, n = 3 (2 data sets)"
    )


def test_clusters_are_counted_once_each_and_only_those_that_are_known():
    measured = measured_networks(cases([True, False, True]), "mostly")
    assert cluster_counts(measured) == ClusterCounts(datasets=2)
    rows = pd.DataFrame({"case": [case for _, case in NETWORKS]})
    rows = rows.assign(author=["a", "b", "a"], kin=["ResNet", "VGG", "DAN"])
    measured = measured_networks(cases([True, False, True]), "mostly", rows)
    assert cluster_counts(measured) == ClusterCounts(2, 2, 3)


def test_one_of_a_kind_is_named_in_the_singular():
    assert clusters_in_words(1, 1, 1) == "1 data set, 1 author, 1 model"
    assert clusters_in_words(11, pd.NA, 21) == "11 data sets, 21 models"
    assert clusters_in_words(None, None, None) == ""


def test_a_number_is_told_by_the_digits_that_are_stored():
    """Stored with four digits, -1.0148 is -1.015, of which three are told."""
    assert number_as_text(-1.0148, -2, 3.00049, "points").startswith("-1.01 (-2 to +3)")
    assert number_as_text(-1.0148, -2, 3, "x") == number_as_text(-1.015, -2, 3, "x")
    stored = [float(f"{x:.4g}") for x in (0.36851, -0.99849, 1.0)]
    assert number_as_text(0.36851, -0.99849, 1.0, "rho") == number_as_text(
        *stored, "rho"
    )


def test_both_sides_are_named_and_data_sets_counted_the_largest_first():
    sides = sides_of(measured_networks(cases([True, False, True]), "mostly"))
    assert sides.by_data == "CIFAR-10 1 of 2; SST-2 1 of 1"
    assert sides.agree == "CIFAR-10 ResNet-20; SST-2 DAN"
    assert sides.against == "CIFAR-10 VGG-16"


def test_settings_differ_by_what_their_seeds_leave():
    """Changes 2, 4 and 6 have the variance 4, of which errors of 1 leave 3."""
    settings = tuple(
        {"setting": name, "reason": "why", "error": 1.0} for name in ("s", "t", "u")
    )
    of_settings = cases([2.0, 4.0, 6.0], unit="points", settings=settings)
    assert heterogeneity(of_settings).startswith("settings differ by 1.73 (points)")
    assert heterogeneity(cases([2.0, 4.0, 6.0])) == ""


def test_a_level_that_all_share_is_in_no_name_and_the_last_one_stays():
    index = pd.MultiIndex.from_tuples([("d", "n1"), ("d", "n2")])
    assert labelled(index) == ["n1", "n2"]
    assert labelled(index[:1]) == ["d n1"]  # of one case nothing is in common
    assert labelled(pd.MultiIndex.from_tuples([("d", "n"), ("d", "n")])) == ["n", "n"]
    assert labelled(pd.Index([3, 4])) == ["3", "4"]


def test_effects_of_one_name_are_not_listed():
    twice = pd.Series([1.0, 2.0], index=pd.Index(["n", "n"], name="case"))
    assert names_of_cases(Cases(twice, "x", unit="points")) == []
    once = pd.Series([1.0, -2.0], index=pd.Index(["n", "m"], name="case"))
    assert names_of_cases(Cases(once, "x", unit="points")) == ["n +1", "m -2"]


@pytest.mark.parametrize(("n", "end"), [(300, "n299"), (301, "and 1 more")])
def test_the_first_three_hundred_are_named(n, end):
    names = [f"n{i}" for i in range(n)]
    assert listed(names, np.ones(n, bool)).split("; ")[-1] == end
    assert len(listed(names, np.ones(n, bool)).split("; ")) == n
