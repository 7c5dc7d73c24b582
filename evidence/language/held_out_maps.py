"""Maps of answers' confidence, fitted on one half of the answers and applied to the other.

There are two maps then, and what one says too much the other says too little, since each learns
from the answers that judge its twin. In an error of calibration of all answers together the two
cancel: it is too small, even below that of a calibrated model. So each half stays apart here.
"""

from collections.abc import Iterator

import numpy as np

import calib
from calib.views import Viewed

MAPS_OF_CONFIDENCE = {
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


def mapped_halves(
    name: str, hit: np.ndarray, score: np.ndarray, rng: np.random.Generator
) -> Iterator[Viewed]:
    """Pairs of each half after the map that was fitted on the other half, or as they are."""
    for fit, apply in random_halves(len(score), rng):
        after = score[apply]
        if name != "none":
            after = MAPS_OF_CONFIDENCE[name].fit(score[fit], hit[fit]).predict(after)
        yield after, hit[apply]


def tempered_halves(
    y: np.ndarray, logits: np.ndarray, rng: np.random.Generator
) -> Iterator[Viewed]:
    """Pairs of each half at the temperature that was fitted on the other half."""
    for fit, apply in random_halves(len(y), rng):
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits[fit], y[fit])
        yield calib.top_label(y[apply], scaling.predict_proba(logits[apply]))
