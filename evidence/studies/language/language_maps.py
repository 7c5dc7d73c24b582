"""Compute language_maps.csv: pairs before and after each map, fitted on held-out halves.

Each half is measured alone and the two are averaged: an ECE of both together, of which each has a
map of its own, would be too small. Of means over samples, such as the Brier score, it is the same.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import calib
from calib.views import Viewed
from evidence.language.all_answers import all_answers, choice_sources
from evidence.language.held_out_maps import (
    MAPS_OF_CONFIDENCE,
    mapped_halves,
    tempered_halves,
)
from evidence.language.originals import Answers, Choices
from evidence.language.pair_measures import (
    calibration_of,
    generator,
    measure_pairs,
)
from evidence.rows import Row

DIGITS = 5
MEASURES = "accuracy mean_confidence ece ece_low ece_high ece_chance ks brier nll auroc"
N_DRAWS = 199


def map_rows(found: Answers) -> Iterator[Row]:
    """Pairs before and after each map, the maps fitted on held-out halves."""
    for model in found.models:
        for kind in found.confidence:
            score, hit = found.pairs(model, kind)
            for name in ("none", *MAPS_OF_CONFIDENCE) if len(hit) >= 100 else ():
                rng = generator("maps", found.source, found.dataset, model, kind)
                halves = list(mapped_halves(name, hit, score, rng))
                head = [found.source, model, found.dataset, kind, name, ""]
                yield map_row(head, halves, rng)


def temperature_rows(choices: Choices) -> Iterator[Row]:
    """The same with one temperature, which needs the scores of all choices."""
    rng = generator("maps", choices.source, choices.dataset, choices.model, "choice")
    halves = list(tempered_halves(choices.y, choices.logits, rng))
    temperature = calib.TemperatureScaling().fit(choices.logits, choices.y).temperature_
    head = [choices.source.partition("-")[0], choices.model, choices.dataset, "choice"]
    yield map_row([*head, "temperature", temperature], halves, rng)


def map_row(head: list[Any], halves: list[Viewed], rng: np.random.Generator) -> Row:
    """Means over the halves of what each shows, and the p-value of each."""
    keys = ["source", "model", "dataset", "confidence", "map", "temperature"]
    row: Row = dict(zip(keys, head, strict=True))
    measured = [measure_pairs(hit, score, rng) for score, hit in halves]
    # one of the halves has a sample more where their number is odd
    sizes = [values["n"] for values in measured]
    row["n"] = sum(sizes)
    for name in MEASURES.split():
        row[name] = np.average([values[name] for values in measured], weights=sizes)
    tests = [calibration_of(pairs, N_DRAWS, rng) for pairs in halves]
    return row | {"p_first": tests[0].p_value, "p_second": tests[1].p_value}


def all_map_rows() -> Iterator[Row]:
    for answers in all_answers():
        yield from map_rows(answers)
    for source in choice_sources():
        yield from temperature_rows(source)


def rows() -> Iterable[Row]:
    return all_map_rows()
