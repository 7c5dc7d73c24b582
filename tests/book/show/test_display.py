"""How chapters show what they computed."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from book.show import display


@pytest.mark.parametrize(
    ("value", "said"),
    [(1.25, "+1.2"), (-1.25, "−1.2"), (-0.04, "+0.0"), (0.0, "+0.0")],
)
def test_a_number_has_its_sign_and_what_is_rounded_to_zero_a_plus(value, said):
    assert display.signed(value) == said


def documented(x):
    """Return what nobody asked for.

    In two paragraphs.
    """
    return x + 1


def test_a_source_is_shown_without_its_docstring():
    text = display.source_of(documented, documented).data
    lines = "def documented(x):\n    return x + 1\n"
    assert text == f"```python\n{lines}\n\n{lines}```"


def test_values_are_glued_by_section_and_name_as_text_shows_them(monkeypatch):
    glued = {}

    def glue(name, value, *, display):
        glued[name] = value, display

    monkeypatch.setitem(sys.modules, "myst_nb", SimpleNamespace(glue=glue))
    display.glue_values("chance", n_bins=np.int64(15), size="12,032")
    display.glue_values(rows=3)
    size = "12\N{NO-BREAK SPACE}032", False
    expected = {"chance-n-bins": (15, False), "chance-size": size, "rows": (3, False)}
    assert glued == expected and type(glued["chance-n-bins"][0]) is int
