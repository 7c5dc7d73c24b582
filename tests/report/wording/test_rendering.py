"""Numbers and names as they are written: digits that count, and nothing that is not seen."""

import json

import numpy as np
import pytest

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
