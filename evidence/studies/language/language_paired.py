"""Compute language_paired.csv: differences between models that answered the same questions."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np
import pandas as pd

import calib
from calib.views import Viewed
from evidence.language import answers as language
from evidence.language import originals as sources
from evidence.language.all_answers import committed_answers
from evidence.language.originals import Answers
from evidence.language.pair_measures import (
    N_RESAMPLES,
    basic_interval,
    generator,
)
from evidence.rows import Row

DIGITS = 5
KEYS = (
    "source",
    "comparison",
    "first",
    "second",
    "first_confidence",
    "second_confidence",
)
PAIRED = ("accuracy", "mean_confidence", "overconfidence", "ece", "brier", "auroc")


def weighted_measures(
    hit: np.ndarray, score: np.ndarray, times: np.ndarray
) -> dict[str, np.ndarray]:
    """Measures of the pairs where pair i is counted times[r, i] times, one value a row r."""
    total = times.sum(axis=1)
    by_bin = np.argsort(calib.equal_width(15)(score, hit).assign(score), kind="stable")
    by_score = np.argsort(score, kind="stable")

    def sums(values: np.ndarray, order: np.ndarray, keys: np.ndarray) -> np.ndarray:
        # over runs of equal keys, for all resamples at once
        first = np.append(0, np.flatnonzero(np.diff(keys[order])) + 1)
        return np.add.reduceat((times * values)[:, order], first, axis=1)

    gap = sums(score - hit, by_bin, calib.equal_width(15)(score, hit).assign(score))
    of_hits, of_misses = (sums(values, by_score, score) for values in (hit, ~hit))
    # a tie of a hit and a miss counts half, as in the area under the curve
    below = np.cumsum(of_misses, axis=1) - of_misses / 2
    accuracy, confidence = times @ hit / total, times @ score / total
    return {
        "accuracy": accuracy,
        "mean_confidence": confidence,
        "overconfidence": confidence - accuracy,
        "ece": np.abs(gap).sum(axis=1) / total,
        "brier": times @ (hit - score) ** 2 / total,
        "auroc": (of_hits * below).sum(axis=1)
        / (of_hits.sum(axis=1) * of_misses.sum(axis=1)),
    }


def comparisons(models: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Pairs of models that differ in one thing."""
    names = set(models.model)
    for model in models.model:
        if model.startswith("Qwen3"):
            # what is left of a name without its variants is the model that they come from
            root = re.sub("(-think)?(-AWQ)?(-FP8)?(-Base)?$", "", model)
            if model != root and root in names:
                kind = {"Base": "tuned", "think": "reasoning"}.get(
                    model.rsplit("-", 1)[1]
                )
                first, second = (model, root) if kind == "tuned" else (root, model)
                yield kind or "quantised", first, second
    yield "reasoning", "Phi-4-mini-instruct", "Phi-4-mini-reasoning"
    yield "reasoning", "deepseek-chat", "deepseek-reasoner"


def paired_rows(found: Answers) -> Iterator[Row]:
    """Differences between models that answered the same questions, and between confidences."""
    for comparison, first, second in comparisons(language.language_models()):
        for kind in found.confidence:
            answered, (one, two) = found.paired(first, second, kind)
            if answered.sum() >= 1000:
                head = [found.source, comparison, first, second, kind, kind]
                yield from differences(head, one, two, found.group[answered])
        print(comparison, first, second, flush=True)
    yield from kind_rows(found)


def kind_rows(found: Answers) -> Iterator[Row]:
    """Differences between the confidences of each model."""
    for row, model in enumerate(found.models):
        for kinds in combinations(found.confidence, 2):
            scores = [found.confidence[kind][row] for kind in kinds]
            answered = ~np.isnan(scores).any(axis=0) & (
                found.outcome[row] != sources.MISSING
            )
            if answered.sum() >= 1000:
                hit = found.outcome[row, answered] == sources.RIGHT
                first, second = ((score[answered], hit) for score in scores)
                head = [found.source, "kind", model, model, *kinds]
                yield from differences(head, first, second, found.group[answered])


def differences(
    head: list[str], one: Viewed, two: Viewed, group: np.ndarray
) -> Iterator[Row]:
    """Second less first in each metric; questions, and subjects, drawn again in pairs."""
    times = times_drawn(group, generator("paired", *head))
    once = np.ones((1, len(group)))
    values = [weighted_measures(hit, score, once) for score, hit in (one, two)]
    changes = {
        name: changes_of_measures(one, two, count) for name, count in times.items()
    }
    for metric in PAIRED:
        first, second = (float(of_model[metric][0]) for of_model in values)
        row: Row = dict(zip(KEYS, head, strict=True))
        row |= {"metric": metric, "n": len(group)}
        row |= {"first_value": first, "second_value": second}
        row["difference"] = second - first
        for name, change in changes.items():
            row |= basic_interval(name, second - first, change[metric])
        yield row


def times_drawn(group: np.ndarray, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return how often resamples draw each question, by itself or with its subject.

    All metrics of a resample are sums weighted so.
    """
    subject = np.unique(group, return_inverse=True)[1]

    def counts(size: int) -> np.ndarray:
        drawn = rng.integers(size, size=(N_RESAMPLES, size))
        return np.array([np.bincount(places, minlength=size) for places in drawn])

    of_questions, of_subjects = counts(len(group)), counts(subject.max() + 1)
    # a question is there as often as its subject
    return {"": of_questions, "subject_": of_subjects[:, subject]}


def changes_of_measures(
    one: Viewed, two: Viewed, times: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the second's measures less the first's in each resample."""
    before, after = (weighted_measures(hit, score, times) for score, hit in (one, two))
    return {metric: after[metric] - before[metric] for metric in PAIRED}


def rows() -> Iterable[Row]:
    return paired_rows(committed_answers()["tao-mmlu-pro"])
