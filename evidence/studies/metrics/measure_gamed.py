"""Compute measure_gamed.csv: what a forecaster who knows the truth gains by saying otherwise."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product

import numpy as np
from scipy.special import expit, logit

from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.compared_metrics import PAIRS, SIZES

N_LIES = 2000
LIES = ("the truth", "three values", "one value", "a tenth surer", "a tenth less sure")


def forecast(lie: str, truth: np.ndarray) -> np.ndarray:
    """Return the scores of a forecaster who knows the probability of each event."""
    if lie == "three values":
        third = np.searchsorted(np.quantile(truth, [1 / 3, 2 / 3]), truth)
        means = np.bincount(third, truth) / np.bincount(third)
        return means[third]
    if lie == "one value":
        return np.full(len(truth), truth.mean())
    slope = {"the truth": 1.0, "a tenth surer": 1.1, "a tenth less sure": 0.9}[lie]
    return expit(slope * logit(truth))


def measured(n: int) -> dict[tuple[str, str], np.ndarray]:
    """Return the values of each measure and lie, of samples of a size, the same for each lie."""
    rng = generator("lies", n)
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(N_LIES // (n // 300)):
        truth = rng.beta(5, 2, size=n)
        hit = (rng.random(n) < truth).astype(int)
        scores = {lie: forecast(lie, truth) for lie in LIES}
        for measure, lie in product(PAIRS, LIES):
            values[measure, lie].append(PAIRS[measure](hit, scores[lie]))
    return {key: np.array(of_samples) for key, of_samples in values.items()}


def rows() -> Iterator[Row]:
    """Each lie on the same events, so that its gain is a mean of differences."""
    for n in SIZES[:3]:
        values = measured(n)
        for measure, lie in product(PAIRS, LIES[1:]):
            honest = values[measure, "the truth"]
            gain = honest - values[measure, lie]
            yield {
                "n": n,
                "measure": measure,
                "said": lie,
                "honest": float(honest.mean()),
                "gain": float(gain.mean()),
                "standard_error": float(gain.std(ddof=1) / np.sqrt(len(gain))),
            }
