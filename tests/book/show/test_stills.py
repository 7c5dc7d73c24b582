"""Pictures of interactive figures for pages without scripts."""

from urllib.parse import unquote

import numpy as np
import pytest
from drawings import heights, points, texts, ticks

import calib
from book.show import stills


@pytest.fixture
def drawn(monkeypatch):
    """The axes that a picture is drawn on, and in how many rows and columns."""

    def axes_of(picture, *arguments, **options):
        found = {}

        def keep(draw, rows=1, columns=1):
            from matplotlib.figure import Figure

            axes = Figure().subplots(rows, columns, squeeze=False)
            draw(*axes.flat)
            found.update(axes=axes)
            return "address"

        monkeypatch.setattr(stills, "svg_address", keep)
        assert picture(*arguments, **options) == "address"
        return found["axes"]

    return axes_of


def test_a_picture_is_an_svg_in_an_attribute_and_the_same_each_time():
    def draw(ax):
        ax.plot([1, 2], label='"<&>"')
        ax.legend()

    address = stills.svg_address(draw)
    head, _, content = address.partition(",")
    assert head == "data:image/svg+xml" and not set('"<>&#') & set(content)
    svg = unquote(content)
    assert svg.startswith("<?xml") and svg.rstrip().endswith("</svg>")
    assert stills.svg_address(draw) == address
    # letters are shapes, and no date tells when it was drawn
    assert "<text" not in svg and "<dc:date>" not in svg


SCORE = np.linspace(0.05, 0.95, 40)
HIT = np.arange(40) % 2


def test_one_pair_is_drawn_with_its_band_and_several_by_name_four_in_a_row(drawn):
    ((alone,),) = drawn(stills.reliability_diagrams, 10, "price", all=(SCORE, HIT))
    assert alone.get_title() == "" and alone.get_xlabel() == "price"
    assert len(alone.patches) > 10 - 1
    pairs = {name: (SCORE, HIT) for name in "abcdefgh"}
    axes = drawn(stills.reliability_diagrams, **pairs)
    assert axes.shape == (2, 4)
    assert [ax.get_title() for ax in axes.flat] == [*"abcdefgh"]


@pytest.mark.parametrize("n_pairs", [1, 3, 4, 5, 7, 9])
def test_each_pair_has_its_axes_and_those_that_are_left_are_empty(drawn, n_pairs):
    names = [*"abcdefghi"[:n_pairs]]
    axes = drawn(stills.reliability_diagrams, **{name: (SCORE, HIT) for name in names})
    seen = [ax for ax in axes.flat if ax.axison]
    assert [ax.get_title() for ax in seen] == ([""] if n_pairs == 1 else names)
    assert seen == [*axes.flat][:n_pairs]
    assert axes.shape == (-(-n_pairs // 4), min(n_pairs, 4))


def test_curves_are_lines_and_names_with_an_underscore_dots(drawn):
    curves = {"a_curve": [(0, 1), (2, 3)], "dots_": [(4, 5)]}
    ((ax,),) = drawn(stills.line_plot, "x", "y", **curves)
    assert points(ax, 0).tolist() == [[0, 1], [2, 3]]
    looks = [(line.get_label(), line.get_marker(), line.get_linestyle())
             for line in ax.lines]  # fmt: skip
    assert looks == [("a curve", "None", "-"), ("dots", "o", "None")]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")


def test_of_bars_the_first_ten_are_drawn_and_the_first_stands_on_top(drawn):
    names = [f"n{i}" for i in range(12)]
    ((ax,),) = drawn(stills.first_ten_bars, names, range(12), "size")
    assert heights(ax)[:, 2].tolist() == [*range(9, -1, -1)]
    assert ticks(ax.yaxis)[-1] == "n0" and ax.get_xlabel() == "size"


def test_bars_of_logits_are_probabilities(drawn):
    logits = [2.0, 0.0, -1.0]
    ((ax,),) = drawn(stills.probability_bars, "abc", logits)
    assert heights(ax)[::-1, 2] == pytest.approx(calib.softmax(np.array([logits]))[0])


def test_on_the_triangle_a_vector_is_the_mean_of_the_corners_weighted_by_it(drawn):
    starts = np.array([[1, 0, 0], [0, 0, 1.0]])
    ends = np.array([[0, 1, 0], [0.25, 0.25, 0.5]])
    ((ax,),) = drawn(stills.triangle, ["A", "B", "C"], starts, ends)
    root = 3**0.5
    assert points(ax, 0) == pytest.approx(
        np.array([[0, 0], [1, 0], [0.5, root / 2], [0, 0]])
    )
    assert points(ax, 1) == pytest.approx(np.array([[0, 0], [1, 0]]))
    assert points(ax, 2) == pytest.approx(np.array([[0.5, root / 2], [0.5, root / 4]]))
    assert points(ax, 3) == pytest.approx(np.array([[1, 0], [0.5, root / 4]]))
    assert texts(ax) == ["A", "B", "C"]
