"""Compute set_sizes.csv: prediction sets before and after temperature scaling."""

from itertools import product

import numpy as np
import pandas as pd

import calib
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row, means
from evidence.studies.parts.set_measures import (
    SCORES,
    SOURCES,
    logits_and_labels,
    measure_sets,
)

N_SPLITS = 20


def chance_gap(
    y: np.ndarray, n_own: int, rng: np.random.Generator, n_draws: int = 200
) -> float:
    """The class gap of sets whose coverage is the same in every class: what chance alone makes.

    The coverage follows the Beta law of `n_own` samples, the samples covered in a class are
    binomial.
    """
    # of n scores the threshold is this one in rising order (Vovk 2012)
    rank = np.ceil((n_own + 1) * 0.9)
    n = np.bincount(y)
    n = n[n > 0]
    coverage = rng.beta(rank, n_own + 1 - rank, (n_draws, 1))
    return float(np.abs(rng.binomial(n, coverage, (n_draws, len(n))) / n - 0.9).mean())


def splits(name: str) -> list[Row]:
    """One row a map and score: means over random thirds for the map, the threshold, the test."""
    z, y = logits_and_labels(name)
    by_split = [on_split(name, split, z, y) for split in range(N_SPLITS)]
    rows = []
    for calibrator, score in by_split[0]:
        before = [measured["none", score] for measured in by_split]
        after = [measured[calibrator, score] for measured in by_split]
        head: Row = {"source": name, "calibrator": calibrator, "score": score}
        head |= {"n_splits": N_SPLITS}
        rows.append(head | means(after) | changes(before, after))
    return rows


def on_split(
    name: str, split: int, z: np.ndarray, y: np.ndarray
) -> dict[tuple[str, str], Row]:
    """Return by map and score what the sets of one split are like."""
    order = generator(name, split).permutation(len(y))
    fit, calibration, test = np.array_split(order, 3)
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    chance = chance_gap(y[test], len(calibration), generator(name, split, "chance"))
    maps = {"none": calib.softmax, "temperature": scaling.predict_proba}
    measured = {}
    for (calibrator, proba), score in product(maps.items(), SCORES):
        # the same lots for each map, so that their sets differ by the map alone
        rng = generator(name, split, "lots")
        fitted = SCORES[score].fit(proba(z[calibration]), y[calibration], rng=rng)
        row = measure_sets(fitted, proba(z[test]), y[test], rng)
        row |= {"temperature": scaling.temperature_, "class_gap_chance": chance}
        measured[calibrator, score] = row
    return measured


def changes(before: list[Row], after: list[Row]) -> Row:
    """Return how much a map changes the sizes of sets, and their gaps of classes, over splits."""
    growth = pd.DataFrame(after)["size"] - pd.DataFrame(before)["size"]
    low, high = np.quantile(growth, [0.025, 0.975])
    gap_change = pd.DataFrame(after)["class_gap"] - pd.DataFrame(before)["class_gap"]
    return {
        "grew": float((growth > 0).mean()),
        "growth": float(growth.to_numpy().mean()),
        "growth_low": float(low),
        "growth_high": float(high),
        "class_gap_change": float(gap_change.to_numpy().mean()),
    }


def rows() -> list[Row]:
    return compute_pieces("set_sizes", splits, SOURCES)
