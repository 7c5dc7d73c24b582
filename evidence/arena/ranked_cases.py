"""How maps are ranked that were fitted to many prediction sets at several sizes.

A case is a prediction set at a size. Networks that differ in their seed alone are averaged, then
the networks of a data set; data sets are what is compared.
"""

from typing import Any

import numpy as np
import pandas as pd

from evidence.arena.arena_metrics import ARENA_METRICS
from evidence.data import setting_of
from evidence.mean_intervals import half_width

CASE = ["set", "n", "order"]
SIZES = (100, 500, 2500)  # of calibration sets
ALL = "all, over 2500"
SIZE_NAMES = [*map(str, SIZES), ALL]
CLASSES = {"2": (2, 2), "3 to 7": (3, 7), "8 to 19": (8, 19), "20 or more": (20, 10**6)}


def rank_cases(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are ranked, a failed map with the metrics of "none".

    A row is a set, calibration set and map, with `failure` missing where it did not fail; there
    are maps "none" and "temperature". Added are `setting` (the set without its seed), `size`,
    `group` of classes, `gain` over temperature scaling in thousandths of a nat, and `rank` by NLL.
    """
    largest = max(SIZES)
    table = table[table["n"].isin(SIZES) | (table["n"] > largest)].reset_index(
        drop=True
    )
    table["size"] = table["n"].astype(str).where(table["n"] <= largest, ALL)
    table["failed"] = table["failure"].notna()
    table["setting"] = setting_of(table["set"])
    edges = [low - 1 for low, _ in CLASSES.values()] + [np.inf]
    table["group"] = pd.cut(table["classes"], edges, labels=list(CLASSES)).astype(str)
    # a map that fails leaves the network as it is, and ranks last
    metrics = [*ARENA_METRICS]
    none, failed = of_map(table, "none", metrics), table["failed"]
    table.loc[failed, metrics] = none[failed]
    for loss in ("nll", "brier"):
        table[loss] = (table[f"{loss}_1"] + table[f"{loss}_2"]) / 2
    table["accuracy_change"] = table["accuracy"] - none["accuracy"]
    table["gain"] = 1000 * (of_map(table, "temperature", ["nll"])["nll"] - table["nll"])
    # infinite, so that all failures share the last rank
    judged = table["nll"].where(~failed, np.inf)
    table["rank"] = judged.groupby([table[name] for name in CASE]).rank()
    return table


def of_map(table: pd.DataFrame, name: str, columns: list[str]) -> pd.DataFrame:
    """Return columns of one map beside the rows of all maps of the same case."""
    rows = table[table["map"] == name].set_index(CASE)[columns]
    return rows.loc[pd.MultiIndex.from_frame(table[CASE])].set_index(table.index)


def by_dataset(ranked: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the mean of a column of cases, a row a data set and a column a map.

    A map that is out for one of a data set's networks is missing there.
    """
    # first the seeds of a setting, then the settings of a data set: none counts twice
    settings = (
        ranked.groupby(["dataset", "setting", "map"])[column].mean().unstack("map")
    )
    return settings.groupby("dataset").agg(lambda values: values.mean(skipna=False))


def common_ranks(ranked: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rank of each map on each data set that all maps ran on."""
    return by_dataset(ranked, "rank").dropna()


def student_interval(means: Any) -> Any:
    """Return mean, low and high of Student's 95 % interval over the means of data sets."""
    mean, half = means.mean(), half_width(means)
    estimate = {"mean": mean, "low": mean - half, "high": mean + half}
    return (
        pd.DataFrame(estimate)
        if isinstance(means, pd.DataFrame)
        else pd.Series(estimate)
    )
