"""Compute error_of_each_class.csv: each class against the rest, and what chance makes of it."""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.nixon_networks import SOURCES, predicted_by_maps
from evidence.studies.parts.two_sets import SEED

N_DRAWS = 200


def class_rows(
    source: str, method: str, y: np.ndarray, prob: np.ndarray
) -> Iterator[Row]:
    rng = generator(source, method, seed=SEED)
    for k in range(prob.shape[1]):
        # every sample counts in every class, as one of it or not
        score, hit = calib.one_vs_rest(k)(y, prob)
        hits = rng.random((N_DRAWS, len(score))) < score  # of a calibrated network
        errors = [calib.ece(drawn.astype(int), score) for drawn in hits]
        yield {
            "source": source,
            "calibrator": method,
            "class": k,
            "n": int(hit.sum()),
            "error": calib.ece(hit, score),
            "calibrated": float(np.mean(errors)),
            "calibrated_high": float(np.quantile(errors, 0.99)),
        }


def rows() -> Iterator[Row]:
    for source in SOURCES:
        y, prob = predicted_by_maps(source)
        for name in ("none", "temperature"):
            yield from class_rows(source, name, y, prob[name])
