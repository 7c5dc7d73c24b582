"""The answers that the tables of language models measure: those kept, and those of choices."""

from functools import cache

import numpy as np

import calib
from evidence.language import answers as language
from evidence.language import originals as sources
from evidence.language.originals import Answers, Choices


def choice_answers(choices: Choices) -> Answers:
    """The answers of one model whose choices' logits are known, as pairs."""
    score, hit = calib.top_label(choices.y, calib.softmax(choices.logits))
    source, outcome = choices.source.partition("-")[0], hit[None].astype(np.uint8)
    kinds = {"choice": score[None]}
    return sources.Answers(
        source, choices.dataset, [choices.model], outcome, kinds, choices.group
    )


@cache
def choice_sources() -> list[Choices]:
    names = [*sources.answer_sources("choices"), *sources.answer_sources("scores")]
    return [sources.load_answer_source(name) for name in names]


@cache
def kept_sets() -> dict[str, Answers]:
    return {name: language.load_answers(name) for name in language.answer_sets()}


def everything() -> list[Answers]:
    return [*kept_sets().values(), *map(choice_answers, choice_sources())]
