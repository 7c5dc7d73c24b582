"""Measures of few answers by hand, and a sample of the stored ones, measured again."""

import numpy as np
import pytest
from helpers import need_shared

from evidence import load_results
from evidence.language import originals as sources
from evidence.language.all_answers import choice_answers
from evidence.language.answers import answer_sets, load_answers
from evidence.language.originals import MISSING, Answers
from evidence.studies.language import metrics_of_answers


@pytest.mark.shared
def test_a_random_twentieth_is_measured_again(monkeypatch):
    monkeypatch.setenv("CALIB_SOURCES", str(need_shared("mirror")))
    table = load_results("metrics_of_answers")
    sets = [load_answers(name) for name in answer_sets()]
    name = sources.answer_sources("choices")[0]
    sets.append(choice_answers(sources.load_choices(name)))
    where = {(s.source, s.dataset, model): s for s in sets for model in s.models}
    keys = zip(table.source, table.dataset, table.model, strict=True)
    rows = table[[key in where for key in keys]]
    for row in rows.sample(frac=0.05, random_state=11).itertuples():
        stored_row = where[row.source, row.dataset, row.model]
        group = None if row.group == "all" else row.group
        (again,) = metrics_of_answers.measured_row(
            stored_row, row.model, row.confidence, group, row.unanswered
        )
        for name, value in again.items():
            stored = getattr(row, name)
            if isinstance(value, float):
                # stored with five digits
                near = pytest.approx(stored, rel=5e-5, nan_ok=True)
                assert value == near, (row.Index, name)
            else:
                there = "" if isinstance(stored, float) and np.isnan(stored) else stored
                assert str(value) == str(there), (row.Index, name)


class Twice:
    """A generator that draws the first of the subjects alone, then each of them once."""

    def multinomial(self, n, shares, size):
        assert shares == pytest.approx(np.full(n, 1 / n)) and size == 2000
        return np.array([[n] + [0] * (n - 1), [1] * n])


def test_subjects_are_drawn_again_with_all_of_their_answers(monkeypatch):
    """Five subjects of two answers each: the first is off by .3, all others by -.1."""
    monkeypatch.setattr(
        metrics_of_answers, "basic_interval", lambda name, *numbers: {name: numbers}
    )
    group = np.repeat([*"abcde"], 2)
    score = np.repeat([0.8, 0.4, 0.4, 0.4, 0.4], 2)
    hit = np.tile([1, 0], 5)
    found = metrics_of_answers.subject_interval(hit, score, group, Twice())
    ece, eces = found["ece_subject_"]
    over, overs = found["over_subject_"]
    # gaps of bins .3 * 2 and .1 * 8 of ten answers
    assert ece == pytest.approx((0.6 + 0.8) / 10)
    assert eces == pytest.approx([0.3, ece])
    assert over == pytest.approx((0.6 - 0.8) / 10)
    assert overs == pytest.approx([0.3, over])


def test_of_fewer_than_five_subjects_none_are_drawn():
    four = np.repeat([*"abcd"], 2)
    rng = np.random.default_rng(0)
    assert (
        metrics_of_answers.subject_interval(four == "a", four == "b", four, rng) == {}
    )


@pytest.fixture
def found():
    """Thirty answers of two subjects: two are missing, and one has no confidence."""
    outcome = np.tile([1, 0, 1], 10)
    outcome[:2] = MISSING
    stated = np.linspace(0.4, 0.9, 30)
    stated[2] = np.nan
    subjects = np.repeat(["easy", "hard"], 15)
    return Answers(
        "toy", "SET", ["m"], outcome[None], {"stated": stated[None]}, subjects
    )


def measured(found, **options):
    (row,) = metrics_of_answers.measured_row(found, "m", "stated", **options)
    return row


def test_answers_that_are_missing_are_counted_and_left_out(found):
    row = measured(found)
    assert (row["asked"], row["n"]) == (30, 27)
    assert row["share_unanswered"] == pytest.approx(2 / 30)
    assert row["share_without_confidence"] == pytest.approx(1 / 28)
    assert row["accuracy"] == pytest.approx(18 / 27)


def test_answers_that_are_missing_may_count_as_wrong(found):
    row = measured(found, missing="wrong")
    assert row["n"] == 29 and row["accuracy"] == pytest.approx(18 / 29)


def test_a_subject_is_measured_alone(found):
    row = measured(found, group="hard")
    assert (row["group"], row["asked"], row["n"]) == ("hard", 15, 15)
    assert row["share_unanswered"] == row["share_without_confidence"] == 0


def test_fewer_than_ten_answers_make_no_row(found):
    few = found.outcome.copy()
    few[0, 11:] = MISSING
    few = Answers("toy", "SET", ["m"], few, found.confidence, found.group)
    assert metrics_of_answers.measured_row(few, "m", "stated") == []


def test_a_model_has_rows_of_all_answers_of_both_kinds_and_of_each_subject(found):
    rows = [*metrics_of_answers.rows_of_answers(found)]
    assert [(row["group"], row["unanswered"]) for row in rows] == [
        ("all", "left out"),
        ("all", "wrong"),
        ("easy", "left out"),
        ("hard", "left out"),
    ]


def test_a_model_without_any_confidence_has_no_rows(found):
    none = {"stated": np.full((1, 30), np.nan)}
    found = Answers("toy", "SET", ["m"], found.outcome, none, found.group)
    assert [*metrics_of_answers.rows_of_answers(found)] == []
