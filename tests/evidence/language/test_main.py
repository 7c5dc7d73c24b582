"""The command that writes the answers: what it writes is read again."""

from dataclasses import replace

import numpy as np
import pytest

from evidence.language import __main__ as command
from evidence.language.answers import load_answers
from evidence.language.originals import TaoAnswers


def test_answers_that_are_written_are_read_again(tmp_path, monkeypatch):
    (tmp_path / "published").mkdir()
    monkeypatch.setenv("CALIB_DATA", str(tmp_path))
    outcome = np.array([[0, 1, 2], [1, 1, 0]], np.uint8)
    stated = np.array([[0.5, 0.9375, np.nan], [0.25, 1, 0]])
    group = np.array(["law", "art", "law"])
    command.write_answers(
        "some-set", "Set", ["one", "two"], outcome, {"stated": stated}, group
    )
    answers = load_answers("some-set")
    assert (answers.source, answers.dataset, answers.models) == (
        "some",
        "Set",
        ["one", "two"],
    )
    np.testing.assert_array_equal(answers.outcome, outcome)
    np.testing.assert_array_equal(answers.confidence["stated"], stated)
    assert answers.group.tolist() == group.tolist()


def test_a_model_that_answered_other_questions_is_named():
    none, law, a = np.zeros(1), np.array(["law"]), np.array(["A"])
    first = TaoAnswers("one", none, {}, group=law, truth=a, length=none, refused={})
    command.check_questions([first, replace(first, model="two")])
    for changed in ({"group": np.array(["art"])}, {"truth": np.array(["B"])}):
        other = replace(first, model="two", **changed)
        with pytest.raises(ValueError, match="two: not the questions of one"):
            command.check_questions([first, other])
