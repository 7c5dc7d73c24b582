"""Compute group_gaps.csv: calibration within each group, on one random half of the samples."""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.samples_in_groups import after_maps, prediction_sets

OF_A_GROUP = ("gap", "low", "high", "p_value", "shrunken")


def group_rows(
    name: str, z: np.ndarray, y: np.ndarray, group: np.ndarray, attribute: np.ndarray
) -> Iterator[Row]:
    """One row a map and group, on one random half."""
    for test, hit, key, score in after_maps(z, y, group, attribute, generator(name)):
        errors = calib.group_errors(hit, score, group[test])
        for i, group_name in enumerate(errors.group):
            scores, hits = (
                score[group[test] == group_name],
                hit[group[test] == group_name].astype(bool),
            )
            yield {
                "source": name,
                "map": key,
                "group": str(group_name),
                "n": int(errors.weight[i]),
                "accuracy": float(hits.mean()),
                "confidence": float(scores.mean()),
                **{key: float(getattr(errors, key)[i]) for key in OF_A_GROUP},
                "score_if_right": float(scores[hits].mean()) if hits.any() else "",
                "score_if_wrong": float(scores[~hits].mean()) if (~hits).any() else "",
            }


def rows() -> Iterator[Row]:
    for samples in prediction_sets():
        yield from group_rows(*samples)
