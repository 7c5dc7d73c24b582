"""Plain values as they come out of a workspace."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from teaching import judge, student, values
from teaching.student import plain_value
from teaching.values import Replies, call_of, value_of_line, value_of_pair


def test_a_series_with_names_is_a_dictionary_in_the_marks():
    series = pd.Series({"a": 1.0, "b": 2.0})
    assert value_of_pair(plain_value(series)) == {"a": 1.0, "b": 2.0}
    # names that are equal to 0 and 1
    flags = pd.Series([0.5, 0.25], index=[False, True])
    assert value_of_pair(plain_value(flags)) == {False: 0.5, True: 0.25}
    assert plain_value(pd.DataFrame({"a": [1]}))[0] == "dict"


NO_VALUES = [
    "",
    "3",
    "[]",
    '["value"]',
    '["value", [1]]',
    '["value", {"a": 1}]',
    '["list", 3]',
    "[" * 9999,
    '["list", ' * 4000 + "3" + "]" * 4000,
    f'["value", {"9" * 5000}]',
    "\ufffd",
    '["array", [[1], [2, 3]]]',
    '["array", [{"a": 1}]]',
    '["set", [["list", []]]]',
    '["dict", [[["list", []], ["value", 1]]]]',
    '["code", "print(1)"]',
    '["raised", "right"]',
    '[["value"], 1]',
    f'["value", "{"x" * student.LARGEST_ANSWER}"]',
]


@pytest.mark.parametrize("line", NO_VALUES, ids=range(len(NO_VALUES)))
def test_what_is_no_plain_value_is_no_answer(line):
    with pytest.raises(judge.NoAnswer):
        value_of_line(line)


FAULTS = {
    '["open", null]': "not filled in",
    '["raised", "ValueError: no"]': "ValueError: no",
    '["other", "Figure"]': "is of the kind Figure, which cannot be compared",
    f'["value", "{"x" * student.LARGEST_ANSWER}"]': "too long an answer",
    "{": "is no plain value",
}


@pytest.mark.parametrize("line", FAULTS, ids=FAULTS.values())
def test_a_line_without_a_value_says_why(line):
    with pytest.raises(judge.NoAnswer, match=f"^{re.escape(FAULTS[line])}$"):
        value_of_line(line)


@pytest.mark.parametrize(("kind", "letters"), [("raised", 300), ("other", 60)])
def test_a_fault_is_quoted_up_to_some_letters(kind, letters):
    with pytest.raises(judge.NoAnswer) as fault:
        value_of_line(json.dumps([kind, "x" * 999]))
    assert str(fault.value).count("x") == letters


def test_a_line_may_be_as_long_as_an_answer(monkeypatch):
    line = '["value", "x"]'
    monkeypatch.setattr(values, "LARGEST_ANSWER", len(line))
    assert value_of_line(line) == "x"
    with pytest.raises(judge.NoAnswer, match="too long an answer"):
        value_of_line(f"{line} ")


def test_a_function_returns_what_was_answered_to_the_same_question():
    """Two names, then two calls; a third call, and a name that nobody asked for, have no answer."""
    calls = [call_of("f", (1,), {}), call_of("f", (1,), {"k": 2})]
    lines = ['["value", 7]', '["function", "f"]', '["value", 8]', '["value", 9]']
    replies = Replies(lines, ["x", "f"], calls, "")
    assert replies.value("x") == 7
    f = replies.value("f")
    assert [f(1), f(1, k=2)] == [8, 9]
    with pytest.raises(judge.NoAnswer, match="was not asked"):
        f(2)


def test_what_is_missing_has_the_fault_of_the_submission():
    replies = Replies(['["value", 7]'], ["x", "y"], [], "took too long")
    assert replies.value("x") == 7
    with pytest.raises(judge.NoAnswer, match="took too long"):
        replies.value("y")


def test_calls_that_a_workspace_did_not_come_to_have_no_answer():
    calls = [call_of("f", (i,), {}) for i in (1, 2)]
    replies = Replies(['["function", "f"]', '["value", 8]'], ["f"], calls, "late")
    f = replies.value("f")
    assert f(1) == 8
    with pytest.raises(judge.NoAnswer, match="late"):
        f(2)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        0.5,
        "text",
        [1, (2, [])],
        (1,),
        {1, "a"},
        {"a": [1], 2: {"b": ()}},
    ],
)
def test_a_plain_value_comes_out_as_it_went_in(value):
    line = json.dumps(plain_value(value))
    assert value_of_line(line) == value
    assert type(value_of_line(line)) is type(value)


@pytest.mark.parametrize("array", [[[1, 2], [3, 4]], [0.5, -1.0], [True], ["a", "b"]])
def test_an_array_keeps_its_shape_and_its_numbers(array):
    out = value_of_line(json.dumps(plain_value(np.array(array))))
    assert isinstance(out, np.ndarray) and out.tolist() == array
