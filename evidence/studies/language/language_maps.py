"""Compute language_maps.csv: pairs before and after each map, fitted on held-out halves."""

from collections.abc import Iterable, Iterator
from typing import Any

import calib
from evidence.language.all_answers import choice_sources, everything
from evidence.language.held_out_maps import MAPS, mapped, own_temperature
from evidence.language.originals import Answers, Choices
from evidence.language.pair_measures import generator, measures, text
from evidence.pieces import Row

KEPT = "n accuracy mean_confidence ece ece_low ece_high ece_chance ks brier nll auroc".split()


def map_rows(found: Answers) -> Iterator[Row]:
    """Pairs before and after each map, the maps fitted on held-out halves."""
    for model in found.models:
        for kind in found.confidence:
            score, hit = found.pairs(model, kind)
            for name in ("none", *MAPS) if len(hit) >= 100 else ():
                rng = generator("maps", found.source, found.dataset, model, kind)
                values = measures(hit, mapped(name, hit, score, rng), rng)
                yield map_row(
                    [found.source, model, found.dataset, kind, name, ""], values
                )


def temperature_rows(choices: Choices) -> Iterator[Row]:
    """The same with one temperature, which needs the scores of all choices."""
    rng = generator("maps", choices.source, choices.dataset, choices.model, "choice")
    after = own_temperature(choices.y, choices.logits, rng)
    score, hit = calib.top_label(choices.y, after)
    temperature = calib.TemperatureScaling().fit(choices.logits, choices.y).temperature_
    head = [choices.source.partition("-")[0], choices.model, choices.dataset, "choice"]
    yield map_row([*head, "temperature", temperature], measures(hit, score, rng))


def map_row(head: list[Any], values: dict[str, float]) -> Row:
    keys = ["source", "model", "dataset", "confidence", "map", "temperature"]
    return dict(zip(keys, head, strict=True)) | {key: values[key] for key in KEPT}


def all_map_rows() -> Iterator[Row]:
    for answers in everything():
        yield from map_rows(answers)
    for source in choice_sources():
        yield from temperature_rows(source)


def rows() -> Iterable[Row]:
    return text(all_map_rows())
