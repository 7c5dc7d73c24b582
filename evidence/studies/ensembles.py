"""Compute ensembles.csv: members, their mean, and the two orders of pooling and calibrating.

`python -m evidence.studies ensembles` from the root. Members are networks of the zoo that differ
in the seed only.
"""

import numpy as np

import calib
from evidence import load_zoo
from evidence.network_outputs import FLOOR
from evidence.studies.pieces import compute_pieces, generator
from evidence.studies.zoo import supported

N_RESAMPLES = 200
METRICS = {
    "nll": calib.nll,
    "ece": calib.ece,
    "ks": calib.ks_error,
    "brier": calib.brier,
    "accuracy": calib.accuracy,
    "aurc": calib.aurc,
}


def settings():
    """The networks of the zoo that differ in the seed only, by setting."""
    by_setting = {}
    for name in supported():
        stem, _, seed = name.rpartition("-s")
        if seed.isdigit():
            by_setting.setdefault(stem, []).append(name)
    return by_setting


def ensemble(stem):
    """Members, their mean, and the two orders of pooling and calibrating, one row a way."""
    members = [load_zoo(name) for name in settings()[stem]]
    own_y, y = members[0].calibration.y, members[0].test.y
    scalings = [
        calib.TemperatureScaling().fit(net.calibration.logits, net.calibration.y) for net in members
    ]
    singles = [np.asarray(net.test.prob, float) for net in members]
    scaled = [s.predict_proba(net.test.logits) for s, net in zip(scalings, members, strict=True)]
    pool_own = np.mean([net.calibration.prob for net in members], axis=0, dtype=float)
    pool = np.mean(singles, axis=0)
    after = calib.TemperatureScaling().fit(calib.as_logits(pool_own, floor=FLOOR), own_y)
    ways = {
        "members": singles,
        "members, calibrated": scaled,
        "pooled": [pool],
        "calibrated, then pooled": [np.mean(scaled, axis=0)],
        "pooled, then calibrated": [after.predict_proba(calib.as_logits(pool, floor=FLOOR))],
    }
    reference = {"pooled": "members", "calibrated, then pooled": "members, calibrated"}
    reference["pooled, then calibrated"] = "calibrated, then pooled"
    rows = []
    for way, predictions in ways.items():
        row = {"setting": stem, "way": way, "n": len(y), "n_members": len(members)}
        row |= {m: float(np.mean([f(y, p) for p in predictions])) for m, f in METRICS.items()}
        confidence = np.mean([p.max(axis=1).mean() for p in predictions])
        row |= {"gap": float(confidence - row["accuracy"])}
        for metric in ("nll", "ece"):
            low = high = ""
            if way in reference:
                low, high = interval(metric, y, predictions, ways[reference[way]], stem)
            row |= {f"{metric}_low": low, f"{metric}_high": high}
        rows.append(row)
    return rows


def interval(metric, y, predictions, others, stem):
    """95 % basic interval of a metric's mean over predictions less that over others."""
    rng, n = generator(stem, metric), len(y)
    groups = predictions, others
    if metric == "nll":
        labels = [[p[np.arange(n), y] for p in group] for group in groups]
        losses = [np.mean(-np.log(np.maximum(of, 1e-300)), axis=0) for of in labels]
        gain = losses[0] - losses[1]

        def difference(rows):
            return gain[rows].mean()

    else:
        pairs = [[calib.top_label(y, p) for p in group] for group in groups]

        def difference(rows):
            means = [np.mean([calib.ece(h[rows], s[rows]) for s, h in group]) for group in pairs]
            return means[0] - means[1]

    estimate = calib.bootstrap_statistic(difference, n, n_resamples=N_RESAMPLES, rng=rng)
    return estimate.low, estimate.high


def rows():
    return compute_pieces("ensembles", ensemble, sorted(settings()))
