"""Maps of answers' confidence, fitted on one half of the answers and applied to the other.

An error of calibration is measured on each half apart. Where more answers of one half are right
than of the other, the map of each half is wrong for the other by the same amount, once too high
and once too low; in the bins of both halves together these errors would cancel.
"""

from collections.abc import Callable

import numpy as np

import calib

MAPS = {
    "platt": calib.PlattScaling(),
    "isotonic": calib.IsotonicCalibration(),
    "histogram": calib.HistogramBinning(n_bins=15, strategy="mass"),
}


def random_halves(
    n: int, rng: np.random.Generator
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Masks of two random halves of n samples, each twice: what is fitted to, and the rest."""
    first = np.zeros(n, bool)
    first[rng.permutation(n)[: n // 2]] = True
    return [(first, ~first), (~first, first)]


def mapped_held_out(
    name: str, hit: np.ndarray, score: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Scores after a map that was fitted on the other half of the samples, and the halves."""
    after, halves = np.empty(len(score)), random_halves(len(score), rng)
    for fit, apply in halves:
        after[apply] = MAPS[name].fit(score[fit], hit[fit]).predict(score[apply])
    return after, [apply for _, apply in halves]


def temperature_held_out(
    y: np.ndarray, logits: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Probabilities at the temperature that was fitted on the other half, and the halves."""
    after, halves = np.empty(logits.shape), random_halves(len(y), rng)
    for fit, apply in halves:
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits[fit], y[fit])
        after[apply] = scaling.predict_proba(logits[apply])
    return after, [apply for _, apply in halves]


def mean_over(
    parts: list[np.ndarray], function: Callable[..., float], *arrays: np.ndarray
) -> float:
    """Mean of a function of arrays over parts of their rows, each part apart."""
    return float(np.mean([function(*(a[part] for a in arrays)) for part in parts]))
