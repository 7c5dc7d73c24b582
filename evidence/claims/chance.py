"""What chance makes of a metric: what calibrated networks of that size have on average."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from evidence.derived.metrics_by_chance import ks_error_by_chance, most_ece_by_chance


class ChanceFormula(NamedTuple):
    """What a metric of calibrated networks is on average, of their Brier scores and samples."""

    of_brier: Callable[[pd.Series, pd.Series], pd.Series]
    brier: str  # the metric that is the Brier score


BY_CHANCE = {
    "ECE": ChanceFormula(most_ece_by_chance, "Top-1 Brier"),
    "KS": ChanceFormula(ks_error_by_chance, "Top-1 Brier"),
    "KS top-2": ChanceFormula(ks_error_by_chance, "Top-2 Brier"),
}
# whose value by chance is drawn and stands among the rows, as ``NAME by chance``
DRAWN_BY_CHANCE = ("ece_range", "KS top-3")
KNOWN_BY_CHANCE = (*BY_CHANCE, *DRAWN_BY_CHANCE)


def by_chance(rows: pd.DataFrame, member: str, metric: str) -> pd.Series:
    """Return what a calibrated network of each size has on average, in points: data set and case.

    What was drawn is taken before a formula; a metric with neither has no such value.
    """
    keys = ["dataset", "case"]
    of_member = rows[rows["method"] == member]
    drawn = of_member[of_member["metric"] == f"{metric} by chance"]
    if len(drawn) or metric not in BY_CHANCE:
        return drawn.groupby(keys)["value"].mean()
    formula = BY_CHANCE[metric]
    brier = of_member[of_member["metric"] == formula.brier]
    value = 100 * formula.of_brier(brier["value"], brier["n"])
    return brier.assign(value=value).groupby(keys)["value"].mean()


def chance_of(
    rows: pd.DataFrame, member: str, metric: str, cases: pd.MultiIndex
) -> np.ndarray:
    """Return what a calibrated network has for each case, minus infinity where nothing tells."""
    chance = by_chance(rows, member, metric).groupby(level="case").mean()
    values = chance.reindex(cases.get_level_values("case")).to_numpy()
    return np.where(np.isnan(values), -np.inf, values)


def chance_as_text(rows: pd.DataFrame, member: str, metric: str, bound: float) -> str:
    """Return what chance makes of a metric on each data set, and where it passes a limit."""
    chance = by_chance(rows, member, metric).dropna()
    if chance.empty:
        return ""
    sets = chance.groupby(level="dataset").agg(["min", "max", "size"])
    sets = sets.sort_values("size", ascending=False, kind="stable")
    each = [
        f"{name} {a:.2f} to {b:.2f}" for name, a, b, _ in sets.itertuples(name=None)
    ]
    most = "at most " if metric == "ECE" else ""
    passed = f"{(chance >= bound).sum()} of {len(chance)} at or above {bound:g}"
    return f"a calibrated network has {most}{', '.join(each)} on average ({passed})"
