"""Compute group_maps.csv: each map's errors within groups, means over random halves."""

from collections.abc import Iterator
from itertools import product

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row, means
from evidence.studies.parts.samples_in_groups import (
    after_maps,
    overlapping_groups,
    prediction_sets,
)

N_SPLITS = 10


def worst_group(score: np.ndarray, hit: np.ndarray, belongs: np.ndarray) -> float:
    """The largest root of m g² over all groups and ten levels: what multicalibration bounds."""
    level = np.minimum((score * 10).astype(int), 9)
    sizes = []
    for member, m in product(belongs.T, range(10)):
        cell = member & (level == m)
        if cell.any():
            sizes.append((hit - score)[cell].sum() ** 2 / cell.sum() / len(score))
    return float(max(sizes) ** 0.5)


def map_rows(
    name: str, z: np.ndarray, y: np.ndarray, group: np.ndarray, attribute: np.ndarray
) -> Iterator[Row]:
    """One row a map: means over random halves."""
    values: dict[str, list[Row]] = {}
    for split in range(N_SPLITS):
        of = z, y, group, attribute, generator(name, split)
        for test, hit, key, score in after_maps(*of):
            belongs = overlapping_groups(group, attribute)[test]
            groups = calib.group_errors(hit, score, group[test])
            # patches may take a score to 0 or 1, whose logarithm is infinite
            clipped = np.clip(score, 1e-6, 1 - 1e-6)
            row = {
                "ece": calib.ece(hit, np.minimum(score, 1)),
                "brier": float(np.mean((score - hit) ** 2)),
                "nll": float(
                    -np.mean(np.where(hit, np.log(clipped), np.log(1 - clipped)))
                ),
                "mean_gap": float(np.abs(groups.gap).mean()),
                "spread": groups.spread,
                "refused": float((groups.p_value < 0.05).sum()),
                "worst": worst_group(score, hit, belongs),
            }
            values.setdefault(key, []).append(row)
    for key, splits in values.items():
        head: Row = {
            "source": name,
            "map": key,
            "n_groups": len(np.unique(group)),
            "n_splits": N_SPLITS,
        }
        yield head | means(splits)


def rows() -> Iterator[Row]:
    for samples in prediction_sets():
        yield from map_rows(*samples)
