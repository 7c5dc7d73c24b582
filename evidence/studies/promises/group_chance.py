"""Compute group_chance.csv: gaps of groups that are drawn by lot, which chance alone makes."""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.samples_in_groups import prediction_sets


def chance_rows(
    name: str, z: np.ndarray, y: np.ndarray, group: np.ndarray, attribute: np.ndarray
) -> Iterator[Row]:
    """Groups of the same sizes, drawn by lot: gaps, and how many would be called wrong."""
    fit = generator(name).permutation(len(y)) < len(y) // 2
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    score, hit = calib.top_label(y[~fit], scaling.predict_proba(z[~fit]))
    rng = generator(name, "lots")
    for draw in range(200):
        errors = calib.group_errors(hit, score, rng.permutation(group[~fit]))
        outside = (errors.low > 0) | (errors.high < 0)
        yield {
            "source": name,
            "draw": draw,
            "largest": float(np.abs(errors.gap).max()),
            "mean_gap": float(np.abs(errors.gap).mean()),
            "spread": errors.spread,
            "outside": int(outside.sum()),
            "refused": int((errors.p_value < 0.05).sum()),
        }


def rows() -> Iterator[Row]:
    for samples in prediction_sets():
        yield from chance_rows(*samples)
