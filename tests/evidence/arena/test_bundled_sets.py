"""The bundled sets: what is known of them, and what maps make of them at each size."""

import numpy as np
import pandas as pd

import calib
from evidence.arena import bundled_sets


def test_maps_meet_each_set_at_each_size(few):
    """The map "none" has no size; others have those of the protocol, and all samples."""
    maps = {"none": None, "temperature": calib.TemperatureScaling()}
    table = bundled_sets.fit_to_bundle(maps, folder=few, n_jobs=1)
    sizes = table.groupby(["set", "map"])["n"].agg(list).to_dict()
    about = bundled_sets.bundled(few)
    for name, row in about.items():
        pool = int(row["calibration"])
        assert sizes[name, "none"] == [0]
        learnt = sizes[name, "temperature"]
        assert learnt == [n for n in (100, 500, 2500) if n <= pool]
        of_set = table[table["set"] == name]
        assert set(of_set["dataset"]) == {row["dataset"]}
        assert set(of_set["classes"]) == {int(row["classes"])}
    assert table["failure"].isna().all() and set(table["order"]) == {0}


def test_without_a_map_the_losses_are_those_of_the_test_set(few):
    table = bundled_sets.fit_to_bundle({"none": None}, folder=few, n_jobs=1)
    for row in table.to_dict("records"):
        _, test = bundled_sets.load_bundled(few / f"{row['set']}.npz")
        half = len(test.y) // 2
        assert np.isclose(row["nll_1"], calib.nll(test.y[:half], test.prob[:half]))
        assert np.isclose(row["accuracy"], calib.accuracy(test.y, test.prob))


def test_numbers_have_six_decimals_and_what_is_missing_is_empty():
    table = pd.DataFrame({"set": ["a", "b"], "ece": [0.12345678, np.nan], "n": [1, 2]})
    first = {"set": "a", "ece": 0.123457, "n": 1}
    assert bundled_sets.six_decimals(table) == [first, {"set": "b", "ece": "", "n": 2}]
