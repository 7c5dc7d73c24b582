"""Every map of the arena: cells of its stored table."""

import numpy as np
import pandas as pd

from evidence import load_results
from evidence.arena import every_map
from evidence.arena import prediction_sets as sets
from evidence.arena.one_map import ARENA_METRICS


def test_some_cheap_cells_are_computed_again():
    """To six digits; another processor may round the last otherwise."""
    task = sets.load_set("sst2-dan3-w100-s1")
    maps = {
        name: every_map.MAPS[name]
        for name in ("none", "temperature", "vector", "isotonic")
    }
    stored = load_results("arena").set_index(["set", "n", "order", "map"])
    for row in every_map.fit_all_maps(task, task.calibration_sets, maps):
        there = stored.loc[(row["set"], row["n"], row["order"], row["map"])]
        assert row["failure"] == ("" if pd.isna(there["failure"]) else there["failure"])
        values = [float(row[metric] or np.nan) for metric in ARENA_METRICS]
        expected = there[[*ARENA_METRICS]].astype(float)
        np.testing.assert_allclose(expected, values, rtol=1e-4, atol=1e-6)
