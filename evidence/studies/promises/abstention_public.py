"""Compute abstention_public.csv: AURC of public networks before and after each map.

Of a difference of two areas no interval is known to keep its promise: `low` to `high` is the paired
basic bootstrap's.
"""

from typing import Any

import numpy as np

import calib
from evidence import load_source
from evidence.pieces import Row, compute_pieces, generator
from evidence.studies.parts.evaluate import WHOLE, calibration_and_test
from evidence.studies.parts.set_measures import SOURCES

ABSTAIN = (
    *SOURCES,
    "ferrer-pneumonia-resnet50",
    "ferrer-speaker-plda",
    "baan-snli-roberta-s0",
)
N_RESAMPLES = 200
MAPS: dict[str, Any] = {
    name: WHOLE[name] for name in ("temperature", "vector", "isotonic", "histogram")
}


def abstention(name: str) -> list[Row]:
    """AURC of the test half before and after each map, with its paired interval."""
    calibration, test = calibration_and_test(load_source(name))
    z, z_test = calibration.as_logits(), test.as_logits()
    before = np.asarray(test.prob, float)
    predictions = {"none": (test.y, before)}
    for key, calibrator in MAPS.items():
        predictions[key] = (
            test.y,
            calibrator.fit(z, calibration.y).predict_proba(z_test),
        )
    score, hit = test.pairs
    # a map of the confidence alone: it keeps the order of the answers
    platt = calib.PlattScaling().fit(*calibration.pairs)
    predictions["top-platt"] = np.asarray(hit), platt.predict(score)
    rows = []
    for key, (y, p) in predictions.items():
        row = {
            "source": name,
            "calibrator": key,
            "n": len(test),
            "ece": calib.ece(y, p),
        }
        row["accuracy"] = float(np.mean(hit)) if p.ndim == 1 else calib.accuracy(y, p)
        row |= {"aurc": calib.aurc(y, p), "excess": calib.excess_aurc(y, p)}
        row["risk_80"] = calib.risk_coverage(y, p).risk_at(0.8)
        options: dict[str, Any] = {
            "n_resamples": N_RESAMPLES,
            "rng": generator(name, key),
        }
        estimate = calib.bootstrap(calib.aurc, y, p, **options)
        row |= {"aurc_low": estimate.low, "aurc_high": estimate.high}
        # hits may differ
        after, hit_after = calib.top_label(y, p) if p.ndim == 2 else (p, y)
        pair = hit_after, after, score
        basic = options | {"method": "basic"}
        less = calib.paired_difference(calib.aurc, *pair, y_true_b=hit, **basic)
        rows.append(
            row | {"difference": less.value, "low": less.low, "high": less.high}
        )
    return rows


def rows() -> list[Row]:
    return compute_pieces("abstention_public", abstention, ABSTAIN)
