"""Choices whose logits are known become answers with the confidence of the choice."""

import numpy as np
import pytest

from evidence.language.all_answers import choice_answers
from evidence.language.originals import Choices


def test_the_choice_is_the_largest_and_its_probability_the_confidence():
    logits, y = np.log([[1.0, 3.0], [4.0, 1.0]]), np.array([1, 1])
    fields = {"source": "ye-mmlu", "model": "net", "dataset": "MMLU"}
    answers = choice_answers(
        Choices(**fields, logits=logits, y=y, group=np.array(["law", "art"]))
    )
    assert (answers.source, answers.dataset, answers.models) == ("ye", "MMLU", ["net"])
    score, hit = answers.pairs("net", "choice")
    assert score.tolist() == pytest.approx([0.75, 0.8]) and hit.tolist() == [
        True,
        False,
    ]
