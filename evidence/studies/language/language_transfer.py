"""Compute language_transfer.csv: maps of one group of questions, fitted on the others."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import calib
from calib.views import Viewed
from evidence.language import originals as sources
from evidence.language.all_answers import choice_sources, committed_answers
from evidence.language.held_out_maps import (
    mapped_held_out,
    mean_over,
    temperature_held_out,
)
from evidence.language.originals import PLAUT, Answers, Choices
from evidence.language.pair_measures import as_text, generator
from evidence.pieces import Row

N_DRAWS = 199
N_DRAWS_SUBJECTS = (
    1999  # so that the smallest p-value can pass Holm's procedure with 57 subjects
)
TRANSFER = [
    "source",
    "model",
    "dataset",
    "group",
    "confidence",
    "map",
    "fitted_on",
    "temperature",
]


def transfer_row(
    head: list[str],
    hit: np.ndarray,
    score: np.ndarray,
    *,
    temperature: float | str = "",
    n_draws: int = N_DRAWS,
    halves: list[np.ndarray] | None = None,
) -> Row:
    """ECE of one group beside its level by chance, with the test's p-value.

    With `halves` both are means over these.
    """
    parts = halves or [np.full(len(hit), True)]

    def ece(hit: np.ndarray, score: np.ndarray) -> float:
        return mean_over(parts, calib.ece, hit, score)

    rng = generator("transfer", *head)
    test = calib.consistency_test(ece, hit, score, n_resamples=n_draws, rng=rng)
    return dict(zip(TRANSFER, [*head, temperature], strict=True)) | {
        "n": len(hit),
        "accuracy": float(hit.mean()),
        "mean_confidence": float(score.mean()),
        "ece": test.statistic,
        "ece_chance": mean_over(parts, calib.error_if_calibrated, score),
        "brier": calib.top1_brier(hit, score),
        "p_value": test.p_value,
    }


def transfer_between_groups(found: Answers) -> Iterator[Row]:
    """Isotonic regression of one group's pairs, fitted on the other groups."""
    for row, model in enumerate(found.models):
        for kind, scores in found.confidence.items():
            score, hit = found.pairs(model, kind)
            group = found.group[
                ~np.isnan(scores[row]) & (found.outcome[row] != sources.MISSING)
            ]
            for name in np.unique(group) if len(hit) >= 1000 else []:
                inside_group, head = (
                    group == name,
                    [found.source, model, found.dataset, name, kind],
                )
                elsewhere = score[~inside_group], hit[~inside_group]
                yield from transfers(
                    head,
                    (score[inside_group], hit[inside_group]),
                    elsewhere,
                    "other subjects",
                )


def transfer_between_sets(sets: list[Answers]) -> Iterator[Row]:
    """Isotonic regression of one data set's pairs, fitted on the other sets."""
    for model in sets[0].models:
        pairs = {answers.dataset: answers.pairs(model, "choice") for answers in sets}
        for name, target in pairs.items():
            others = [pair for dataset, pair in pairs.items() if dataset != name]
            score, hit = (
                np.concatenate(arrays) for arrays in zip(*others, strict=True)
            )
            head = [sets[0].source, model, name, "all", "choice"]
            yield from transfers(head, target, (score, hit), "other sets")


def transfers(
    head: list[str], own: Viewed, others: Viewed, where: str
) -> Iterator[Row]:
    """Rows without a map, with the others' map and with the group's own, held out."""
    score, hit = own
    if len(hit) < 30 or hit.all() or not hit.any():
        return
    yield transfer_row([*head, "none", ""], hit, score)
    isotonic = calib.IsotonicCalibration().fit(*others)
    yield transfer_row([*head, "isotonic", where], hit, isotonic.predict(score))
    after, halves = mapped_held_out(
        "isotonic", hit, score, generator("transfer halves", *head)
    )
    yield transfer_row([*head, "isotonic", "other half"], hit, after, halves=halves)


def temperature_transfer(choices: Choices) -> Iterator[Row]:
    """One temperature for a subject, from the other subjects, and the subject's own."""
    for name in np.unique(choices.group):
        in_subject = choices.group == name
        head = [
            choices.source.partition("-")[0],
            choices.model,
            choices.dataset,
            name,
            "choice",
        ]
        y, logits = choices.y[in_subject], choices.logits[in_subject]

        def row(
            label: list[str],
            prob: np.ndarray,
            y: np.ndarray = y,
            **options: Any,
        ) -> Row:
            score, hit = calib.top_label(y, prob)
            return transfer_row(label, hit, score, n_draws=N_DRAWS_SUBJECTS, **options)

        yield row([*head, "none", ""], calib.softmax(logits))
        scaling = calib.TemperatureScaling().fit(
            choices.logits[~in_subject], choices.y[~in_subject]
        )
        after, head = scaling.predict_proba(logits), [*head, "temperature"]
        yield row([*head, "other subjects"], after, temperature=scaling.temperature_)
        try:
            after, halves = temperature_held_out(
                y, logits, generator("subject halves", *head)
            )
            scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits, y)
        except calib.ConvergenceError:
            # the model knows nothing of the subject: T is infinite
            continue
        fitted = scaling.temperature_
        yield row([*head, "other half"], after, temperature=fitted, halves=halves)


def all_transfer_rows() -> Iterator[Row]:
    sets = committed_answers()
    yield from transfer_between_groups(sets["tao-mmlu-pro"])
    yield from transfer_between_sets([sets[f"plaut-{name}"] for name in PLAUT])
    for source in choice_sources():
        if len(np.unique(source.group)) > 1:
            yield from temperature_transfer(source)


def rows() -> Iterable[Row]:
    return as_text(all_transfer_rows())
