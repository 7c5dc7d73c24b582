"""Compute language_transfer.csv: maps of one group of questions, fitted on the others."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

import calib
from calib.views import Viewed
from evidence.language import originals as sources
from evidence.language.all_answers import choice_sources, committed_answers
from evidence.language.held_out_maps import mapped_halves, tempered_halves
from evidence.language.originals import PLAUT, Answers, Choices
from evidence.language.pair_measures import calibration_of, generator
from evidence.rows import Row

DIGITS = 5
N_DRAWS = 199
# so that the smallest p-value can pass Holm's procedure with 57 subjects
N_DRAWS_SUBJECTS = 1999
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
    whole: Viewed,
    halves: Sequence[Viewed],
    *,
    temperature: float | str = "",
    n_draws: int = N_DRAWS,
) -> Row:
    """ECE of one group, and of its halves, beside the level by chance, with the tests' p-values.

    Halves that have two maps are no whole: what one map says too much the other says too little,
    and an ECE of both would be too small.
    """
    score, hit = whole
    row = dict(zip(TRANSFER, [*head, temperature], strict=True)) | {
        "n": len(hit),
        "accuracy": float(hit.mean()),
        "mean_confidence": float(score.mean()),
        "ece": "",
        "ece_chance": "",
        "brier": calib.top1_brier(hit, score),
        "p_value": "",
    }
    rng = generator("transfer", *head)
    if "other half" not in head:
        of_all = calibration_of(whole, n_draws, rng)
        row |= dict(zip(("ece", "ece_chance", "p_value"), of_all, strict=True))
    first, second = (calibration_of(pairs, n_draws, rng) for pairs in halves)
    return row | {
        "ece_half": (first.ece + second.ece) / 2,
        "chance_half": (first.chance + second.chance) / 2,
        "p_first": first.p_value,
        "p_second": second.p_value,
    }


def as_one(halves: Sequence[Viewed]) -> Viewed:
    """Scores and hits of both halves."""
    score, hit = (np.concatenate(arrays) for arrays in zip(*halves, strict=True))
    return score, hit


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
    borrowed = calib.IsotonicCalibration().fit(*others).predict(score)

    def halves(name: str, score: np.ndarray) -> list[Viewed]:
        # the same halves for each map
        return list(
            mapped_halves(name, hit, score, generator("transfer halves", *head))
        )

    for label, after in ((["none", ""], score), (["isotonic", where], borrowed)):
        yield transfer_row([*head, *label], (after, hit), halves("none", after))
    mapped = halves("isotonic", score)
    yield transfer_row([*head, "isotonic", "other half"], as_one(mapped), mapped)


def temperature_transfer(choices: Choices) -> Iterator[Row]:
    """One temperature for a subject, from the other subjects, and the subject's own."""
    source = choices.source.partition("-")[0]
    for name in np.unique(choices.group):
        head = [source, choices.model, choices.dataset, name, "choice"]
        yield from subject_rows(head, choices, choices.group == name)


def subject_rows(
    head: list[str], choices: Choices, in_subject: np.ndarray
) -> Iterator[Row]:
    """Rows of one subject: without a temperature, with the others', with its own, held out."""
    y, logits = choices.y[in_subject], choices.logits[in_subject]
    # the same halves for each temperature
    draw = partial(generator, "subject halves", *head, "temperature")
    scaling = calib.TemperatureScaling().fit(
        choices.logits[~in_subject], choices.y[~in_subject]
    )
    ways: list[tuple[list[str], np.ndarray, float | str]] = [
        (["none", ""], calib.softmax(logits), ""),
        (
            ["temperature", "other subjects"],
            scaling.predict_proba(logits),
            scaling.temperature_,
        ),
    ]
    for label, prob, temperature in ways:
        score, hit = calib.top_label(y, prob)
        halves = list(mapped_halves("none", hit, score, draw()))
        yield transfer_row(
            [*head, *label],
            (score, hit),
            halves,
            temperature=temperature,
            n_draws=N_DRAWS_SUBJECTS,
        )
    try:
        halves = list(tempered_halves(y, logits, draw()))
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits, y)
    except calib.ConvergenceError:
        # the model knows nothing of the subject: T is infinite
        return
    yield transfer_row(
        [*head, "temperature", "other half"],
        as_one(halves),
        halves,
        temperature=scaling.temperature_,
        n_draws=N_DRAWS_SUBJECTS,
    )


def all_transfer_rows() -> Iterator[Row]:
    sets = committed_answers()
    yield from transfer_between_groups(sets["tao-mmlu-pro"])
    yield from transfer_between_sets([sets[f"plaut-{name}"] for name in PLAUT])
    for source in choice_sources():
        if len(np.unique(source.group)) > 1:
            yield from temperature_transfer(source)


def rows() -> Iterable[Row]:
    return all_transfer_rows()
