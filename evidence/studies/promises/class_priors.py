"""Compute class_priors.csv: other frequencies of the classes, met and estimated."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_source
from evidence.constants import FLOOR
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.worlds_with_other_priors import (
    N_TARGET,
    PRIOR_SOURCES,
    NewWorld,
    new_world,
    prior_coverage,
)

MAPS: dict[str, Any] = {
    "none": None,
    "temperature": calib.TemperatureScaling(),
    "vector": calib.VectorScaling(),
}
N_WORLDS = 20


def confusion_priors(p_own: np.ndarray, y_own: np.ndarray, p: np.ndarray) -> np.ndarray:
    """New priors from the classes predicted: the confusion matrix of the old world, inverted."""
    k = p.shape[1]
    confusion = np.zeros((k, k))
    np.add.at(confusion, (p_own.argmax(axis=1), y_own), 1)
    # a column is a true class: how often it is called each
    confusion /= np.maximum(confusion.sum(axis=0), 1)
    predicted = np.bincount(p.argmax(axis=1), minlength=k) / len(p)
    # least squares may end outside of the simplex
    solution = np.clip(np.linalg.lstsq(confusion, predicted, rcond=None)[0], 0, None)
    return solution / solution.sum()


def in_new_worlds(name: str) -> list[Row]:
    """Means over worlds with other priors, one row a map and way to meet them."""
    test = load_source(name).test
    z, y = np.asarray(test.as_logits(), float), test.y
    by_estimator: dict[tuple[str, str], list[Row]] = {}
    for world in range(N_WORLDS):
        drawn = new_world(y, z.shape[1], generator(name, world))
        for calibrator, way, row in in_world(z, y, drawn):
            by_estimator.setdefault((calibrator, way), []).append(row)
    return [
        {"source": name, "calibrator": calibrator, "way": way, "n_worlds": N_WORLDS}
        | over_worlds(values, by_estimator[calibrator, "as it is"])
        for (calibrator, way), values in by_estimator.items()
    ]


def in_world(
    z: np.ndarray, y: np.ndarray, world: NewWorld
) -> Iterator[tuple[str, str, Row]]:
    """Yield map, way and what it reaches in a world."""
    fit, chosen, old, new = world
    for calibrator, map_ in MAPS.items():
        if map_ is None:
            p_fit, p = calib.softmax(z[fit]), calib.softmax(z[chosen])
        else:
            map_.fit(z[fit], y[fit])
            p_fit, p = map_.predict_proba(z[fit]), map_.predict_proba(z[chosen])
        em = calib.estimate_priors(p, old)
        estimates = estimated_priors(p_fit, y[fit], p, em.priors)
        probabilities = {"as it is": p, "known": calib.adjust_priors(p, old, new)}
        for way in ("EM", "EM, one more a class"):
            probabilities[way] = calib.adjust_priors(p, old, estimates[way])
        for way in probabilities | estimates:
            row: Row = {}
            if way in probabilities:
                row |= metrics_in_world(y[chosen], probabilities[way])
            if way in estimates:
                row["prior_error"] = float(np.abs(estimates[way] - new).sum() / 2)
            if way == "EM":
                row |= prior_coverage(em, new)
            yield calibrator, way, row


def estimated_priors(
    p_fit: np.ndarray, y_fit: np.ndarray, p: np.ndarray, em: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the new priors by each way to estimate them."""
    return {
        "EM": em,
        "EM, one more a class": (N_TARGET * em + 1) / (N_TARGET + len(em)),
        "confusion": confusion_priors(p_fit, y_fit, p),
        "mean": p.mean(axis=0),
    }


def over_worlds(values: list[Row], unchanged: list[Row]) -> Row:
    """Means over the worlds, and how often a metric is better than in those without a change."""
    row: Row = {}
    for column in ("accuracy", "nll", "ece", "confidence", "prior_error", "covered"):
        numbers = [value[column] for value in values if column in value]
        row[column] = float(np.mean(numbers)) if numbers else ""
        row[f"{column}_sd"] = float(np.std(numbers, ddof=1)) if numbers else ""
    for column, sign in (("accuracy", 1), ("nll", -1)):
        gains = [
            sign * (value[column] - before[column])
            for value, before in zip(values, unchanged, strict=True)
            if column in value
        ]
        row[f"{column}_better"] = float(np.mean(np.greater(gains, 0))) if gains else ""
    return row


def metrics_in_world(y: np.ndarray, p: np.ndarray) -> dict[str, float]:
    """Metrics of probabilities in one world."""
    return {
        "accuracy": calib.accuracy(y, p),
        "nll": calib.nll(y, np.maximum(p, FLOOR)),
        "ece": calib.ece(y, p),
        "confidence": float(p.max(axis=1).mean()),
    }


def rows() -> list[Row]:
    return compute_pieces("class_priors", in_new_worlds, PRIOR_SOURCES)
