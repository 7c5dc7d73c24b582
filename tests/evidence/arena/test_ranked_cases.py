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
