"""Compute set_coverage_law.csv: coverage over many calibration sets, beside its Beta law."""

from collections.abc import Iterable, Iterator

import numpy as np

import calib
from evidence.data import generator
from evidence.rows import Row
from evidence.studies.parts.set_measures import logits_and_labels

SIZES = (50, 200, 1000)


def coverage_beside_law(name: str) -> Iterator[Row]:
    """Coverage over many calibration sets of one size, beside its Beta law."""
    z, y = logits_and_labels(name)
    p = calib.softmax(z)
    # the score of a label that `lac` compares with its threshold
    odd = 1 - p[np.arange(len(y)), y]
    for n in SIZES:
        rng, covered = generator(name, n), []
        for _ in range(1000):
            order = rng.permutation(len(y))
            fitted = calib.ConformalSets().fit(p[order[:n]], y[order[:n]])
            covered.append((odd[order[n:]] <= fitted.threshold_).mean())
        # coverage is Beta(rank, n + 1 - rank): the law of an order statistic
        rank = np.ceil((n + 1) * 0.9)
        sd = np.sqrt(rank * (n + 1 - rank) / (n + 1) ** 2 / (n + 2))
        row = {"mean": np.mean(covered), "sd": np.std(covered, ddof=1)}
        row |= {"law_mean": rank / (n + 1), "law_sd": sd}
        yield {"source": name, "n": n} | {
            key: float(value) for key, value in row.items()
        }


def rows() -> Iterable[Row]:
    return coverage_beside_law("ferrer-cifar10-resnet20")
