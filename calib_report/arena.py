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
    """Return the map to `use`, the `best`, how many are not told apart from it, on how many sets.

    None below 100 samples and where the arena has no network like that.
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
