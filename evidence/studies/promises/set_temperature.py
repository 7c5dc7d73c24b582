"""Compute set_temperature.csv: prediction sets of CIFAR-100 networks along the temperature."""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row, means
from evidence.studies.parts.set_measures import (
    CIFAR100,
    SCORES,
    logits_and_labels,
    measure_sets,
)

TEMPERATURES = (
    0.01,
    0.03,
    0.1,
    0.2,
    0.3,
    0.5,
    0.7,
    0.85,
    1.0,
    1.15,
    1.3,
    1.5,
    2.0,
    3.0,
    10.0,
)
N_SPLITS = 10


def temperatures(name: str) -> Iterator[Row]:
    """Sets of one network along the temperature, the mean of ten splits."""
    z, y = logits_and_labels(name)
    for temperature in TEMPERATURES:
        p = calib.softmax(z / temperature)
        for score in SCORES:
            fits = [on_split(name, split, p, y, score) for split in range(N_SPLITS)]
            over_splits = means(fits)
            row: Row = {"source": name, "temperature": temperature, "score": score}
            # without their standard deviations
            yield row | {column: over_splits[column] for column in fits[0]}


def on_split(name: str, split: int, p: np.ndarray, y: np.ndarray, score: str) -> Row:
    """Measure sets on one half that were fitted to the other, the same at each temperature."""
    order = generator(name, split).permutation(len(y))
    calibration, test = np.array_split(order, 2)
    rng = generator(name, split, "lots")
    fitted = SCORES[score].fit(p[calibration], y[calibration], rng=rng)
    return measure_sets(fitted, p[test], y[test], rng)


def rows() -> Iterator[Row]:
    for name in CIFAR100:
        yield from temperatures(name)
