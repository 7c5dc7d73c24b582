"""Compute ensembles.csv: members, their mean, and the two orders of pooling and calibrating.

`python -m evidence.studies ensembles` from the root. Members are networks of the zoo that differ
in the seed only.
"""

from collections.abc import Callable

import numpy as np

import calib
from calib.views import Viewed
from evidence import Predictions, load_zoo
from evidence.constants import FLOOR
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.networks_of_zoo import networks_with_all_seeds

N_RESAMPLES = 200
ENSEMBLE_METRICS: dict[str, Callable[..., float]] = {
    "nll": calib.nll,
    "ece": calib.ece,
    "ks": calib.ks_error,
    "brier": calib.brier,
    "accuracy": calib.accuracy,
    "aurc": calib.aurc,
}


Statistic = Callable[[np.ndarray], float]  # of the positions of rows

# what each way is compared with: the step before it
REFERENCE = {
    "pooled": "members",
    "calibrated, then pooled": "members, calibrated",
    "pooled, then calibrated": "calibrated, then pooled",
}


def seeds_by_setting() -> dict[str, list[str]]:
    """The networks of the zoo that differ in the seed only, by setting."""
    by_setting: dict[str, list[str]] = {}
    for name in networks_with_all_seeds():
        stem, _, seed = name.rpartition("-s")
        if seed.isdigit():
            by_setting.setdefault(stem, []).append(name)
    return by_setting


def ensemble(stem: str) -> list[Row]:
    """Members, their mean, and the two orders of pooling and calibrating, one row a way."""
    members = [load_zoo(name) for name in seeds_by_setting()[stem]]
    y = members[0].test.y
    ways = probabilities(members)
    rows = []
    for way, predictions in ways.items():
        row: Row = {"setting": stem, "way": way, "n": len(y), "n_members": len(members)}
        for metric, function in ENSEMBLE_METRICS.items():
            row[metric] = float(np.mean([function(y, p) for p in predictions]))
        confidence = np.mean([p.max(axis=1).mean() for p in predictions])
        row["gap"] = float(confidence - row["accuracy"])
        for metric in ("nll", "ece"):
            row |= {f"{metric}_low": "", f"{metric}_high": ""}
            if way in REFERENCE:
                low, high = paired_interval(
                    metric, y, predictions, ways[REFERENCE[way]], stem
                )
                row |= {f"{metric}_low": low, f"{metric}_high": high}
        rows.append(row)
    return rows


def probabilities(members: list[Predictions]) -> dict[str, list[np.ndarray]]:
    """What each way says of the test set: one matrix a member, or one of the pool."""
    singles, scaled, own = [], [], []
    for net in members:
        scaling = calib.TemperatureScaling().fit(net.to_fit.as_logits(), net.to_fit.y)
        singles.append(np.asarray(net.test.prob, float))
        scaled.append(scaling.predict_proba(net.test.as_logits()))
        own.append(np.asarray(net.to_fit.prob, float))
    # probabilities are pooled, not logits: what a mixture of the members says
    pool, pool_own = np.mean(singles, axis=0), np.mean(own, axis=0)
    after = calib.TemperatureScaling()
    # a pool has no logits: the logarithms of its probabilities stand for them
    after.fit(calib.as_logits(pool_own, floor=FLOOR), members[0].to_fit.y)
    return {
        "members": singles,
        "members, calibrated": scaled,
        "pooled": [pool],
        "calibrated, then pooled": [np.mean(scaled, axis=0)],
        "pooled, then calibrated": [
            after.predict_proba(calib.as_logits(pool, floor=FLOOR))
        ],
    }


def paired_interval(
    metric: str,
    y: np.ndarray,
    predictions: list[np.ndarray],
    reference: list[np.ndarray],
    stem: str,
) -> tuple[float, float]:
    """95 % basic interval of a metric's mean over predictions less that over the reference."""
    difference = (
        difference_of_nll(y, predictions, reference)
        if metric == "nll"
        else difference_of_ece(y, predictions, reference)
    )
    rng = generator(stem, metric)
    estimate = calib.bootstrap_statistic(
        difference, len(y), n_resamples=N_RESAMPLES, rng=rng
    )
    return estimate.low, estimate.high


def difference_of_nll(
    y: np.ndarray, predictions: list[np.ndarray], reference: list[np.ndarray]
) -> Statistic:
    """Return the difference as a function of rows, in pairs: what is hard for all cancels."""
    gain = losses(y, predictions) - losses(y, reference)
    return lambda rows: gain[rows].mean()


def difference_of_ece(
    y: np.ndarray, predictions: list[np.ndarray], reference: list[np.ndarray]
) -> Statistic:
    """Return the difference of mean ECEs as a function of rows."""
    pairs = [calib.top_label(y, p) for p in predictions]
    pairs_of_reference = [calib.top_label(y, p) for p in reference]

    def mean_ece(group: list[Viewed], rows: np.ndarray) -> float:
        errors = [calib.ece(hit[rows], score[rows]) for score, hit in group]
        return float(np.mean(errors))

    return lambda rows: mean_ece(pairs, rows) - mean_ece(pairs_of_reference, rows)


def losses(y: np.ndarray, predictions: list[np.ndarray]) -> np.ndarray:
    """The NLL of each sample, a mean over predictions; 1e-300 is the least that is no zero."""
    of_label = [p[np.arange(len(y)), y] for p in predictions]
    return np.mean(-np.log(np.maximum(of_label, 1e-300)), axis=0)


def rows() -> list[Row]:
    return compute_pieces("ensembles", ensemble, sorted(seeds_by_setting()))
