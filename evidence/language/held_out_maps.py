"""Maps of answers' confidence, fitted on one half of the answers and applied to the other."""

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
) -> np.ndarray:
    """Scores after a map that was fitted on the other half of the samples."""
    if name == "none":
        return score
    after = np.empty(len(score))
    for fit, apply in random_halves(len(score), rng):
        after[apply] = MAPS[name].fit(score[fit], hit[fit]).predict(score[apply])
    return after


def temperature_held_out(
    y: np.ndarray, logits: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Probabilities at the temperature that was fitted on the other half."""
    after = np.empty(logits.shape)
    for fit, apply in random_halves(len(y), rng):
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits[fit], y[fit])
        after[apply] = scaling.predict_proba(logits[apply])
    return after
