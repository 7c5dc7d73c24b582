"""Compute set_sizes.csv: prediction sets before and after temperature scaling."""

import numpy as np
import pandas as pd

import calib
from evidence.pieces import Row, compute_pieces, generator, means
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
    by_method: dict[tuple[str, str], list[Row]] = {}
    for split in range(N_SPLITS):
        order = generator(name, split).permutation(len(y))
        fit, calibration, test = np.array_split(order, 3)
        scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
        chance = chance_gap(y[test], len(calibration), generator(name, split, "chance"))
        for key, proba in (
            ("none", calib.softmax),
            ("temperature", scaling.predict_proba),
        ):
            p, p_test = proba(z[calibration]), proba(z[test])
            for score, sets in SCORES.items():
                # the same lots for each map, so that their sets differ by the map alone
                rng = generator(name, split, "lots")
                fitted = sets.fit(p, y[calibration], rng=rng)
                row = measure_sets(fitted, p_test, y[test], rng)
                row |= {"temperature": scaling.temperature_, "class_gap_chance": chance}
                by_method.setdefault((key, score), []).append(row)
    rows = []
    for (key, score), sizes in by_method.items():
        head: Row = {
            "source": name,
            "calibrator": key,
            "score": score,
            "n_splits": N_SPLITS,
        }
        before, after = pd.DataFrame(by_method["none", score]), pd.DataFrame(sizes)
        growth = (after["size"] - before["size"]).to_numpy()
        low, high = np.quantile(growth, [0.025, 0.975])
        row = head | means(sizes)
        row |= {"grew": float((growth > 0).mean()), "growth": float(growth.mean())}
        row |= {"growth_low": float(low), "growth_high": float(high)}
        gap_change = (after["class_gap"] - before["class_gap"]).to_numpy()
        rows.append(row | {"class_gap_change": float(gap_change.mean())})
    return rows


def rows() -> list[Row]:
    return compute_pieces("set_sizes", splits, SOURCES)
