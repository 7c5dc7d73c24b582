"""Compute covariate_shift.csv: images drawn the more often, the more people disagree about them.

`python -m evidence.studies covariate_shift` from the root. New worlds are made by drawing from real
predictions, so that what is true in them is known.
"""

from collections.abc import Callable, Iterable

import numpy as np
from scipy.stats import entropy

import calib
from evidence.pieces import Row, generator, means
from evidence.studies.parts.human_labels import with_people

Proba = Callable[[np.ndarray], np.ndarray]  # probabilities of logits

TILTS = (0.0, 1.0, 2.0, 3.0)
TILTED = (
    "kerrigan-cifar10-resnet110",
    "kull-cifar10-resnet110",
    "netcal-cifar10-wideresnet-16-4",
)


def rows() -> Iterable[Row]:
    """Covariate shift: images drawn the more often, the more people disagree about them."""
    table = []
    chosen = (s for s in with_people() if s[0] in TILTED or s[0].startswith("baan"))
    for name, test, shares in chosen:
        z, y = np.asarray(test.as_logits(), float), test.y
        doubt = entropy(shares, axis=1) / np.log(shares.shape[1])
        for tilt in TILTS:
            by_method: dict[str, list[Row]] = {}
            for world in range(20):
                rng = generator(name, tilt, world)
                order = rng.permutation(len(y))
                fit, later = order[: len(order) // 2], order[len(order) // 2 :]
                weight = np.exp(tilt * doubt)
                share = weight[later] / weight[later].sum()
                draws = (
                    later[rng.choice(len(later), n, p=share)] for n in (4000, 500, 100)
                )
                target, labelled, fewer = draws
                ways = ways_of(z, y, weight, fit, labelled, fewer)
                for way, proba in ways.items():
                    entry = measured_in_world(proba, z, y, target)
                    entry["old_kept"] = float(proba is ways["source labels"])
                    lot = generator(name, way, tilt, world)
                    entry["ece_chance"] = by_lot(proba(z), target, lot)
                    by_method.setdefault(way, []).append(entry)
            for way, values in by_method.items():
                table.append({"source": name, "tilt": tilt, "way": way} | means(values))
    return table


def ways_of(
    z: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    fit: np.ndarray,
    labelled: np.ndarray,
    fewer: np.ndarray,
) -> dict[str, Proba]:
    """Return by name what each way makes of logits."""
    old = scaling_of(z[fit], y[fit])
    try:
        from_fewer = scaling_of(z[fewer], y[fewer])
    except calib.ConvergenceError:
        # all of them are right: the old temperature stays
        from_fewer = old
    return {
        "as it is": calib.softmax,
        "source labels": old,
        "source labels, weighted": scaling_of(z[fit], y[fit], weight[fit]),
        "500 target labels": scaling_of(z[labelled], y[labelled]),
        "100 target labels": from_fewer,
    }


def measured_in_world(
    proba: Proba,
    z: np.ndarray,
    y: np.ndarray,
    target: np.ndarray,
) -> dict[str, float]:
    """Return ECE, NLL and the confidence less the accuracy on the samples of a world."""
    p = proba(z[target])
    gap = p.max(axis=1).mean() - calib.accuracy(y[target], p)
    metrics = {"ece": calib.ece(y[target], p), "nll": calib.nll(y[target], p)}
    return metrics | {"gap": float(gap)}


def by_lot(p: np.ndarray, target: np.ndarray, rng: np.random.Generator) -> float:
    """Return the ECE where labels are drawn from the scores: what chance alone makes of it."""
    top = p.max(axis=1)
    hit = rng.random(len(top)) < top
    return calib.ece(hit[target], top[target])


def scaling_of(z: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None) -> Proba:
    scaling = calib.TemperatureScaling(no_optimum="raise")
    return scaling.fit(z, y, sample_weight=weight).predict_proba
