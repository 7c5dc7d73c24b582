"""Sealed files read into frames."""

import numpy as np
import pandas as pd

from evidence.forecasts import sealed_files


def test_a_kind_that_a_model_lacks_changes_no_other_kind(folder):
    whole = pd.read_csv(folder / "kinds.csv")
    lacking = whole.copy()
    lacking.loc[lacking["model"] != "m0", "token"] = np.nan
    before, after = (
        sealed_files.frames_of_models("kinds", rows)["kinds by metric"]
        for rows in (whole, lacking)
    )
    gone = (before["level"] == "token") & (before["case"] != "m0")
    key = ["case", "level", "metric"]
    expected = before[~gone].set_index(key)["value"]
    found = after.set_index(key)["value"]
    pd.testing.assert_series_equal(found.loc[expected.index], expected)
    assert found.drop(expected.index).isna().all()
