"""Sources, scores and measures of prediction sets: what the tables of sets share."""

from typing import Any

import numpy as np

import calib
from evidence import load_source

SOURCES = (
    "netcal-cifar100-wideresnet-16-4",
    "ferrer-cifar100-resnet20",
    "ferrer-cifar100-repvgg-a2",
    "kull-cifar10-resnet110",
    "ferrer-cifar10-resnet20",
    "ferrer-cifar10-repvgg-a2",
    "ferrer-cifar10-vgg19-bn",
    "netcal-cifar10-lenet5",
    "cleanlab-20news",
    "ferrer-emotion-wav2vec",
    "baan-mnli-roberta-s0",
)
CIFAR100 = SOURCES[:3]
SCORES: dict[str, Any] = {
    "lac": calib.ConformalSets("lac"),
    "aps": calib.ConformalSets("aps", randomize=True),
    "raps": calib.ConformalSets("raps", randomize=True),
}


def logits_and_labels(name: str) -> tuple[np.ndarray, np.ndarray]:
    test = load_source(name).test
    return np.asarray(test.as_logits(), float), test.y


def class_gap(y: np.ndarray, covered: np.ndarray) -> float:
    """Mean distance of the coverage of a class from what is promised."""
    n = np.bincount(y)
    # a class without samples has no coverage and is left out below
    share = np.bincount(y, covered) / np.maximum(n, 1)
    return float(np.abs(share - 0.9)[n > 0].mean())


def measure_sets(
    fitted: Any, p: np.ndarray, y: np.ndarray, rng: np.random.Generator
) -> dict[str, float]:
    """Coverage, size and class coverage of sets."""
    sets = fitted.predict(p, rng=rng)
    size = sets.sum(axis=1)
    covered = sets[np.arange(len(y)), y]
    return {
        "coverage": float(covered.mean()),
        "size": float(size.mean()),
        "class_gap": class_gap(y, covered),
        "empty": float((size == 0).mean()),
        "single": float((size == 1).mean()),
    }
