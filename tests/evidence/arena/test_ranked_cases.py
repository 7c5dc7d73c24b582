"""Each map's rank and gain in each case of the arena."""

import numpy as np
import pandas as pd
import pytest
from arena_rows import BASE, flat, table

from evidence.arena.ranked_cases import by_dataset, rank_cases, student_interval


def test_a_failure_has_the_losses_of_none_and_the_last_rank():
    rows = rank_cases(table(BASE | {"a": flat(None), "b": flat(1.2)}))
    of_a = rows[rows["map"] == "a"]
    assert (of_a["nll"] == 1.0).all() and of_a["failed"].all()
    assert set(of_a["rank"]) == {4}
    assert of_a["gain"].tolist() == pytest.approx([-100] * 8)


def test_a_map_that_did_not_run_on_a_network_is_missing_on_its_data_set():
    cases = [
        ("d0", "n0", "a", 4.0),
        ("d0", "n0", "none", 1.0),
        ("d0", "n1", "none", 3.0),
    ]
    cases += [("d1", "n2", "a", 6.0), ("d1", "n2", "none", 5.0)]
    rows = pd.DataFrame(cases, columns=["dataset", "setting", "map", "gain"])
    gain = by_dataset(rows, "gain")
    assert gain["none"].tolist() == [2, 5]
    assert np.isnan(gain.loc["d0", "a"]) and gain.loc["d1", "a"] == 6


def test_an_interval_of_three_data_sets_is_that_of_student():
    """The means 1, 2, 3: their error is 1 / sqrt(3), and t is 4.303 at two degrees."""
    interval = student_interval(pd.Series([1.0, 2.0, 3.0]))
    assert interval.tolist() == pytest.approx([2, -0.484, 4.484], abs=1e-3)


def test_the_width_of_an_interval_is_in_the_unit_of_the_means():
    """Means that are ten times as far apart have an interval ten times as wide."""
    narrow, wide = (student_interval(k * pd.Series([1.0, 2.0, 4.0])) for k in (1, 10))
    assert wide["high"] - wide["low"] == pytest.approx(
        10 * (narrow["high"] - narrow["low"])
    )


# classes of a set and samples, the group and the size of its cases
GROUPS = [
    (2, 100, "2", "100"),
    (3, 500, "3 to 7", "500"),
    (7, 2500, "3 to 7", "2500"),
    (8, 2501, "8 to 19", "all, over 2500"),
    (19, 9000, "8 to 19", "all, over 2500"),
    (20, 100, "20 or more", "100"),
]


@pytest.mark.parametrize(("classes", "n", "group", "size"), GROUPS)
def test_cases_are_grouped_by_their_classes_and_sizes(classes, n, group, size):
    rows = rank_cases(table(BASE).assign(classes=classes, n=n))
    assert set(rows["group"]) == {group} and set(rows["size"]) == {size}


def test_other_sizes_than_those_of_the_arena_are_left_out():
    assert rank_cases(table(BASE).assign(n=600)).empty
