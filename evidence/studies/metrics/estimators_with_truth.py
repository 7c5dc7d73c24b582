"""Compute estimators_with_truth.csv: bias and coverage where true probabilities are known."""

from collections.abc import Callable
from typing import Any

import numpy as np

import calib
from evidence.data import generator
from evidence.pieces import compute_pieces
from evidence.rows import Row
from evidence.studies.parts.human_labels import (
    life_eval,
    networks_with_people,
    share_who_agree,
)

TRUTH_SOURCES = (
    "kerrigan-cifar10-resnet110",
    "kerrigan-cifar10-densenet-bc-190-40",
    "baan-snli-roberta-s0",
    "baan-mnli-roberta-s0",
    "lifeeval gpt-4o",
    "lifeeval deepseek-v3",
    "lifeeval deepseek-r1",
)
SIZE = 1000
N_REPEATS = 100
ESTIMATORS: dict[str, Callable[..., float]] = {
    "ece": calib.ece,
    "ece_mass": lambda y, p, **o: calib.calibration_error(
        y, p, bins=calib.equal_mass(15), **o
    ),
    "debiased_ece": lambda y, p, **o: calib.debiased_ece(y, p, norm="l1", **o),
    "ks": calib.ks_error,
    "smooth_ece": calib.smooth_ece,
    "kde_ece": calib.kde_ece,
}
# what an estimator estimates, where it is not its own value
AIMS = {"debiased_ece": "ece_mass"}


def scores_and_truth(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores and true hit probabilities of all samples of a source."""
    if name.startswith("lifeeval"):
        return next((s, t) for model, s, t in life_eval() if model == name)
    test, shares = next(
        (t, shares)
        for source, t, shares in networks_with_people(name)
        if source == name
    )
    return test.pairs[0], share_who_agree(test, shares)


def true_value(estimator: str, score: np.ndarray, truth: np.ndarray) -> float:
    """What the estimator aims at: an error where every sample is a hit and a miss in part."""
    metric = ESTIMATORS[AIMS.get(estimator, estimator)]
    # each sample is a hit and a miss, weighted by how often it is each
    scores, hit = np.tile(score, 2), np.repeat([1, 0], len(score))
    return metric(hit, scores, sample_weight=np.concatenate([truth, 1 - truth]))


def error_without_bins(score: np.ndarray, truth: np.ndarray) -> str | float:
    """The error without bins, where scores repeat so often that their truths can be averaged."""
    _, place, count = np.unique(score, return_inverse=True, return_counts=True)
    # the gaps of all samples of one score, whose truths are averaged
    gap = np.bincount(place, truth - score)
    return (
        float(np.abs(gap).sum() / len(score)) if np.median(count[place]) >= 30 else ""
    )


def bias_and_coverage(name: str) -> list[Row]:
    """Bias and coverage of each estimator on samples drawn from a source, labels from its truth."""
    score, truth = scores_and_truth(name)
    rows = []
    for estimator, metric in ESTIMATORS.items():
        target = true_value(estimator, score, truth)
        rng, values, n_held, widths = generator(name, estimator), [], 0, []
        for _ in range(N_REPEATS):
            # drawn with replacement: the source is the population
            sampled = rng.integers(len(score), size=SIZE)
            hit = rng.random(SIZE) < truth[sampled]
            options: dict[str, Any] = {
                "method": "basic",
                "n_resamples": 100,
                "rng": rng,
            }
            estimate = calib.bootstrap(metric, hit, score[sampled], **options)
            values.append(estimate.value)
            n_held += estimate.low <= target <= estimate.high
            widths.append(estimate.high - estimate.low)
        row = {
            "source": name,
            "n": SIZE,
            "estimator": estimator,
            "truth": float(target),
        }
        row |= {
            "exact": error_without_bins(score, truth),
            "mean": float(np.mean(values)),
        }
        row |= {"sd": float(np.std(values, ddof=1)), "coverage": n_held / N_REPEATS}
        rows.append(row | {"width": float(np.mean(widths)), "n_repeats": N_REPEATS})
    return rows


def rows() -> list[Row]:
    return compute_pieces("estimators_with_truth", bias_and_coverage, TRUTH_SOURCES)
