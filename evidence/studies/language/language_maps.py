"""Compute language_maps.csv: pairs before and after each map, fitted on held-out halves."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import calib
from evidence.language.all_answers import all_answers, choice_sources
from evidence.language.held_out_maps import (
    MAPS,
    mapped_held_out,
    mean_over,
    temperature_held_out,
)
from evidence.language.originals import Answers, Choices
from evidence.language.pair_measures import (
    N_RESAMPLES,
    as_text,
    basic_interval,
    generator,
    measure_pairs,
)
from evidence.pieces import Row

KEPT = "n accuracy mean_confidence ece ece_low ece_high ece_chance ks brier nll auroc".split()


def map_rows(found: Answers) -> Iterator[Row]:
    """Pairs before and after each map, the maps fitted on held-out halves."""
    for model in found.models:
        for kind in found.confidence:
            score, hit = found.pairs(model, kind)
            for name in ("none", *MAPS) if len(hit) >= 100 else ():
                rng = generator("maps", found.source, found.dataset, model, kind)
                if name == "none":
                    values = measure_pairs(hit, score, rng)
                else:
                    after, halves = mapped_held_out(name, hit, score, rng)
                    values = measure_halves(hit, after, halves, rng)
                yield map_row(
                    [found.source, model, found.dataset, kind, name, ""], values
                )


def temperature_rows(choices: Choices) -> Iterator[Row]:
    """The same with one temperature, which needs the scores of all choices."""
    rng = generator("maps", choices.source, choices.dataset, choices.model, "choice")
    after, halves = temperature_held_out(choices.y, choices.logits, rng)
    score, hit = calib.top_label(choices.y, after)
    temperature = calib.TemperatureScaling().fit(choices.logits, choices.y).temperature_
    head = [choices.source.partition("-")[0], choices.model, choices.dataset, "choice"]
    values = measure_halves(hit, score, halves, rng)
    yield map_row([*head, "temperature", temperature], values)


def measure_halves(
    hit: np.ndarray,
    score: np.ndarray,
    halves: list[np.ndarray],
    rng: np.random.Generator,
) -> dict[str, float]:
    """Measure all pairs, and the errors of calibration as means over the halves."""
    values = measure_pairs(hit, score, rng)
    ece = mean_over(halves, calib.ece, hit, score)
    rows = [np.flatnonzero(half) for half in halves]
    resampled = [
        mean_over([rng.choice(part, len(part)) for part in rows], calib.ece, hit, score)
        for _ in range(N_RESAMPLES)
    ]
    return values | {
        "ece": ece,
        **basic_interval("ece_", ece, resampled),
        "ece_chance": mean_over(halves, calib.error_if_calibrated, score),
        "ks": mean_over(halves, calib.ks_error, hit, score),
    }


def map_row(head: list[Any], values: dict[str, float]) -> Row:
    keys = ["source", "model", "dataset", "confidence", "map", "temperature"]
    return dict(zip(keys, head, strict=True)) | {key: values[key] for key in KEPT}


def all_map_rows() -> Iterator[Row]:
    for answers in all_answers():
        yield from map_rows(answers)
    for source in choice_sources():
        yield from temperature_rows(source)


def rows() -> Iterable[Row]:
    return as_text(all_map_rows())
