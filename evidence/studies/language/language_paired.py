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
PAIRED = ("accuracy", "mean_confidence", "overconfidence", "ece", "brier", "auroc")


def weighted_measures(
    hit: np.ndarray, score: np.ndarray, times: np.ndarray
) -> dict[str, np.ndarray]:
    """Measures of the pairs where pair i is counted times[r, i] times, one value a row r."""
    total = times.sum(axis=1)
    by_bin = np.argsort(calib.equal_width(15)(score, hit).assign(score), kind="stable")
    by_score = np.argsort(score, kind="stable")

    # sums over runs of equal keys, for all resamples at once
    def sums(values: np.ndarray, order: np.ndarray, keys: np.ndarray) -> np.ndarray:
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
            rows, (score_a, score_b) = found.paired(first, second, kind)
            if rows.sum() >= 1000:
                head = [found.source, comparison, first, second, kind, kind]
                yield from differences(head, score_a, score_b, found.group[rows])
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
    keys = [
        "source",
        "comparison",
        "first",
        "second",
        "first_confidence",
        "second_confidence",
    ]
    rng, n = generator("paired", *head), len(group)
    place = np.unique(group, return_inverse=True)[1]

    def counted(size: int) -> np.ndarray:
        rows = rng.integers(size, size=(N_RESAMPLES, size))
        # how often each is drawn: all metrics of a resample are weighted sums
        return np.array([np.bincount(row, minlength=size) for row in rows])

    times = {
        "once": np.ones((1, n)),
        "": counted(n),
        "subject_": counted(place.max() + 1),
    }
    # a question is there as often as its subject
    times["subject_"] = times["subject_"][:, place]

    def estimates_of(pairs: Viewed) -> dict[str, dict[str, np.ndarray]]:
        score, hit = pairs
        return {
            key: weighted_measures(hit, score, count) for key, count in times.items()
        }

    before, after = estimates_of(one), estimates_of(two)
    for metric in PAIRED:
        first, second = (float(values["once"][metric][0]) for values in (before, after))
        row: Row = dict(zip(keys, head, strict=True)) | {"metric": metric, "n": n}
        row |= {
            "first_value": first,
            "second_value": second,
            "difference": second - first,
        }
        for name in ("", "subject_"):
            change = after[name][metric] - before[name][metric]
            row |= basic_interval(name, second - first, change)
        yield row


def rows() -> Iterable[Row]:
    return paired_rows(committed_answers()["tao-mmlu-pro"])
