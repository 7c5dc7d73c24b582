"""Tests of settings that differ in one level alone, each seed paired with itself."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from evidence.claims.case_tables import Names, as_list, readable
from evidence.claims.cases import Cases
from evidence.claims.network_intervals import (
    evident,
    mean_interval,
)
from evidence.claims.reasons import number_as_text

SETTINGS = (
    "dataset family depth width batch_norm initialisation loss weight_decay label_noise "
    "training_images augmentation precision epochs"
).split()
# levels that tell settings on the same data apart, in words
LEVELS_IN_WORDS = {
    "depth": "depth {}",
    "width": "width {}",
    "loss": "{}",
    "training_images": "{} images",
    "epochs": "{} epochs",
}
FEWEST_SEEDS = 3


class AlikeButFor(NamedTuple):
    """Settings that differ in one level alone."""

    dataset: str
    words: str  # tell them from others on the same data
    rows: pd.DataFrame


def alike_but_for(rows: pd.DataFrame, level: str) -> Iterator[AlikeButFor]:
    """Yield each group of settings that differ in nothing but ``level``.

    Every comparison that the rows allow is made; none is chosen.
    """
    others = [column for column in SETTINGS if column in rows and column != level]
    rows = rows.reset_index(drop=True)
    # settings without a second level compare with nothing
    rows = rows[rows.groupby(others, dropna=False)[level].transform("nunique") > 1]
    among = [column for column in ("dataset", "family") if column in others]
    telling = [column for column in LEVELS_IN_WORDS if column in others]
    several = rows.groupby(among)[telling].transform("nunique") > 1
    for _, group in rows.groupby(others, dropna=False):
        first = group.iloc[0]
        at_levels = [
            LEVELS_IN_WORDS[c].format(first[c])
            for c in telling
            if several.loc[first.name, c]
        ]
        words = filter(None, [first.get("family", ""), *at_levels])
        dataset = readable(first.get("dataset", ""))
        yield AlikeButFor(dataset, ", ".join(words), group)


def trend(
    rows: pd.DataFrame,
    *,
    level: str,
    sign: int,
    first: Any = None,
    last: Any = None,
    order: list[Any] | None = None,
) -> Cases:
    """In settings that differ in nothing but `level` the value changes from end to end.

    A seed is paired with itself. Ends are the least and the greatest level, or the ends of
    `order`, or `first` and each of `last`; the reason names a step between them that goes the
    other way for sure.
    """
    changes = {}
    turns = {}
    for dataset, words, group in alike_but_for(rows, level):
        # a seed fixes the start and the order of images: each is compared with itself
        table = group.pivot_table(index="seed", columns=level, values="value")
        for between in paths(list(table.columns), first, last, order):
            start, end = between[0], between[-1]
            step = (
                f"{start} to {end}" if start is not False else f"with {readable(level)}"
            )
            key = (dataset, ", ".join(filter(None, [words, step])))
            changes[key] = table[end] - table[start]
            turns[key] = turning(table, between, sign)
    return over_settings(changes, readable(level), sign, "points", turns)


def paths(
    levels: list[Any], first: Any, last: Any, order: list[Any] | None
) -> list[list[Any]]:
    """Return the levels from one end to the other, for each pair of ends that `trend` compares.

    Examples
    --------
    >>> paths([2, 4, 8], None, None, None), paths([2, 4, 8], 2, [4, 16], None)
    ([[2, 4, 8]], [[2, 4]])
    """
    if first is not None:
        return [[first, end] for end in as_list(last) if {first, end} <= set(levels)]
    there = [level for level in order if level in levels] if order else levels
    return [there] if len(there) > 1 else []


def turning(table: pd.DataFrame, levels: list[Any], sign: int) -> str:
    """Return the steps between levels that go the other way for sure, as the end of a reason."""
    turns = []
    for a, b in pairwise(levels) if len(levels) > 2 else ():
        step = (table[b] - table[a]).dropna()
        if shown_by_seeds(step, "", -sign, "points")["verdict"] == "holds":
            turns.append(f"{step.mean():+.3g} from {a} to {b}")
    return f", but {', '.join(turns)}" if turns else ""


def shown_by_seeds(
    change: pd.Series, name: str, sign: int, unit: str, turns: str = ""
) -> dict[str, Any]:
    """Return what the seeds of one setting show, its numbers with four digits."""
    mean = mean_interval(change, {})
    least, most = (0.0, np.inf) if sign > 0 else (-np.inf, 0.0)
    estimate, low, high = (
        float(f"{value:.4g}") for value in (mean.estimate, mean.low, mean.high)
    )
    reason = f"{number_as_text(estimate, low, high, unit)}, n = {len(change)}{turns}"
    verdict = evident(mean.low, mean.high, least, most)
    return {
        "setting": name,
        "verdict": verdict,
        "estimate": estimate,
        "low": low,
        "high": high,
        "error": float(f"{change.std() / len(change) ** 0.5:.4g}"),
        "reason": reason,
    }


def over_settings(
    changes: dict[tuple[str, str], pd.Series],
    summary: str,
    sign: int,
    unit: str,
    turns: dict[tuple[str, str], str] | None = None,
) -> Cases:
    """Return the mean changes of settings, those with enough seeds."""
    enough = {
        key: c.dropna() for key, c in changes.items() if c.count() >= FEWEST_SEEDS
    }
    settings = [
        shown_by_seeds(
            c, " ".join(filter(None, key)), sign, unit, (turns or {}).get(key, "")
        )
        for key, c in enough.items()
    ]
    index = (
        pd.MultiIndex.from_tuples(enough, names=["dataset", "setting"])
        if enough
        else None
    )
    values = pd.Series([c.mean() for c in enough.values()], index=index, dtype=float)
    return Cases(values, summary, unit=unit, sign=sign, settings=tuple(settings))


def moves_more(
    rows: pd.DataFrame, *, level: str, metric: str, than: Names, sign: int = 1
) -> Cases:
    """Over the levels `metric` varies more, relative to its mean, than others; one a seed."""
    changes = {}
    for dataset, words, group in alike_but_for(rows, level):
        table = group.pivot_table(
            index=["metric", "seed"], columns=level, values="value"
        )
        # metrics have different units, so that ranges are compared as shares of means
        ratio = (table.max(axis=1) - table.min(axis=1)) / table.mean(axis=1)
        there = ratio.index.get_level_values(0)
        for other in as_list(than):
            if {metric, other} <= set(there):
                changes[dataset, f"{words}, {metric} less {other}"] = (
                    ratio[metric] - ratio[other]
                )
    return over_settings(
        changes, f"relative range over {readable(level)}", sign, "of the mean"
    )
