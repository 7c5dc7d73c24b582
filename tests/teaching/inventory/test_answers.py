"""Answers are read as platforms write them, in one unit, or refused with the line."""

import numpy as np
import pytest
from simulated_class import HEADINGS, K, a_class, responses

from teaching.inventory.answers import Answers, read_answers
from teaching.inventory.statements import TRUE
from teaching.tables import CourseError


@pytest.mark.parametrize("form", ["own", "moodle", "canvas"])
def test_answers_are_read_as_each_platform_writes_them(form, tmp_path):
    answers, _ = a_class("calibrated", 3)
    answers.prob[2, 5] = np.nan
    answers.prob[:] = np.round(answers.prob, 1)
    (tmp_path / "before.csv").write_text(responses(answers, form))
    from_csv = read_answers(tmp_path / "before.csv")
    assert from_csv.students == answers.students
    assert np.allclose(from_csv.prob, answers.prob, equal_nan=True)


def file_of(*answers):
    """Our form of one student a line: what each types for the first items, and no more."""
    empty = [""] * K
    lines = [[f"s{n}", *typed, *empty[len(typed) :]] for n, typed in enumerate(answers)]
    return "\n".join(map(",".join, [HEADINGS["own"], *lines]))


def read(folder, text):
    (folder / "before.csv").write_text(text)
    return read_answers(folder / "before.csv").prob


@pytest.mark.parametrize("typed, expected", [
    (("70 %", "1 %", "0", "100%"), (0.7, 0.01, 0, 1)),
    (("70", "1", "0", "100"), (0.7, 0.01, 0, 1)),
    (("0.7", "1", "0", "1.0"), (0.7, 1, 0, 1)),
    (("0.5 %", "70", "", "-"), (0.005, 0.7, np.nan, np.nan)),
    (("0", "0", "", ""), (0, 0, np.nan, np.nan)),
])  # fmt: skip
def test_the_unit_is_that_of_the_whole_file(typed, expected, tmp_path):
    """The 1 of one student is 1 % or 100 % by what another one types."""
    assert np.allclose(
        read(tmp_path, file_of(typed))[0, :4], expected, equal_nan=True, atol=0
    )
    by_two = read(tmp_path, file_of(typed[:1], ("0", *typed[1:])))
    assert np.allclose(by_two[1, 1:4], expected[1:], equal_nan=True, atol=0)


@pytest.mark.parametrize("answers, fault", [
    ((("0", "70"), ("1", "0.7")),
     "before.csv: line 2, i02: '70' is in per cent, line 3, i02: '0.7' is a share of 1; "
     "type all answers in per cent, as 70 %, or all as shares, as 0.7"),
    ((("0.7", "1"), ("0.8", "30 %")), "line 3, i02: '30 %' is in per cent, line 2, i01: '0.7'"),
    ((("0", "0"), ("1", "0")), "line 3, i01: '1' may be 1 % or 100 %"),
    ((("0.7",), ('"0,7"',)), "line 3, i01: '0,7' is no probability"),
    ((("70",), ("120",)), "line 3, i01: '120' is no probability, expected 0 % to 100 %"),
    ((("70",), ("100.1",)), "line 3, i01: '100.1' is no probability"),
    ((("70",), ("-5 %",)), "line 3, i01: '-5 %' is no probability"),
    ((("70",), ("nan",)), "line 3, i01: 'nan' is no probability"),
    ((("70",), ("%",)), "line 3, i01: '%' is no probability"),
])  # fmt: skip
def test_a_file_whose_unit_is_mixed_or_unknown_is_refused(answers, fault, tmp_path):
    with pytest.raises(CourseError, match=fault):
        read(tmp_path, file_of(*answers))


@pytest.mark.parametrize("text, fault", [
    ("student,i01\ns,1\n", "no column of i02"), ("i01\n1\n", "no column says who"),
    (responses(a_class("guessing", 1)[0], "own").replace("s3,", "s3,x", 1),
     "line 5, i01: 'x.* is no probability"),
])  # fmt: skip
def test_what_cannot_be_read_is_named(text, fault, tmp_path):
    with pytest.raises(CourseError, match=fault):
        read(tmp_path, text)


def test_a_student_who_stands_twice_is_named_with_both_lines(tmp_path):
    twice = responses(a_class("calibrated", 3)[0], "own").splitlines()
    (tmp_path / "before.csv").write_text("\n".join([*twice, twice[1], ""]))
    who = twice[1].split(",")[0]
    with pytest.raises(CourseError, match=f"'{who}' stands in line 2 too"):
        read_answers(tmp_path / "before.csv")


def test_an_answer_leans_to_the_truth_away_from_it_or_to_neither_side():
    """An item that is true, one that is not; 50 % is half right, no answer is not right."""
    true, false = np.flatnonzero(TRUE)[0], np.flatnonzero(~TRUE)[0]
    prob = np.full((4, K), np.nan)
    prob[:, true], prob[:, false] = [0.51, 0.5, 0.49, np.nan], [0.51, 0.5, 0.49, np.nan]
    answers = Answers(list("abcd"), prob)
    assert answers.right[:, true].tolist() == [1, 0.5, 0, 0]
    assert answers.right[:, false].tolist() == [0, 0.5, 1, 0]


def test_who_answered_half_of_the_items_stays():
    prob = np.full((3, K), 0.9)
    prob[0, K // 2 :] = prob[1, K // 2 - 1 :] = np.nan
    complete = Answers(list("abc"), prob).complete()
    assert complete.students == ["a", "c"] and len(complete.prob) == 2
