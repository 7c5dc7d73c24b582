"""What interactive figures show at first, as pictures for pages without scripts."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

import calib
from calib.plots import COLOURS, LINES, reliability_diagram, reliability_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])


def svg_address(draw: Callable[..., None], rows: int = 1, columns: int = 1) -> str:
    """Return what `draw` draws on new axes, as the address of an SVG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure, file = (
        Figure(figsize=(7, 4) if rows * columns > 1 else (4.4, 4)),
        io.StringIO(),
    )
    draw(*figure.subplots(rows, columns, squeeze=False).flat)
    # without a salt the names within an SVG differ from run to run
    with rc_context({"svg.hashsalt": "still", "svg.fonttype": "path"}):
        figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    # what an attribute of HTML may hold stays as it is: shorter than base64
    return "data:image/svg+xml," + quote(file.getvalue(), safe=" '/:;=,()[]{}!*.-_|+?")


def reliability_diagrams(n_bins: int = 15, axis: str = "", **pairs: Any) -> str:
    """The reliability diagram of a pair (score, hit); of several, a plot of each by name.

    `axis` says what a score is, where it is no confidence. Letters are drawn as shapes: a reader's
    other font would be wider than the picture.
    """
    bins, alone = calib.equal_width(n_bins), len(pairs) == 1

    def draw(*axes: Axes) -> None:
        for ax in axes[len(pairs) :]:
            ax.axis("off")
        # of more than four the last row may be shorter
        for ax, (name, (score, hit)) in zip(axes, pairs.items(), strict=False):
            plot = (
                partial(reliability_diagram, band=0.95) if alone else reliability_plot
            )
            plot(np.asarray(hit), np.asarray(score), bins=bins, ax=ax)
            ax.set_title("" if alone else name, fontsize="small")
            ax.set_xlabel(axis or ax.get_xlabel())
            ax.label_outer()

    # four in a row; the number of rows is rounded up
    return svg_address(draw, -(-len(pairs) // 4), min(len(pairs), 4))


def line_plot(x: str, y: str, **curves: Any) -> str:
    """Points of curves by name on axes of these labels; names with an underscore are dots."""

    def draw(ax: Axes) -> None:
        for (name, points), colour in zip(curves.items(), LINES, strict=False):
            dots, name = name.endswith("_"), name.rstrip("_").replace("_", " ")
            ax.plot(
                *np.asarray(points).T,
                "o" if dots else "-",
                color=COLOURS[colour],
                label=name,
            )
        ax.set(xlabel=x, ylabel=y)
        ax.legend(frameon=False)

    return svg_address(draw)


def first_ten_bars(names: Any, values: Any, label: str) -> str:
    """A bar for each of the first ten names."""

    def draw(ax: Axes) -> None:
        # turned round: the axis counts from below, and the first stands on top
        ax.barh(list(names)[9::-1], list(values)[9::-1], color=COLOURS["blue"])
        ax.set_xlabel(label)

    return svg_address(draw)


def probability_bars(names: Any, logits: Any) -> str:
    """The probabilities of one image."""
    return first_ten_bars(names, calib.softmax(np.array([logits]))[0], "probability")


def triangle(names: Sequence[str], starts: np.ndarray, ends: np.ndarray) -> str:
    """Lines on the triangle of three classes, with a dot at their ends."""

    def draw(ax: Axes) -> None:
        ax.plot(*CORNERS[[0, 1, 2, 0]].T, "--", color=COLOURS["black"], lw=1)
        pairs = np.stack([starts, ends]) @ CORNERS
        ax.plot(*pairs.transpose(2, 0, 1), color=COLOURS["blue"], lw=1)
        ax.plot(*pairs[1].T, "o", color=COLOURS["vermillion"], ms=3)
        for name, (x, y) in zip(names, CORNERS, strict=True):
            ax.text(x, y, name, ha="center", va="top" if y == 0 else "bottom")
        ax.set_aspect("equal")
        ax.axis("off")

    return svg_address(draw)
