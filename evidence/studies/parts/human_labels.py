"""What people say of samples, and scores judged against it.

A truth may be a label, the set of labels that people accept (ReaL), the shares of many people's
labels (CIFAR-10H, ChaosNLI), or a true probability (LifeEval).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_source, source_names
from evidence.data import generator
from evidence.language.originals import load_stated_lives
from evidence.network_outputs import Outputs
from evidence.rows import Row

N_RESAMPLES = 1000


def metrics_against_shares(score: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Metrics of scores against shares: a sample is a hit and a miss, weighted by its shares."""
    scores, hit = np.concatenate([score, score]), np.repeat([1, 0], len(score))
    weight = np.concatenate([truth, 1 - truth])
    return {
        "confidence": float(score.mean()),
        "share": float(truth.mean()),
        "ece": calib.ece(hit, scores, sample_weight=weight),
        "ks": calib.ks_error(hit, scores, sample_weight=weight),
        "top1_brier": calib.top1_brier(hit, scores, sample_weight=weight),
    }


def judged_row(labels: dict[str, str], score: np.ndarray, truth: np.ndarray) -> Row:
    """One row: a score against a truth, a share or a hit."""
    gap, rng = score - truth, generator(*labels.values())
    options: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": rng}
    estimate = calib.bootstrap_statistic(
        lambda rows: gap[rows].mean(), len(gap), **options
    )
    interval = {"gap": estimate.value, "low": estimate.low, "high": estimate.high}
    return labels | {"n": len(score)} | metrics_against_shares(score, truth) | interval


def networks_with_people(start: str = "") -> Iterator[tuple[str, Outputs, np.ndarray]]:
    """Yield name, predictions and shares of people for each source that people have labelled.

    `start` is how the names of the sources begin.
    """
    counts = load_source("kerrigan-cifar10-resnet110").about["human_counts"]
    for name in [*source_names(), *source_names("sources-promises")]:
        # the same network is there with whole vectors
        if name.startswith(start) and name != "kull-cifar10-resnet110-top1":
            net = load_source(name)
            if net.test.order == "cifar10-test" or "human_counts" in net.about:
                counts_by_people = net.about.get("human_counts", counts)
                yield (
                    name,
                    net.test,
                    counts_by_people / counts_by_people.sum(axis=1, keepdims=True),
                )


def share_who_agree(test: Outputs, shares: np.ndarray) -> np.ndarray:
    """The share of people who name the predicted class."""
    return shares[np.arange(len(test)), test.ranked[1][:, 0]]


def life_eval() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield model, stated confidence and true probability."""
    life = load_stated_lives()
    score, truth = life.stated_confidence, life.prob
    for model in np.unique(life.model):
        # some answers state no number from 0 to 1
        rows = (life.model == model) & (score >= 0) & (score <= 1)
        yield f"lifeeval {model}", score[rows], truth[rows]
