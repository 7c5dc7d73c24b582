"""Compute language_transfer.csv: maps of one group of questions, fitted on the others."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

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


class Target(NamedTuple):
    """A group of questions on whose answers maps of other groups are tried."""

    source: str
    model: str
    dataset: str
    group: str
    confidence: str


class Mapped(NamedTuple):
    """What a map makes of the pairs of a target: of all, and of each of two halves."""

    map: str
    fitted_on: str
    pairs: Viewed
    halves: Sequence[Viewed]
    is_one_map: bool = True  # or else each half has the map that the other half fits
    temperature: float | str = ""


def mapped_by_other_half(
    name: str, halves: Sequence[Viewed], temperature: float | str = ""
) -> Mapped:
    """What a target's own map makes of its pairs, fitted to the half that a pair is not in."""
    return Mapped(name, "other half", as_one(halves), halves, False, temperature)


def transfer_row(target: Target, mapped: Mapped, n_draws: int = N_DRAWS) -> Row:
    """ECE of one group, and of its halves, beside the level by chance, with the tests' p-values.

    Halves that have two maps are no whole: what one map says too much the other says too little,
    and an ECE of both would be too small.
    """
    score, hit = mapped.pairs
    row: Row = target._asdict() | {
        "map": mapped.map,
        "fitted_on": mapped.fitted_on,
        "temperature": mapped.temperature,
        "n": len(hit),
        "accuracy": float(hit.mean()),
        "mean_confidence": float(score.mean()),
        "ece": "",
        "ece_chance": "",
        "brier": calib.top1_brier(hit, score),
        "p_value": "",
    }
    rng = generator("transfer", *target, mapped.map, mapped.fitted_on)
    if mapped.is_one_map:
        of_all = calibration_of(mapped.pairs, n_draws, rng)
        row |= dict(zip(("ece", "ece_chance", "p_value"), of_all, strict=True))
    first, second = (calibration_of(pairs, n_draws, rng) for pairs in mapped.halves)
    return row | {
        "ece_half": (first.ece + second.ece) / 2,
        "chance_half": (first.chance + second.chance) / 2,
        "p_first": first.p_value,
        "p_second": second.p_value,
    }


def as_one(parts: Sequence[Viewed]) -> Viewed:
    """Scores and hits of all parts."""
    score, hit = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
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
                target = Target(found.source, model, found.dataset, name, kind)
                inside = group == name
                own, others = (
                    (score[inside], hit[inside]),
                    (score[~inside], hit[~inside]),
                )
                yield from transfers(target, own, others, "other subjects")


def transfer_between_sets(sets: list[Answers]) -> Iterator[Row]:
    """Isotonic regression of one data set's pairs, fitted on the other sets."""
    for model in sets[0].models:
        pairs = {answers.dataset: answers.pairs(model, "choice") for answers in sets}
        for name, own in pairs.items():
            others = [pair for dataset, pair in pairs.items() if dataset != name]
            target = Target(sets[0].source, model, name, "all", "choice")
            yield from transfers(target, own, as_one(others), "other sets")


def transfers(target: Target, own: Viewed, others: Viewed, where: str) -> Iterator[Row]:
    """Rows without a map, with the others' map and with the group's own, held out."""
    score, hit = own
    if len(hit) < 30 or hit.all() or not hit.any():
        return

    def halves(name: str, score: np.ndarray) -> list[Viewed]:
        # the same halves for each map
        rng = generator("transfer halves", *target)
        return list(mapped_halves(name, hit, score, rng))

    borrowed = calib.IsotonicCalibration().fit(*others).predict(score)
    for mapped in (
        Mapped("none", "", own, halves("none", score)),
        Mapped("isotonic", where, (borrowed, hit), halves("none", borrowed)),
        mapped_by_other_half("isotonic", halves("isotonic", score)),
    ):
        yield transfer_row(target, mapped)


def temperature_transfer(choices: Choices) -> Iterator[Row]:
    """One temperature for a subject, from the other subjects, and the subject's own."""
    source = choices.source.partition("-")[0]
    for name in np.unique(choices.group):
        target = Target(source, choices.model, choices.dataset, name, "choice")
        for mapped in with_temperatures(target, choices, choices.group == name):
            yield transfer_row(target, mapped, N_DRAWS_SUBJECTS)


def with_temperatures(
    target: Target, choices: Choices, in_subject: np.ndarray
) -> Iterator[Mapped]:
    """Yield one subject without a temperature, with the others', and with its own, held out."""
    y, logits = choices.y[in_subject], choices.logits[in_subject]
    scaling = calib.TemperatureScaling().fit(
        choices.logits[~in_subject], choices.y[~in_subject]
    )
    # the same halves for each temperature
    draw = partial(generator, "subject halves", *target, "temperature")

    def mapped(name: str, where: str, prob: np.ndarray, t: float | str) -> Mapped:
        score, hit = calib.top_label(y, prob)
        halves = list(mapped_halves("none", hit, score, draw()))
        return Mapped(name, where, (score, hit), halves, temperature=t)

    scaled = scaling.predict_proba(logits)
    yield mapped("none", "", calib.softmax(logits), "")
    yield mapped("temperature", "other subjects", scaled, scaling.temperature_)
    try:
        halves = list(tempered_halves(y, logits, draw()))
        scaling = calib.TemperatureScaling(no_optimum="raise").fit(logits, y)
    except calib.ConvergenceError:
        # the model knows nothing of the subject: T is infinite
        return
    yield mapped_by_other_half("temperature", halves, scaling.temperature_)


def rows() -> Iterator[Row]:
    """Yield the rows of groups, then of data sets, then of subjects and their temperatures."""
    sets = committed_answers()
    yield from transfer_between_groups(sets["tao-mmlu-pro"])
    yield from transfer_between_sets([sets[f"plaut-{name}"] for name in PLAUT])
    for source in choice_sources():
        if len(np.unique(source.group)) > 1:
            yield from temperature_transfer(source)
