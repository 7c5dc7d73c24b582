"""Compute best_maps_of_halves.csv: how often two halves of a test set name different best maps.

`python -m evidence.studies best_maps_of_halves` from the root. Each network's maps are fitted once;
its test samples are then split into random halves, and the methods are ranked by one metric on the
first half and by another, or the same, on the second. For the same metric the share of splits in
which the best methods differ is what chance alone makes: the baseline of every count of "best"; the
share in which the worst differ is that of every count of "worst".
"""

from collections.abc import Callable
from itertools import combinations_with_replacement

import numpy as np
from scipy.stats import rankdata

import calib
from evidence import load_source, load_zoo, zoo_index
from evidence.data import generator
from evidence.network_outputs import Outputs
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.competing_maps import predicted_by_methods
from evidence.studies.parts.metrics_of_sources import sources_of_vectors
from evidence.studies.parts.networks_of_zoo import first_networks_of_settings
from evidence.studies.parts.views_of_outputs import VIEWS

N_SPLITS = 20
SEED = 2021
COMMON = ("none", "histogram", "isotonic", "temperature", "vector")
METHODS = {
    "guo": (*COMMON, "bbq"),
    "nixon": ("none", "isotonic", "temperature", "vector", "matrix", "matrix-odir"),
    "vasilev": COMMON,
    "gupta": ("none", "temperature", "vector", "matrix-odir", "spline"),
}
TOP: dict[str, Callable[..., float]] = {
    "ece": calib.ece,
    "mce": calib.mce,
    "ks": calib.ks_error,
}
KS = {"ks_top_2": VIEWS["top_2"], "ks_within_2": VIEWS["within_2"]}
WHOLE_VECTOR: dict[str, Callable[..., float]] = {
    m: getattr(calib, m) for m in ("classwise_ece", "ace", "tace", "nll", "brier")
}


def half_values(outputs: Outputs, rows: np.ndarray) -> list[float]:
    score, hit = (array[rows] for array in outputs.pairs)
    y, prob = outputs.y[rows], outputs.prob[rows]
    of_top = [f(hit, score) for f in TOP.values()]
    of_whole = [f(y, prob) for f in WHOLE_VECTOR.values()]
    views = (view(outputs) for view in KS.values())
    return (
        of_top
        + of_whole
        + [calib.ks_error(hit[rows], score[rows]) for score, hit in views]
    )


METRIC_NAMES = [*TOP, *WHOLE_VECTOR, *KS]


def kendall(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Kendall's tau-b of each pair of rows of two arrays."""
    first, second = (np.sign(x[:, :, None] - x[:, None, :]) for x in (a, b))
    # tau-b: pairs that are tied in an order are left out of its norm
    norm = np.sqrt((first**2).sum(axis=(1, 2)) * (second**2).sum(axis=(1, 2)))
    return (first * second).sum(axis=(1, 2)) / np.where(norm == 0, np.nan, norm)


def values_of_halves(
    predicted: dict[str, Outputs], rng: np.random.Generator
) -> np.ndarray:
    """Return all metrics on both halves of each split, shape (2, splits, methods, metrics)."""
    halves = np.empty((2, N_SPLITS, len(predicted), len(METRIC_NAMES)))
    for split in range(N_SPLITS):
        order = rng.permutation(len(predicted["none"]))
        for half, samples in enumerate(np.array_split(order, 2)):
            halves[half, split] = [
                half_values(outputs, samples) for outputs in predicted.values()
            ]
    return halves


def disagreement(halves: np.ndarray, i: int, j: int) -> Row:
    """Return how often metric i on one half names another best method than j on the other."""
    first, second = halves
    # each half is once the one that chooses
    pairs = [(first[:, :, i], second[:, :, j]), (second[:, :, i], first[:, :, j])]
    differs = [a.argmin(axis=1) != b.argmin(axis=1) for a, b in pairs]
    worst = [a.argmax(axis=1) != b.argmax(axis=1) for a, b in pairs]
    taus = [kendall(rankdata(a, axis=1), rankdata(b, axis=1)) for a, b in pairs]
    return {
        "differs": float(np.mean(differs)),
        "worst_differs": float(np.mean(worst)),
        "tau": float(np.nanmean(taus)),
    }


def measure_halves(name: str) -> list[Row]:
    """All rows of one network: one a set of methods and pair of metrics."""
    net = load_zoo(name) if name in set(zoo_index()["name"]) else load_source(name)
    predicted = predicted_by_methods(net)
    halves = values_of_halves(predicted, generator(name, seed=SEED))
    rows: list[Row] = []
    for methods, members in METHODS.items():
        at = [i for i, method in enumerate(predicted) if method in members]
        for i, j in combinations_with_replacement(range(len(METRIC_NAMES)), 2):
            head = {"name": name, "methods": methods}
            head |= {"first": METRIC_NAMES[i], "second": METRIC_NAMES[j]}
            rows.append(head | disagreement(halves[:, :, at], i, j))
    return rows


def networks() -> list[str]:
    """The public networks whose vectors are known, and the first seed of each of ours."""
    return sources_of_vectors() + first_networks_of_settings()


def rows() -> list[Row]:
    return compute_pieces("best_maps_of_halves", measure_halves, networks())
