"""The colours of the book stand in one file."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from helpers import ROOT

from book.show import looks
from calib import plots

X = np.linspace(0, 1, 21)


@pytest.fixture
def axes():
    """Axes from 0 to 1, in which a unit is 250 points high."""
    figure = plt.figure(figsize=(5, 5), dpi=72)
    ax = figure.add_axes((0.1, 0.1, 250 / 360, 250 / 360), xlim=(0, 1), ylim=(0, 1))
    yield ax
    plt.close(figure)


def test_labels_stand_at_the_ends_in_the_colour_of_their_line(axes):
    axes.plot(X, X / 2, color="red", label="low")
    axes.plot(X, X, color="blue", label="high")
    axes.plot(X, 0 * X)  # has no label
    low, high = looks.label_lines(axes)
    assert (low.get_text(), low.xy, low.get_color()) == ("low", (1, 0.5), "red")
    assert (high.get_text(), high.xy, high.get_color()) == ("high", (1, 1), "blue")
    assert low.xyann == high.xyann == (5, 0)


def test_labels_of_lines_that_end_together_keep_a_line_between_them(axes):
    for end, name in [(0.5, "a"), (0.504, "b"), (0.508, "c"), (0.8, "d")]:
        axes.plot(X, end * X, label=name)
    texts = looks.label_lines(axes)
    points = [250 * text.xy[1] + text.xyann[1] for text in texts]
    assert [text.get_text() for text in texts] == ["a", "b", "c", "d"]
    expected = [125, 125 + looks.HIGH, 125 + 2 * looks.HIGH, 200]
    assert points == pytest.approx(expected)


# whether the line rises, whether the label is above it, and its side with room
@pytest.mark.parametrize(
    ("slope", "is_above", "side"),
    [(1, True, "right"), (-1, True, "left"), (1, False, "left"), (-1, False, "right")],
)
def test_a_label_beside_a_point_stands_where_the_line_leaves_room(
    axes, slope, is_above, side
):
    axes.plot(X, 0.5 + 0.4 * slope * X, label="line")
    beside = {"line": 0.5}
    (text,) = looks.label_lines(axes, **{"above" if is_above else "below": beside})
    assert text.xy == pytest.approx((0.5, 0.5 + 0.2 * slope))
    # its right end is there: it stands at the left
    assert text.get_ha() == side
    assert text.get_va() == ("bottom" if is_above else "top")
    assert text.xyann == (0, 3 if is_above else -3)


def test_a_look_has_a_dash_and_a_marker_where_they_are_asked_for():
    colour, dash, marker = looks.METHODS["isotonic"]
    expected = {"color": colour, "linestyle": dash, "marker": ""}
    assert looks.look("isotonic") == expected
    points = looks.look("isotonic", line=False, marker=True)
    assert points == expected | {"linestyle": "", "marker": marker}


def test_seaborn_takes_colours_dashes_and_markers_by_kind():
    kinds = {"a": ("blue", "--", "o"), "b": ("0.5", "-", "s")}
    options = looks.looks("kind", kinds)
    assert options == {
        "hue": "kind",
        "hue_order": ["a", "b"],
        "palette": {"a": plots.COLOURS["blue"], "b": "0.5"},
        "style": "kind",
        "style_order": ["a", "b"],
        "dashes": {"a": (4, 1.5), "b": ""},
        "markers": {"a": "o", "b": "s"},
    }
    colours = looks.looks("kind", kinds, line=False, marker=False)
    assert [*colours] == ["hue", "hue_order", "palette"]
    assert looks.looks("kind", {"a": "blue", "b": "0.5"}) == colours


def test_pages_and_figures_take_their_colours_from_one_file():
    defined = dict(re.findall(r"--calib-(\w+): (#\w{6});", looks.stylesheet()))
    assert plots.COLOURS.items() <= defined.items()
    assets = ROOT / "book" / "assets"
    for path in [
        *assets.glob("*.css"),
        *assets.glob("*.js"),
        *assets.glob("widgets/*.js"),
    ]:
        text = path.read_text("utf-8")
        assert {*re.findall(r"var\(--calib-(\w+)\)", text)} <= {*defined}, path.name
        literal = {colour.lower() for colour in re.findall(r"#[0-9a-fA-F]{6}\b", text)}
        assert not literal & {colour.lower() for colour in defined.values()}, path.name
