"""Compute imagenet_classifiers.csv: 1116 ImageNet classifiers of others, by family and by recipe.

`python -m evidence.studies imagenet_classifiers` from the root. The table of single classifiers
states no licence and is not kept: no row here rests on fewer than `FEWEST` of them. Rows of the
level "family" share family and training, those of the level "recipe" family, recipe and the size
of the images, and have as many different sizes; one row is of all.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from evidence.rows import Row
from evidence.sources import hierarchical_selective, read_source
from evidence.sources.hierarchical_selective import FEWEST

DIGITS = 5
LEVELS: dict[str, list[str]] = {
    "all": [],
    "family": ["family", "training"],
    "recipe": ["family", "recipe", "pixels"],
}
KEYS = ("family", "training", "recipe", "pixels")
MEASURED = ("accuracy", "over", "ece", "ece_after")  # in percent


def groups(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield level and members of each group of at least `FEWEST` classifiers."""
    yield "all", table
    for level in ("family", "recipe"):
        for _, group in table.groupby(LEVELS[level]):
            sizes = group["parameters"].nunique()
            if len(group) >= FEWEST and (level == "family" or sizes >= FEWEST):
                yield level, group


def group_row(level: str, group: pd.DataFrame) -> Row:
    """Return quartiles of a group, where a line against its sizes begins and ends, and ranks."""
    head = {"level": level} | {key: "" for key in KEYS}
    head |= {key: group[key].iloc[0] for key in LEVELS[level]} | {"n": len(group)}
    size = np.log10(group["parameters"].to_numpy())
    ends = np.array([size.min(), size.max()])
    found = dict(zip(["parameters_low", "parameters_high"], 10**ends, strict=True))
    found["parameters"] = 10 ** np.median(size)
    for name in MEASURED:
        quartiles = np.nanquantile(group[name], [0.25, 0.5, 0.75])
        found |= dict(zip([f"{name}_q25", name, f"{name}_q75"], quartiles, strict=True))
    found["under"] = (group["over"] < 0).mean()
    found["temperature"] = group["temperature"].median()
    found["astray"] = group["temperature"].isna().sum()
    for name in MEASURED:
        known = group[name].notna().to_numpy()
        line = np.full(2, np.nan)
        if len(np.unique(size[known])) >= FEWEST:
            line = np.polyval(np.polyfit(size[known], group[name][known], 1), ends)
        found |= dict(zip([f"{name}_smallest", f"{name}_largest"], line, strict=True))
    for name in ("ece", "ece_after"):
        ranks = spearmanr(group["accuracy"], group[name], nan_policy="omit")
        found[f"rank_{name}"] = ranks.statistic
    return head | found


def rows() -> Iterator[Row]:
    """Yield a row a group: percent, parameters in millions, rank correlations with accuracy."""
    table = hierarchical_selective.classifiers(read_source("goren-classifiers"))
    table = table.assign(over=table["confidence"] - table["accuracy"])
    yield from (group_row(level, group) for level, group in groups(table))
