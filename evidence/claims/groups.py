"""Tests of how means of networks differ: between groups, and of the same networks."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evidence.claims.case_tables import (
    Names,
    as_list,
    network_columns,
    readable,
    with_members,
)
from evidence.claims.cases import Cases
from evidence.claims.network_intervals import (
    Interval,
    drawn_singly,
    t_interval,
)


def changes(
    rows: pd.DataFrame, *, level: str, first: Any, last: Any, sign: int = 1
) -> Cases:
    """The value of each network changes from one `level` to others, its seeds averaged."""
    table = rows.pivot_table(index=network_columns(rows), columns=level, values="value")
    table = with_members(table, first, last)[[first, *as_list(last)]].dropna()
    change = table[as_list(last)].mean(axis=1) - table[first]
    summary = f"{level} from {readable(first)} to {readable(last)}"
    if level == "metric":
        # two metrics are no steps of one thing
        summary = f"{readable(last)} less {readable(first)}"
    return Cases(change, summary, unit="points", sign=sign)


def paired(
    rows: pd.DataFrame,
    *,
    column: str,
    first: str,
    second: str,
    keys: list[str],
    sign: int,
    log: bool = False,
    margin: float = 0.0,
) -> Cases:
    """The mean difference of the networks that have both, `second` less `first`."""
    keys = list(dict.fromkeys([*network_columns(rows), *keys]))
    table = rows.pivot_table(index=keys, columns=column, values="value")
    table = with_members(np.log(table) if log else table, first, second)
    change = (table[second] - table[first]).dropna()
    summary = f"{second} {'over' if log else 'less'} {first}"
    unit = "log ratio" if log else "points"
    return Cases(change, summary, unit=unit, sign=sign, margin=margin)


def mean_effect(rows: pd.DataFrame, *, value: str, sign: int) -> Cases:
    """The mean of a column, one value a simulated sample."""
    return Cases(
        rows[value].reset_index(drop=True), readable(value), unit="", sign=sign
    )


def between(
    rows: pd.DataFrame,
    *,
    column: str,
    first: Names,
    second: Names,
    sign: int,
    log: bool = False,
    y: str = "value",
) -> Cases:
    """The mean of `second` less that of `first` over networks, their seeds averaged.

    Where a group is one kind of model the sentence names it, and its networks are drawn singly.
    """
    groups = TwoGroups(column, as_list(first), as_list(second))
    values = values_of_networks(rows, groups, y)

    def interval_of(values: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        numbers = np.log(values[y]) if log else values[y]
        means = [
            mean_of_group(numbers[members], clusters_of(members, clusters))
            for members in groups.members_in(values)
        ]
        return difference_interval(*means)

    summary = f"{readable(second)} {'over' if log else 'less'} {readable(first)}"
    unit = {"corruption_robustness": "of the clean accuracy"}.get(y, "points")
    unit = "log ratio" if log else unit
    return Cases(values, summary, unit=unit, sign=sign, interval_of=interval_of)


class TwoGroups(NamedTuple):
    """Two groups of networks: those with the one, and those with the other levels of a column."""

    column: str
    first: list[Any]
    second: list[Any]

    def members_in(self, table: pd.DataFrame) -> list[np.ndarray]:
        """Return which rows of a table are of the first, and which of the second group."""
        levels = table[self.column]
        return [levels.isin(group).to_numpy() for group in (self.first, self.second)]


def values_of_networks(rows: pd.DataFrame, groups: TwoGroups, y: str) -> pd.DataFrame:
    """Return the mean `y` of each network of two groups; no row where one of them has none."""
    rows = rows.assign(kin=rows["kin"] if "kin" in rows else rows["case"], one="")
    keys = ["dataset" if "dataset" in rows else "one", "case", "kin"]
    values = rows.groupby([*keys, groups.column])[y].mean().dropna().reset_index()
    for members in groups.members_in(values):
        if values.loc[members, "kin"].nunique() == 1:
            values.loc[members, "kin"] = values.loc[members, "case"]
    values = values.set_index(keys)
    first, second = groups.members_in(values)
    both = first.any() and second.any()
    # one group alone differs from nothing
    return values[(first | second) & both]


def clusters_of(
    members: np.ndarray, clusters: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return what the members of a group have in common."""
    return {name: np.asarray(levels)[members] for name, levels in clusters.items()}


class GroupMean(NamedTuple):
    """The mean of a group of networks, its squared error, and their degrees of freedom."""

    mean: float
    variance: float
    df: float


def mean_of_group(values: pd.Series, clusters: dict[str, np.ndarray]) -> GroupMean:
    """Return the mean of networks, with the error of as many drawn singly."""
    singly = drawn_singly(len(values), clusters).n if len(values) > 1 else 1.0
    return GroupMean(values.mean(), values.var(ddof=1) / singly, singly - 1)


def difference_interval(first: GroupMean, second: GroupMean) -> Interval:
    """Return the second mean less the first, with Welch's degrees of freedom."""
    difference = second.mean - first.mean
    if min(first.df, second.df) < 1:
        return Interval(difference)
    variance = first.variance + second.variance
    df = variance**2 / (first.variance**2 / first.df + second.variance**2 / second.df)
    return t_interval(difference, variance**0.5, df)


def rises_more(
    rows: pd.DataFrame,
    *,
    level: str,
    low: Any,
    high: Any,
    column: str,
    first: Names,
    second: Names,
    sign: int,
) -> Cases:
    """From one `level` to another the value of `second` rises more (or less) than `first`'s."""
    keys = [key for key in ("dataset", "case", "kin", column) if key in rows]
    table = rows.pivot_table(index=keys, columns=level, values="value")
    table = with_members(table, low, high)
    change = (table[high] - table[low]).dropna().rename("value").reset_index()
    return between(change, column=column, first=first, second=second, sign=sign)
