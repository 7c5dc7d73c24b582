"""Compute measure_winners.csv: how often two halves of a test set name one best map."""

from collections.abc import Callable

import numpy as np
from scipy.stats import spearmanr

import calib
from evidence import load_zoo
from evidence.data import generator
from evidence.network_outputs import Outputs
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.compared_metrics import PAIRS
from evidence.studies.parts.competing_maps import MOST_CLASSES, predicted_by_methods
from evidence.studies.parts.networks_of_zoo import first_networks_of_settings

N_SPLITS = 20
WINNERS: dict[str, Callable[..., float]] = {
    name: f for name, f in PAIRS.items() if name != "brier"
}
OF_VECTORS: dict[str, Callable[..., float]] = {
    "nll": calib.nll,
    "brier": calib.brier,
    "classwise_ece": calib.classwise_ece,
}


def classwise_two_bins(y: np.ndarray, p: np.ndarray) -> float:
    """Return the mean over the classes of the averaged two-bin error, which nobody can game."""
    each = [calib.two_bin_error(y == k, p[:, k]) for k in range(p.shape[1])]
    return float(np.mean(each))


MEASURES = [*WINNERS, *OF_VECTORS, "classwise_two_bins"]


def values_of_measures(outputs: Outputs, samples: np.ndarray) -> list[float]:
    """Return the `MEASURES` of some samples."""
    score, hit = (part[samples] for part in outputs.pairs)
    y, p = outputs.y[samples], outputs.prob[samples]
    whole = OF_VECTORS | {"classwise_two_bins": classwise_two_bins}
    return [f(hit, score) for f in WINNERS.values()] + [f(y, p) for f in whole.values()]


def values_of_halves(
    outputs_of_maps: list[Outputs], rng: np.random.Generator
) -> np.ndarray:
    """Return the measures of both halves of each split, shape (2, splits, maps, measures)."""
    halves = np.empty((2, N_SPLITS, len(outputs_of_maps), len(MEASURES)))
    for split in range(N_SPLITS):
        # the same halves for all maps and measures
        order = rng.permutation(len(outputs_of_maps[0]))
        for half, samples in enumerate(np.array_split(order, 2)):
            halves[half, split] = [
                values_of_measures(outputs, samples) for outputs in outputs_of_maps
            ]
    return halves


def agreement_of_halves(name: str) -> list[Row]:
    """How often two halves of a test set name one best map, by each measure."""
    maps = predicted_by_methods(load_zoo(name))
    halves = values_of_halves([*maps.values()], generator("winners", name))
    head = {"name": name, "maps": len(maps)}
    return [
        head | {"measure": measure} | agreement(*halves[..., place])
        for place, measure in enumerate(MEASURES)
    ]


def agreement(first: np.ndarray, second: np.ndarray) -> Row:
    """Return how often two halves have one least value among maps, and their rank correlation."""
    same = first.argmin(axis=1) == second.argmin(axis=1)
    # a measure that is equal for all maps of a half has no ranks: its NaN is left out
    ranks = [spearmanr(*pair).statistic for pair in zip(first, second, strict=True)]
    return {"same": float(same.mean()), "rank_correlation": float(np.nanmean(ranks))}


def networks() -> list[str]:
    """The first seed of each network of at most fifty classes whose test set is in the tree."""
    names = first_networks_of_settings()
    return [name for name in names if load_zoo(name).test.n_classes <= MOST_CLASSES]


def rows() -> list[Row]:
    return compute_pieces("measure_winners", agreement_of_halves, networks())
