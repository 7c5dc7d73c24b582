"""What the arena decided for a number of samples and of classes."""

import csv
from pathlib import Path
from typing import Any

SIZES = (100, 500, 2500)
ALL = "all, over 2500"
SIZE_NAMES = [*map(str, SIZES), ALL]
CLASSES = {"2": (2, 2), "3 to 7": (3, 7), "8 to 19": (8, 19), "20 or more": (20, 10**6)}
DECISIONS = Path(__file__).with_name("arena.csv")


def decided(n: int, n_classes: int) -> dict[str, Any] | None:
    """Return which map the arena recommends for n calibration samples of K classes.

    ``use`` is a map's name in the arena; ``best`` the one with the largest mean gain; ``n_left``
    how many maps are not told apart from it, so that 1 is resolved; ``datasets`` on how many data
    sets that rests. None below 100 samples and where the arena has no network like that.

    Examples
    --------
    >>> decided(50, 10) is None
    True
    >>> sorted(decided(1000, 10))
    ['best', 'datasets', 'n_left', 'use']
    """
    if n < min(SIZES):
        return None
    size = ALL if n > max(SIZES) else str(max(s for s in SIZES if s <= n))
    group = next((name for name, (low, high) in CLASSES.items() if low <= n_classes <= high), "")
    with open(DECISIONS, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (row["classes"], row["size"]) == (group, size):
                counts = {name: int(row[name]) for name in ("n_left", "datasets")}
                return {"use": row["use"], "best": row["best"], **counts}
    return None
