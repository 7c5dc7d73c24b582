"""A figure's data as a table, and where the site keeps it."""

import csv
import io

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import seaborn as sns

from book.show.figure_data import MOST_ROWS, points_as_csv


@pytest.fixture
def axes():
    figure, axes = plt.subplots(1, 2)
    yield axes
    plt.close(figure)


def rows(axes):
    return list(csv.reader(io.StringIO(points_as_csv(axes[0].figure))))[1:]


def test_lines_points_bars_and_segments_have_rows(axes):
    axes[0].set_title("ECE, by M")
    axes[0].plot([0, 1], [0.5, 1 / 3], label="width, equal")
    axes[1].bar([1], [4], width=1)
    axes[1].scatter([7], [8], label="mass")
    axes[1].vlines([2], 0, 1)
    assert rows(axes) == [
        ["1 ECE, by M", "line", "width, equal", "0", "0.5", "", ""],
        ["1 ECE, by M", "line", "width, equal", "1", "0.333333", "", ""],
        ["2", "bar", "", "0.5", "0", "1.5", "4"],
        ["2", "point", "mass", "7", "8", "", ""],
        ["2", "segment", "", "2", "0", "2", "1"],
    ]


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_the_dots_of_error_bars_stand_where_they_are_drawn(axes, kind):
    axes[0].errorbar(kind([-4.5, 2]), kind([0.25, 7]), kind([1, 2]), fmt="o")
    lines = [row[1:] for row in rows(axes)]
    assert lines == [
        ["line", "", "-4.5", "0.25", "", ""],
        ["line", "", "2", "7", "", ""],
        ["segment", "", "-4.5", "-0.75", "-4.5", "1.25"],
        ["segment", "", "2", "5", "2", "9"],
    ]


def test_a_category_has_the_place_that_the_axis_gives_it(axes):
    axes[0].plot(["a", "b", "c"], [1, 2, 3])
    axes[0].plot(["c", "a"], [4, 5])
    assert [row[3] for row in rows(axes)] == ["0", "1", "2", "2", "0"]


def test_what_seaborn_draws_is_named_by_its_legend():
    frame = pd.DataFrame({"x": [1, 2] * 4, "y": range(8), "hue": list("aabb") * 2})
    frame["dash"] = ["c"] * 4 + ["d"] * 4
    grid = sns.relplot(
        frame, x="x", y="y", hue="hue", style="dash", kind="line", errorbar=None
    )
    names = [row[2] for row in rows(list(grid.axes.flat))]
    assert names == ["a, c"] * 2 + ["a, d"] * 2 + ["b, c"] * 2 + ["b, d"] * 2
    grid = sns.relplot(frame, x="x", y="y", hue="hue", style="hue", height=2)
    series = [(row[2], row[4]) for row in rows(list(grid.axes.flat))]
    assert series == [
        *zip("aaaa", "0145", strict=True),
        *zip("bbbb", "2367", strict=True),
    ]
    plt.close("all")


@pytest.mark.parametrize(
    ("colour", "dash", "meaning"),
    [
        ("red", "-", "b, c"),
        ("blue", "--", "a, d"),
        ("green", "--", ""),
        ("red", ":", "b, d"),
    ],
)
def test_a_look_that_one_heading_does_not_explain_means_nothing(
    axes, colour, dash, meaning
):
    keys = [("Hue", "w", "-"), ("a", "blue", "-"), ("b", "red", "-")]
    keys += [("Dash", "w", "-"), ("c", "black", "-"), ("d", "black", "--")]
    for label, shade, style in keys:
        axes[0].plot([], [], color=shade, ls=style, label=label)
    axes[1].plot([1], [2], color=colour, ls=dash)
    assert [row[2] for row in rows(axes)] == [meaning]


def test_an_empty_or_a_huge_figure_has_no_table(axes):
    assert points_as_csv(axes[0].figure) is None
    axes[0].plot(np.zeros(MOST_ROWS + 1))
    assert points_as_csv(axes[0].figure) is None
