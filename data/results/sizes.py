"""Compute data/results/sizes.csv: every map fitted on calibration sets of 50 to 25,000 samples.

`python -m data.results.sizes` from the root. Half of each network's samples are the test set; the
calibration sets are drawn without replacement from the other half, several for each size.
"""

import zlib

import numpy as np

import calib
from book.evidence import load_source
from calib import errors, scores

from .evaluate import WHOLE, halves, split_logits, take
from .tables import compute_pieces, write_table

NETWORKS = (
    "cleanlab-cifar10n-efficientnet-b1-true",
    "cleanlab-cifar10n-resnet50d-true",
    "cleanlab-cifar10n-swin-base-true",
    "kerrigan-cifar10-densenet-bc-190-40",
    "kerrigan-cifar10-resnet110",
    "netcal-cifar10-lenet5",
    "netcal-cifar10-wideresnet-16-4",
    "netcal-cifar100-wideresnet-16-4",
    "cleanlab-20news",
)
SIZES = (50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000)
REPETITIONS = 5
MOST_CLASSES = 50  # beyond, a matrix takes minutes a fit
SEED = 2021
MAPS = WHOLE | {"matrix": calib.MatrixScaling()}
del MAPS["dirichlet-odir"]  # of the logarithms of probabilities this is matrix-odir
METRICS = {
    "ece": errors.ece,
    "classwise_ece": errors.classwise_ece,
    "nll": scores.nll,
}


def row(name, n_classes, n, repetition, calibrator, y, prob):
    """The metrics of one fit; all empty where it has no minimum."""
    values = {metric: "" if prob is None else f(y, prob) for metric, f in METRICS.items()}
    head = {"source": name, "classes": n_classes, "n": n, "repetition": repetition}
    return {**head, "calibrator": calibrator, **values}


def fitted(calibrator, split, test_logits):
    """The test probabilities after a map fitted on a split, or None where there is no minimum."""
    try:
        return calibrator.fit(split_logits(split), split.y).predict_proba(test_logits)
    except (calib.ConvergenceError, ValueError):
        return None


def measure(name):
    """All rows of one network."""
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])
    pool, test = halves(load_source(name).test, rng)
    logits = split_logits(test)
    n_classes = logits.shape[1]
    before = np.exp(logits - np.logaddexp.reduce(logits, axis=1, keepdims=True))
    rows = [row(name, n_classes, 0, 0, "none", test.y, before)]
    for n in (size for size in SIZES if size <= len(pool)):
        for repetition in range(1 if n == len(pool) else REPETITIONS):
            drawn = take(pool, rng.permutation(len(pool))[:n])
            for calibrator, rule in MAPS.items():
                if calibrator.startswith("matrix") and n_classes > MOST_CLASSES:
                    continue
                prob = fitted(rule, drawn, logits)
                rows.append(row(name, n_classes, n, repetition, calibrator, test.y, prob))
    return rows


def main():
    write_table("sizes", compute_pieces("sizes", measure, NETWORKS, processes=1))


if __name__ == "__main__":
    main()
