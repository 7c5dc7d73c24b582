"""Numbers and names as they are written: digits that count, and nothing that is not seen."""

import json

import numpy as np
import pytest
from jinja2 import UndefinedError

from calib_report.wording.rendering import (
    decimals,
    in_markdown,
    interval,
    json_text,
    percent,
    signed,
    templates,
    visible,
)


def test_what_steers_a_terminal_or_turns_a_line_is_written_as_its_code():
    assert visible("a\x1b[2Jb") == r"a\x1b[2Jb"
    assert visible("a\u202eb\u200b") == r"a\u202eb\u200b"
    assert visible("é – 日本") == "é – 日本"


def test_signs_of_markdown_are_text():
    assert in_markdown("[x](y)|*_#`<!") == r"\[x\](y)\|\*\_\#\`\<\!"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0994, "9.9 %"),
        (0.0996, "10 %"),
        (0.00994, "0.99 %"),
        (0.00996, "1.0 %"),
        (-0.0551, "-5.5 %"),
        (np.inf, "infinite"),
        (np.nan, "unknown"),
        (None, "unknown"),
    ],
)
def test_a_share_has_two_digits_that_count(share, text):
    assert percent(share) == text


def test_ends_have_the_digits_of_their_value_and_minus_zero_has_no_sign():
    number = {"value": 0.00123, "low": 0.0001, "high": 0.0234567}
    assert interval(number) == "0.00010 to 0.02346"
    assert interval({"value": 0.5}) == ""
    assert (decimals(np.inf), decimals(-np.inf)) == ("infinite", "−infinite")
    assert (signed(-0.0004), signed(-0.0006)) == ("0.000", "-0.001")


def test_json_has_no_infinities():
    nested = {"a": [1.5, np.inf, {"b": np.nan}], "c": (True, "x", None)}
    assert json.loads(json_text(nested)) == {
        "a": [1.5, None, {"b": None}],
        "c": [True, "x", None],
    }


def test_a_template_writes_names_as_text():
    template = templates().from_string("{{ name }} {{ share | percent }}")
    assert template.render(name="<b>\u202e", share=0.5) == r"&lt;b&gt;\u202e 50 %"


@pytest.mark.parametrize(
    ("value", "like", "text"),
    [
        (0.04312, None, "0.0431"),
        (0.00994, None, "0.00994"),
        (-0.000123456, None, "-0.000123"),
        (1e-12, None, "0.000000000"),  # nine decimals at most
        (0.5, 0.00123, "0.50000"),
        (0.5, np.inf, "0.5000"),
        (None, None, "infinite"),
    ],
)
def test_a_number_has_four_decimals_or_as_many_as_show_three_digits(value, like, text):
    assert decimals(value, like) == text


def test_a_block_of_a_template_leaves_no_line_and_no_space():
    text = "{% if true %}\na\n  {% endif %}\nb"
    assert templates().from_string(text).render() == "a\nb"


def test_a_template_refuses_a_name_that_nothing_has():
    with pytest.raises(UndefinedError, match="'name' is undefined"):
        templates().from_string("{{ name }}").render()
