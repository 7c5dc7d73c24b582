"""Compute set_temperature.csv: prediction sets of CIFAR-100 networks along the temperature."""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.pieces import Row, generator, means
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


def temperatures(name: str) -> Iterator[Row]:
    """Sets of one network along the temperature, the mean of ten splits."""
    z, y = logits_and_labels(name)
    for temperature in TEMPERATURES:
        p = calib.softmax(z / temperature)
        for score, sets in SCORES.items():
            fits = []
            for split in range(10):
                order = generator(name, split).permutation(len(y))
                calibration, test = np.array_split(order, 2)
                # the same halves and lots at each temperature
                rng = generator(name, split, "lots")
                fitted = sets.fit(p[calibration], y[calibration], rng=rng)
                fits.append(measure_sets(fitted, p[test], y[test], rng))
            mean = {
                column: value
                for column, value in means(fits).items()
                if column in fits[0]
            }
            yield {"source": name, "temperature": temperature, "score": score} | mean


def rows() -> Iterator[Row]:
    for name in CIFAR100:
        yield from temperatures(name)
