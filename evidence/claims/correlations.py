"""Tests of what goes together over networks: correlations, and slopes."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import linregress, spearmanr

from evidence.claims.case_tables import (
    case_table,
    network_columns,
    readable,
    with_members,
)
from evidence.claims.cases import Cases
from evidence.claims.network_intervals import (
    FEWEST,
    Interval,
    correlation_interval,
    drawn_singly,
    t_interval,
)


def correlates(
    rows: pd.DataFrame,
    *,
    x: str | int,
    y: str | int,
    sign: int,
    margin: float = 0.0,
    along: str | None = None,
) -> Cases:
    """Spearman's correlation of two columns over networks, or of two values of `along`."""
    keys = network_columns(rows)
    table = case_table(rows, along) if along else rows.set_index(keys) if keys else rows
    if not {x, y} <= set(table.columns):
        return Cases(table.iloc[:0], f"{x} or {y} is missing")
    table = table[[x, y]].dropna()
    at = "" if along in (None, "metric") else f"{rows['metric'].iloc[0]} at {along} "

    def interval_of(table: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        n = len(table)
        if n < FEWEST:
            return Interval(np.nan)
        rho = float(spearmanr(table[x], table[y]).statistic)
        # on the scale of Fisher's z, where a perfect order would be infinite
        fisher = correlation_interval(rho, n, drawn_singly(n, clusters).n)
        return replace(
            fisher, estimate=float(np.arctanh(np.clip(rho, -1 + 1e-15, 1 - 1e-15)))
        )

    summary = f"correlation of {at}{readable(x)} and {readable(y)}"
    margin = float(np.arctanh(margin))
    options: dict[str, Any] = {"interval_of": interval_of, "to_shown": np.tanh}
    return Cases(table, summary, unit="rho", sign=sign, margin=margin, **options)


def slope(
    rows: pd.DataFrame, *, x: str, y: str, sign: int, of: float, column: str = "method"
) -> Cases:
    """The least-squares slope of column `y` on `x` over networks lies above, or below, `of`."""
    table = with_members(case_table(rows, column), x, y)[[x, y]].dropna()

    # networks that are alike tell less: the error is that of as many drawn singly
    def interval_of(table: pd.DataFrame, clusters: dict[str, np.ndarray]) -> Interval:
        fit = linregress(table[x], table[y])
        singly = drawn_singly(len(table), clusters).n
        return t_interval(
            fit.slope, fit.stderr * (len(table) / singly) ** 0.5, singly - 2
        )

    summary = f"slope of {y} on {x}"
    return Cases(
        table, summary, unit="slope", sign=sign, reference=of, interval_of=interval_of
    )
