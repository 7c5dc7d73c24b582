"""Tests of how means of networks differ: between groups, and of the same networks."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evidence.claims.cases import Cases
from evidence.claims.frames import (
    Names,
    as_list,
    network_columns,
    readable,
    with_members,
)
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
    groups = (as_list(first), as_list(second))
    rows = rows.assign(kin=rows["kin"] if "kin" in rows else rows["case"], one="")
    keys = ["dataset" if "dataset" in rows else "one", "case", "kin", column]
    table = rows.groupby(keys)[y].mean().dropna().reset_index()
    for group in groups:
        members = table[column].isin(group)
        if table.loc[members, "kin"].nunique() == 1:
            table.loc[members, "kin"] = table.loc[members, "case"]
    table = table[table[column].isin([*groups[0], *groups[1]])].set_index(keys[:3])
    if not all(table[column].isin(group).any() for group in groups):
        table = table.iloc[:0]  # one group alone differs from nothing

    def interval_of(table: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        values = np.log(table[y]) if log else table[y]
        means = []
        for group in groups:
            members = table[column].isin(group).to_numpy()
            of_group = {
                name: np.asarray(levels)[members] for name, levels in clusters.items()
            }
            means.append(mean_of_group(values[members], of_group))
        return difference_interval(*means)

    summary = f"{readable(second)} {'over' if log else 'less'} {readable(first)}"
    unit = {"corruption_robustness": "of the clean accuracy"}.get(y, "points")
    unit = "log ratio" if log else unit
    return Cases(table, summary, unit=unit, sign=sign, interval_of=interval_of)


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
