"""Compute abstention_public.csv: AURC of public networks before and after each map.

Of a difference of two areas no interval is known to keep its promise: `low` to `high` is the paired
basic bootstrap's.
"""

from typing import Any

import numpy as np

import calib
from evidence import Outputs, load_source
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.maps_of_studies import MAPS_OF_VECTORS
from evidence.studies.parts.set_measures import SOURCES
from evidence.studies.parts.two_sets import calibration_and_test

ABSTAIN = (
    *SOURCES,
    "ferrer-pneumonia-resnet50",
    "ferrer-speaker-plda",
    "baan-snli-roberta-s0",
)
N_RESAMPLES = 200
MAPS: dict[str, Any] = {
    name: MAPS_OF_VECTORS[name]
    for name in ("temperature", "vector", "isotonic", "histogram")
}


def abstention(name: str) -> list[Row]:
    """AURC of the test half before and after each map, with its paired interval."""
    calibration, test = calibration_and_test(load_source(name))
    rows = []
    for key, (y, p) in predictions(calibration, test).items():
        row: Row = {"source": name, "calibrator": key, "n": len(test)}
        row |= measured(y, p)
        options: dict[str, Any] = {
            "n_resamples": N_RESAMPLES,
            "rng": generator(name, key),
        }
        estimate = calib.bootstrap(calib.aurc, y, p, **options)
        row |= {"aurc_low": estimate.low, "aurc_high": estimate.high}
        rows.append(row | difference(y, p, test, options))
    return rows


def predictions(
    calibration: Outputs, test: Outputs
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return by map the labels and vectors of a test set, or the hits and scores."""
    z, z_test = calibration.as_logits(), test.as_logits()
    predicted = {"none": (test.y, np.asarray(test.prob, float))}
    for key, calibrator in MAPS.items():
        predicted[key] = (
            test.y,
            calibrator.fit(z, calibration.y).predict_proba(z_test),
        )
    score, hit = test.pairs
    # a map of the confidence alone: it keeps the order of the answers
    platt = calib.PlattScaling().fit(*calibration.pairs)
    predicted["top-platt"] = np.asarray(hit), platt.predict(score)
    return predicted


def measured(y: np.ndarray, p: np.ndarray) -> Row:
    """Return the metrics of labels and vectors, or of hits and scores."""
    accuracy = float(np.mean(y)) if p.ndim == 1 else calib.accuracy(y, p)
    return {
        "ece": calib.ece(y, p),
        "accuracy": accuracy,
        "aurc": calib.aurc(y, p),
        "excess": calib.excess_aurc(y, p),
        "risk_80": calib.risk_coverage(y, p).risk_at(0.8),
    }


def difference(
    y: np.ndarray, p: np.ndarray, test: Outputs, options: dict[str, Any]
) -> Row:
    """Return the AURC less that without a map, with its paired interval; hits may differ."""
    score, hit = test.pairs
    after, hit_after = calib.top_label(y, p) if p.ndim == 2 else (p, y)
    basic = options | {"method": "basic", "y_true_b": hit}
    less = calib.paired_difference(calib.aurc, hit_after, after, score, **basic)
    return {"difference": less.value, "low": less.low, "high": less.high}


def rows() -> list[Row]:
    return compute_pieces("abstention_public", abstention, ABSTAIN)
