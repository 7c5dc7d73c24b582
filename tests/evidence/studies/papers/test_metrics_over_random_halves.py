"""Metrics over random halves: what is told of them."""

import numpy as np
import pytest

from evidence.studies.papers import metrics_over_random_halves as study


def test_of_the_halves_mean_spread_and_quantiles_are_told():
    row = {"source": "a", "values": [4.0, 0.0, 1.0, 2.0, 3.0]}
    summary = study.summarised(row)
    assert (summary["source"], summary["n_halves"]) == (
        "a",
        5,
    ) and "values" not in summary
    assert (summary["mean"], summary["sd"]) == (2, pytest.approx(np.sqrt(2.5)))
    assert [summary[f"q{q}"] for q in (0, 25, 50, 75, 100)] == [0, 1, 2, 3, 4]
    assert row["values"] == [4, 0, 1, 2, 3]
