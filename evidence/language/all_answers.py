"""The answers that the tables of language models measure: those committed, and those of choices."""

from functools import cache

import numpy as np

import calib
from evidence.language.answers import answer_sets, load_answers
from evidence.language.originals import (
    Answers,
    Choices,
    answer_sources,
    load_choices,
)


def choice_answers(choices: Choices) -> Answers:
    """The answers of one model whose choices' logits are known, as pairs."""
    score, hit = calib.top_label(choices.y, calib.softmax(choices.logits))
    source, outcome = choices.source.partition("-")[0], hit[None].astype(np.uint8)
    kinds = {"choice": score[None]}
    return Answers(
        source, choices.dataset, [choices.model], outcome, kinds, choices.group
    )


@cache
def choice_sources() -> list[Choices]:
    names = [*answer_sources("choices"), *answer_sources("scores")]
    return [load_choices(name) for name in names]


@cache
def committed_answers() -> dict[str, Answers]:
    return {name: load_answers(name) for name in answer_sets()}


def all_answers() -> list[Answers]:
    return [*committed_answers().values(), *map(choice_answers, choice_sources())]
