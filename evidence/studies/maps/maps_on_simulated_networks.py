"""Compute maps_on_simulated_networks.csv: calibrators by number of samples and of classes.

Simulated networks whose true probabilities are known, so that the excess NLL needs no test labels.
Each of three worlds has logits that are wrong in another way. A row is a world, number of classes,
calibration set size, repetition and method.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np

import calib
from evidence import Outputs
from evidence.fit_and_measure import measure_maps
from evidence.rows import Row, format_number
from evidence.simulate import drawn_labels
from evidence.studies.parts.tried_maps import methods

WORLDS = ("one temperature", "class by class", "label noise")
CLASSES = (2, 5, 10, 30, 100)
SIZES = (100, 300, 1000, 3000, 10_000)
FLOOR = 1e-6  # smallest probability that the excess NLL sees
NOISE = 0.2
N_TEST = 4000


class DrawnNetwork:
    """Logits of normal classes, distorted, with the true probabilities."""

    def __init__(self, world: str, n_classes: int, rng: np.random.Generator) -> None:
        self.world, self.n_classes = world, n_classes
        # so far apart that the accuracy hardly depends on the number of classes
        self.distance = np.sqrt(2 * np.log(n_classes))
        self.scale, self.shift = np.full(n_classes, 2.0), np.zeros(n_classes)
        if world == "class by class":
            self.scale = 2 * np.exp(0.25 * rng.normal(size=n_classes))
            self.shift = rng.normal(size=n_classes)

    def sample(
        self, n: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x = rng.normal(size=(n, self.n_classes))
        x[np.arange(n), rng.integers(self.n_classes, size=n)] += self.distance
        truth = calib.softmax(self.distance * x)
        if self.world == "label noise":
            # a label turns into one of the others, each as likely
            truth = (1 - NOISE) * truth + NOISE * (1 - truth) / (self.n_classes - 1)
        y = drawn_labels(truth, rng)
        return y, self.scale * self.distance * x + self.shift, truth


def excess_nll(truth: np.ndarray, q: np.ndarray) -> float:
    """Mean Kullback-Leibler divergence from the truth, in nats."""
    return float(np.mean(np.sum(truth * np.log(truth / q.clip(FLOOR)), axis=1)))


def expected_accuracy(truth: np.ndarray, q: np.ndarray) -> float:
    """Expected accuracy of the most probable class."""
    return float(np.mean(truth[np.arange(len(q)), q.argmax(axis=1)]))


def compare_methods(
    world: str, n_classes: int, repetition: int
) -> Iterator[tuple[int, str, float, float]]:
    """The table of one network for all sizes and methods: excess NLL, change of accuracy."""
    rng = np.random.default_rng([WORLDS.index(world), n_classes, repetition])
    network = DrawnNetwork(world, n_classes, rng)
    y, z, _ = network.sample(max(SIZES), rng)
    shown, z_test, truth = network.sample(N_TEST, rng)
    test = Outputs(shown, logits=z_test)
    before = expected_accuracy(truth, test.prob)
    sets = {n: (Outputs(y[:n], logits=z[:n]), test) for n in SIZES}
    maps = {"none": None, **methods(n_classes)}
    metrics = {
        "excess_nll": lambda y_true, y_prob: excess_nll(truth, y_prob),
        "accuracy_change": lambda y_true, y_prob: (
            expected_accuracy(truth, y_prob) - before
        ),
    }
    table = measure_maps(sets, maps, metrics, n_jobs=1, progress=False)
    index = ["prediction", "calibrator"]
    wide = table.pivot_table("value", index, "metric", sort=False, dropna=False)
    yield from ((*key, *values) for key, *values in wide[[*metrics]].itertuples())


def rows(repetitions: int = 8) -> Iterator[Row]:
    """Rows of all worlds; half as many repetitions for a hundred classes."""
    for n_classes, world in product(CLASSES, WORLDS):
        for repetition in range(repetitions if n_classes < 100 else repetitions // 2):
            for n, name, nll, change in compare_methods(world, n_classes, repetition):
                key = {
                    "world": world,
                    "classes": n_classes,
                    "n": n,
                    "repetition": repetition,
                }
                values = {
                    "excess_nll": format_number(nll, ".6f"),
                    "accuracy_change": format_number(change, ".5f"),
                }
                yield key | {"method": name} | values
            print(f"{world}, K = {n_classes}, repetition {repetition + 1}", flush=True)
