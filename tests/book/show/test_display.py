"""How chapters show what they computed."""

import sys
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
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


def test_what_a_page_says_stops_its_build_where_it_is_not_so():
    display.expect(np.True_, "the text says so")
    with pytest.raises(ValueError, match="the text says so"):
        display.expect(0, "the text says so")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.float64(0.5), 0.5),
        ("12,032", "12\xa0032"),
        ("1,234,567", "1\xa0234\xa0567"),
        ("(1, 2) 1,2 1,23 1,2345", "(1, 2) 1,2 1,23 1,2345"),
    ],
)
def test_text_has_a_space_between_thousands_and_no_other_comma_is_touched(value, shown):
    assert display.in_prose(value) == shown
    assert type(display.in_prose(value)) is type(shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-1 - 2 (-3)", "−1 − 2 (−3)"),
        ("well-known ResNet-56 1e-05", "well-known ResNet-56 1e−05"),
        ("5 % and 5%", "5\xa0% and 5\xa0%"),
    ],
)
def test_minus_signs_stand_before_numbers_alone(text, shown):
    assert display.typeset(text) == shown


def test_a_table_of_words_begins_at_the_left_and_has_no_index():
    html = display.text_table(pd.DataFrame({"a": ["one"]}, index=["gone"])).to_html()
    assert "gone" not in html and html.count("text-align: left") == 2


SOURCES = [
    ("alecwangcq-vgg", "vgg"),
    ("calarena-vit", "vit (CalArena)"),
    ("ferrer-speaker-plda", "Speakers"),
    ("baan-snli-bert-s3", "SNLI BERT, seed 3"),
    ("kull-birds-resnet50", "Birds ResNet-50 (Kull)"),
    ("netcal-mixed-net-focal", "Mixed Net (netcal, focal)"),
    ("baan-mixed-net-ce", "Mixed (Baan, ce)"),
]


@pytest.mark.parametrize(("name", "label"), SOURCES)
def test_public_predictions_are_named_by_data_set_network_and_origin(
    name, label, monkeypatch
):
    rows = [
        ("kull-birds-resnet50", "Birds", "ResNet-50"),
        ("netcal-mixed-net-focal", "Mixed", "Net"),
        ("baan-mixed-net-ce", "Mixed", "unknown"),
    ]
    index = pd.DataFrame(rows, columns=["name", "dataset", "model"])
    monkeypatch.setattr(display, "source_index", lambda: index)
    display.source_label.cache_clear()
    assert display.source_label(name) == label
    display.source_label.cache_clear()


def test_a_legend_is_taken_away_where_there_is_one():
    _, ax = plt.subplots()
    assert display.without_legend(ax) is ax
    ax.plot([1], label="a")
    ax.legend()
    assert display.without_legend(ax).get_legend() is None


def test_of_several_diagrams_the_fullest_legend_stands_once_in_words_of_the_top_label():
    figure, axes = plt.subplots(1, 2, layout="constrained")
    for ax, names in zip(axes, (["Frequency"], ["Frequency", "Chance"]), strict=True):
        for name in names:
            ax.plot([1], label=name)
        ax.legend()
    axes[0].set_ylabel("Frequency")
    axes[1].set_ylabel("another")
    display.one_legend(iter(axes))
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["Accuracy", "Chance"]
    assert [ax.get_legend() for ax in axes] == [None, None]
    assert [ax.get_ylabel() for ax in axes] == ["Accuracy", "another"]
