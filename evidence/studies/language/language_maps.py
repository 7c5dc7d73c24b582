"""Compute language_maps.csv: pairs before and after each map, fitted on held-out halves."""

from collections.abc import Iterable, Iterator
from typing import Any

import calib
from evidence.language.all_answers import all_answers, choice_sources
from evidence.language.held_out_maps import MAPS, mapped_held_out, temperature_held_out
from evidence.language.originals import Answers, Choices
from evidence.language.pair_measures import as_text, generator, measure_pairs
from evidence.pieces import Row

KEPT = "n accuracy mean_confidence ece ece_low ece_high ece_chance ks brier nll auroc".split()


def map_rows(found: Answers) -> Iterator[Row]:
    """Pairs before and after each map, the maps fitted on held-out halves."""
    for model in found.models:
        for kind in found.confidence:
            score, hit = found.pairs(model, kind)
            for name in ("none", *MAPS) if len(hit) >= 100 else ():
                rng = generator("maps", found.source, found.dataset, model, kind)
                values = measure_pairs(hit, mapped_held_out(name, hit, score, rng), rng)
                yield map_row(
                    [found.source, model, found.dataset, kind, name, ""], values
                )


def temperature_rows(choices: Choices) -> Iterator[Row]:
    """The same with one temperature, which needs the scores of all choices."""
    rng = generator("maps", choices.source, choices.dataset, choices.model, "choice")
    after = temperature_held_out(choices.y, choices.logits, rng)
    score, hit = calib.top_label(choices.y, after)
    temperature = calib.TemperatureScaling().fit(choices.logits, choices.y).temperature_
    head = [choices.source.partition("-")[0], choices.model, choices.dataset, "choice"]
    yield map_row([*head, "temperature", temperature], measure_pairs(hit, score, rng))


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
