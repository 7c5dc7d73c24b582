"""Our networks with what was measured of them, as the notebooks on papers compare them."""

import pandas as pd

from evidence.data import setting_of

ERRORS = {
    "ece": "ECE",
    "tace": "TACE",
    "classwise_ece": "SCE",
    "ace": "ACE",
    "nll": "NLL",
}


def measured_networks(index: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """Return our networks that were measured: `zoo_index` beside the results "metrics_of_zoo"."""
    wide = results.pivot_table(
        index=["name", "calibrator"], columns="metric", values="value"
    )
    errors = wide.xs("none", level="calibrator").rename(columns=ERRORS)
    errors["scaled"] = wide["ece"].xs("temperature", level="calibrator")
    errors["error"] = 1 - errors["accuracy"]
    setting = setting_of(index["name"])
    return index.assign(setting=setting).join(errors, on="name", how="inner")


def in_block(rows: pd.DataFrame, block: str) -> pd.DataFrame:
    """Return the networks of a block of the zoo."""
    return rows[rows["block"].str.split().map(lambda names: block in names)]
