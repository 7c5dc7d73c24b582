"""Plain values as they come out of a workspace."""

import pandas as pd
import pytest

from teaching import judge, student
from teaching.student import plain_value
from teaching.values import value_of_line, value_of_pair


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
