"""Compute measure_spread.csv: what each measure says of samples of a known world.

Beside it stands what it says of a million.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.special import expit, logit

import calib
from evidence.constants import FLOOR
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.compared_metrics import PAIRS, SIZES

N_DRAWS, N_OF_TRUTH = 200, 1_000_000
# what divides the log odds that are said
WORLDS = {"calibrated": 1.0, "overconfident": 1.3}


def error_of_event(function: Callable[..., Any]) -> Callable[..., float]:
    """Return an error of the vectors as a function of hits and scores of one event."""

    def error_of_pairs(hit: np.ndarray, score: np.ndarray) -> float:
        p = np.clip(score, FLOOR, 1 - FLOOR)
        # two classes whose log odds are those of the score
        logits = np.column_stack([np.zeros(len(p)), logit(p)])
        # both classes are as far off
        return function(logits, hit.astype(int)).error / 2

    return error_of_pairs


MEASURES: dict[str, Callable[..., float]] = {
    **PAIRS,
    "vector_error": error_of_event(
        partial(calib.vector_error, calibrator=calib.VectorScaling())
    ),
}


def world(
    temperature: float, n: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return scores, of one event, and hits whose log odds are those of the scores, divided."""
    score = rng.beta(5, 2, size=n)
    return score, (rng.random(n) < expit(logit(score) / temperature)).astype(int)


def rows() -> Iterator[Row]:
    for name, temperature in WORLDS.items():
        rng = generator("measures", name)
        score, hit = world(temperature, N_OF_TRUTH, rng)
        whole = {measure: f(hit, score) for measure, f in MEASURES.items()}
        for n in SIZES:
            draws = [world(temperature, n, rng) for _ in range(N_DRAWS)]
            for row in over_draws(draws):
                head = {"world": name, "n": n, "measure": row["measure"]}
                yield head | {"whole": whole[row["measure"]]} | row


def over_draws(draws: list[tuple[np.ndarray, np.ndarray]]) -> Iterator[Row]:
    """Yield the mean and the standard deviation of each measure over samples, scores and hits."""
    for measure, function in MEASURES.items():
        values = np.array([function(hit, score) for score, hit in draws])
        spread = {"mean": float(values.mean()), "sd": float(values.std(ddof=1))}
        yield {"measure": measure} | spread
