"""Compute psce_edge.csv: how far PSCE curves of calibrated scores miss at the edges.

`python -m evidence.studies psce_edge` from the root. Scores of a binary model are drawn evenly from
0 to 1, or sharply (beta with both parameters 0.2), and labels from the scores: the true curve is
the diagonal. `bias` is the mean of curve less diagonal over the outer twentieth of the grid at the
low or the high edge; at "both" it is towards the middle; "sharp less even" is a difference.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import calib
from evidence.rows import Row

N_SAMPLES, N_REPETITIONS, SEED = 2000, 100, 2019
SCORES: dict[str, Any] = {
    "even": lambda rng: rng.uniform(size=N_SAMPLES),
    "sharp": lambda rng: rng.beta(0.2, 0.2, size=N_SAMPLES),
}


def biases(score: np.ndarray, rng: np.random.Generator) -> dict[str, float]:
    """The mean miss of the curve at the low edge, at the high edge, and towards the middle."""
    hit = (rng.uniform(size=len(score)) < score).astype(int)
    grid, curve = calib.psce_curve(hit, score)
    miss = curve - grid
    low, high = np.nanmean(miss[grid <= 0.05]), np.nanmean(miss[grid >= 0.95])
    return {"low": low, "high": high, "both": (low - high) / 2}


def rows() -> Iterator[Row]:
    rng = np.random.default_rng(SEED)
    for repetition in range(N_REPETITIONS):
        results = {name: biases(draw(rng), rng) for name, draw in SCORES.items()}
        even, sharp = results["even"], results["sharp"]
        results["sharp less even"] = {edge: sharp[edge] - even[edge] for edge in even}
        for name, of in results.items():
            for edge, bias in of.items():
                yield {
                    "repetition": repetition,
                    "scores": name,
                    "edge": edge,
                    "bias": float(bias),
                }
