"""Compute arena_decisions.csv: which map to use, by classes and samples."""

from itertools import product

import pandas as pd

from evidence.arena import load_cases, ranking
from evidence.arena.every_map import ARENA_MAPS
from evidence.arena.ranked_cases import (
    CLASSES,
    SIZE_NAMES,
    by_dataset,
    student_interval,
)
from evidence.rows import Row

DIGITS = 4


def decision(ranked: pd.DataFrame, order: list[str]) -> Row:
    """Decide one cell of the decision map; `order` has the maps, simplest first.

    `left` are the maps that are not told apart from the best, and `use` is the simplest of them.
    """
    gain = by_dataset(ranked, "gain")
    best = gain.mean().where(gain.notna().all()).idxmax()
    less = student_interval(gain.rsub(gain[best], axis=0))
    # with fewer data sets an interval says nothing, and no map is called worse
    enough = len(gain) >= ranking.FEWEST_DATASETS
    worse = (less["low"] > 0) & enough
    there = gain.columns[gain.notna().all()]
    candidates = [name for name in order if name in there and not worse[name]]
    gained = student_interval(gain).loc[best].rename({"mean": "gain"}).to_dict()
    return {
        "best": best,
        "use": candidates[0],
        "left": candidates,
        "datasets": len(gain),
        **gained,
    }


def decide(ranked: pd.DataFrame) -> list[Row]:
    """Return one row a cell of the decision map, the maps that are left joined by semicolons."""
    order = [name for name in ARENA_MAPS if name != "none"]
    table = []
    for group, size in product(CLASSES, SIZE_NAMES):
        rows = ranked[(ranked["group"] == group) & (ranked["size"] == size)]
        if len(rows):
            table.append({"classes": group, "size": size} | decision(rows, order))
    answers = pd.DataFrame(table)
    return answers.assign(left=answers["left"].str.join("; ")).to_dict("records")


def rows() -> list[Row]:
    return decide(load_cases())
