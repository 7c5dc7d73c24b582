"""Compute families_at_same_accuracy.csv: classifiers of one family beside those of others.

`python -m evidence.studies families_at_same_accuracy` from the root, of the table of 1116 ImageNet
classifiers that is not kept: see `imagenet_classifiers`. Each network of the first kind is compared
with the one of the second that is nearest in accuracy, where that is within `WITHIN` points.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from evidence.rows import Row
from evidence.sources import hierarchical_selective, read_source
from evidence.sources.hierarchical_selective import FEWEST

DIGITS = 4
WITHIN = 1.0  # points of accuracy
OLDER = ["VGG", "VGG-BN", "ResNet", "ResNeXt", "WRN", "DenseNet"]
PAIRS = {  # kinds: families and training of the first and of the second
    "ViT beside BiT": ((["ViT"], "pretrained"), (["BiT"], "pretrained")),
    "CLIP beside older CNNs": ((["CLIP"], "zero-shot"), (OLDER, "supervised")),
    "ViT beside older CNNs": ((["ViT"], "pretrained"), (OLDER, "supervised")),
    "ViT, supervised, beside older CNNs": (
        (["ViT"], "supervised"),
        (OLDER, "supervised"),
    ),
}


def of_kind(
    table: pd.DataFrame, families: Iterable[str], training: str
) -> pd.DataFrame:
    """Return the classifiers of some families and one training."""
    return table[table["family"].isin(families) & (table["training"] == training)]


def nearest_in_accuracy(
    first: pd.DataFrame, second: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return those of the first that have a network of the second near them, and these."""
    distance = np.abs(
        first["accuracy"].to_numpy()[:, None] - second["accuracy"].to_numpy()
    )
    near = distance.min(axis=1) <= WITHIN
    # a network of the second kind may stand beside several of the first
    return first[near], second.iloc[distance.argmin(axis=1)[near]]


def rows() -> Iterator[Row]:
    """Yield a row a pair of kinds: how many are lower, and the mean difference in points."""
    table = hierarchical_selective.classifiers(read_source("goren-classifiers"))
    for name, (first, second) in PAIRS.items():
        left, right = nearest_in_accuracy(
            of_kind(table, *first), of_kind(table, *second)
        )
        row: Row = {"pair": name, "n": len(left), "others": right["model"].nunique()}
        if min(row["n"], row["others"]) < FEWEST:
            continue
        for column in ("ece", "ece_after"):
            difference = left[column].to_numpy() - right[column].to_numpy()
            difference = difference[~np.isnan(difference)]
            row[f"{column}_n"] = len(difference)
            row[f"{column}_lower"] = int((difference < 0).sum())
            row[f"{column}_difference"] = float(difference.mean())
        yield row
