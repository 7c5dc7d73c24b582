"""Tests of networks that nobody beats in error and ECE, and of curves of training."""

from typing import Any

import numpy as np
import pandas as pd

from evidence.claims.case_tables import Names, as_list, network_columns, readable
from evidence.claims.cases import Cases
from evidence.claims.comparisons import limit


def pareto(table: pd.DataFrame, x: str, y: str) -> np.ndarray:
    """Return which rows no other row undercuts in both columns."""
    points = table[[x, y]].to_numpy(float)
    # every point against every other: a network that is as good in both undercuts nobody
    no_worse = (points[:, None] <= points).all(axis=2)
    return ~(no_worse & (points[:, None] < points).any(axis=2)).any(axis=0)


def stays_pareto(
    rows: pd.DataFrame, *, column: str, first: Any, others: list[Any]
) -> Cases:
    """Networks that are Pareto-optimal in error and ECE at `first` are so at the `others`."""
    table = (
        rows.groupby([column, *network_columns(rows), "metric"])["value"]
        .mean()
        .unstack()
    )
    table = (
        table[["Accuracy", "ECE"]].dropna().assign(Error=lambda t: 100 - t["Accuracy"])
    )
    levels = {level: t.droplevel(0) for level, t in table.groupby(level=0)}
    best = {level: t.index[pareto(t, "Error", "ECE")] for level, t in levels.items()}
    there = [level for level in others if {first, level} <= set(best)]
    cases = {n: pd.Series(best[first].isin(best[n]), index=best[first]) for n in there}
    summary = f"Pareto-optimal at {column} {readable(first)} and {readable(others)}"
    return Cases(
        pd.concat(cases, names=["level"]) if cases else pd.Series(dtype=bool), summary
    )


def overfits(
    rows: pd.DataFrame, *, metric: Names, while_metric: str | None = None
) -> Cases:
    """At the end of training each test `metric` is above its minimum by more than a hundredth.

    With `while_metric` that one's test value is meanwhile no worse than it was at the minimum.
    """
    cases = {}
    for case, curve in rows[rows["split"] == "test"].groupby("case"):
        table = curve.pivot_table(index="step", columns="metric", values="value")
        for name in as_list(metric):
            best, end = table.loc[table[name].idxmin()], table.iloc[-1]
            gain = while_metric is None or end[while_metric] >= best[while_metric]
            cases[case, name] = bool(gain and end[name] > 1.01 * best[name])
    also = f" while {while_metric} gets no worse" if while_metric else ""
    rising = pd.Series(cases, dtype=bool).rename_axis(["case", "metric"])
    return Cases(rising, f"{readable(metric)} rising again{also}")


def ends(
    rows: pd.DataFrame,
    *,
    metric: Names,
    split: str,
    below: float = np.inf,
    above: float = -np.inf,
) -> Cases:
    """The last value of a curve, or of each metric's, lies between two limits."""
    curves = rows[(rows["split"] == split) & rows["metric"].isin(as_list(metric))]
    if curves.empty:
        return Cases(pd.Series(dtype=bool), f"no {readable(metric)} of {split}")
    last = curves.loc[curves.groupby(["name", "metric"])["step"].idxmax()]
    return limit(last.assign(method="last"), member="last", below=below, above=above)
