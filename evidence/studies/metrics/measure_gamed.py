"""Compute measure_gamed.csv: what a forecaster who knows the truth gains by saying otherwise."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from scipy.special import expit, logit

from evidence.pieces import Row, generator
from evidence.studies.parts.raced_measures import PAIRS, SIZES

N_LIES = 2000
LIES = ("the truth", "three values", "one value", "a tenth surer", "a tenth less sure")


def said(lie: str, truth: np.ndarray) -> np.ndarray:
    """Return what a forecaster says who knows the probability of each event."""
    if lie == "three values":
        third = np.searchsorted(np.quantile(truth, [1 / 3, 2 / 3]), truth)
        means = np.bincount(third, truth) / np.bincount(third)
        return means[third]
    if lie == "one value":
        return np.full(len(truth), truth.mean())
    slope = {"the truth": 1.0, "a tenth surer": 1.1, "a tenth less sure": 0.9}[lie]
    return expit(slope * logit(truth))


def rows() -> Iterator[Row]:
    """Each lie on the same events, so that its gain is a mean of differences."""
    for n in SIZES[:3]:
        rng = generator("lies", n)
        values: dict[tuple[str, str], list[float]] = defaultdict(list)
        for _ in range(N_LIES // (n // 300)):
            truth = rng.beta(5, 2, size=n)
            hit = (rng.random(n) < truth).astype(int)
            for lie in LIES:
                score = said(lie, truth)
                for measure, function in PAIRS.items():
                    values[measure, lie].append(function(hit, score))
        for measure in PAIRS:
            honest = np.array(values[measure, "the truth"])
            for lie in LIES[1:]:
                gain = honest - np.array(values[measure, lie])
                yield {
                    "n": n,
                    "measure": measure,
                    "said": lie,
                    "honest": float(honest.mean()),
                    "gain": float(gain.mean()),
                    "standard_error": float(gain.std(ddof=1) / np.sqrt(len(gain))),
                }
