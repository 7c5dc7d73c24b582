"""Compute metrics_of_answers.csv: the answers of each language model, of all subjects and each."""

from collections.abc import Iterator

import numpy as np

import calib
from evidence.language import originals as sources
from evidence.language.all_answers import all_answers
from evidence.language.originals import Answers
from evidence.language.pair_measures import (
    basic_interval,
    generator,
    measure_pairs,
)
from evidence.rows import Row

DIGITS = 5


def subject_interval(
    hit: np.ndarray, score: np.ndarray, group: np.ndarray, rng: np.random.Generator
) -> dict[str, float]:
    """95 % basic interval of the ECE and of confidence less accuracy, subjects drawn again."""
    names, place = np.unique(group, return_inverse=True)
    if len(names) < 5:
        return {}
    cell = place * 15 + calib.equal_width(15)(score, hit).assign(score)
    gap = np.bincount(cell, hit - score, 15 * len(names)).reshape(-1, 15)
    size = np.bincount(place)
    times = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), 2000)
    once, resampled, n = gap.sum(axis=0), times @ gap, times @ size
    of_ece = np.abs(once).sum() / len(hit), np.abs(resampled).sum(axis=1) / n
    over = -once.sum() / len(hit), -resampled.sum(axis=1) / n
    ece_ends = basic_interval("ece_subject_", *of_ece)
    return ece_ends | basic_interval("over_subject_", *over)


HEAD = ["source", "model", "dataset", "group", "confidence", "unanswered"]
ENDS = ("ece_subject_low", "ece_subject_high", "over_subject_low", "over_subject_high")


def measured_row(
    found: Answers,
    model: str,
    kind: str,
    group: str | None = None,
    missing: str = "left out",
) -> list[Row]:
    """One row of the table, or none where there are not ten answers with a confidence."""
    score, hit = found.pairs(model, kind, group=group, missing=missing)
    if len(hit) < 10:
        return []
    row = found.models.index(model)
    in_group = (
        np.ones(len(found.group), bool) if group is None else found.group == group
    )
    has_score = ~np.isnan(found.confidence[kind][row, in_group])
    answered = found.outcome[row, in_group] != sources.MISSING
    rng = generator(found.source, found.dataset, model, kind, group, missing)
    head = [found.source, model, found.dataset, group or "all", kind, missing]
    values: Row = dict(zip(HEAD, head, strict=True)) | measure_pairs(hit, score, rng)
    values |= {
        "asked": int(in_group.sum()),
        "share_unanswered": float(np.mean(~answered)),
    }
    values |= {"share_without_confidence": float(1 - has_score[answered].mean())}
    values |= dict.fromkeys(ENDS, "")
    if group is None and missing == "left out":
        values |= subject_interval(hit, score, found.group[has_score & answered], rng)
    return [values]


def rows_of_answers(found: Answers) -> Iterator[Row]:
    for model in found.models:
        for kind, scores in found.confidence.items():
            if np.isnan(scores[found.models.index(model)]).all():
                continue
            yield from measured_row(found, model, kind)
            yield from measured_row(found, model, kind, missing="wrong")
            groups = np.unique(found.group)
            for group in groups if len(groups) > 1 else []:
                yield from measured_row(found, model, kind, group)
        print(f"{found.source} {found.dataset} {model}", flush=True)


def rows() -> Iterator[Row]:
    for answers in all_answers():
        yield from rows_of_answers(answers)
