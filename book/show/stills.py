"""What interactive figures show at first, as pictures for pages without scripts."""

import io
from functools import partial
from urllib.parse import quote

import numpy as np

import calib
from calib.plots import COLOURS, LINES, reliability_diagram, reliability_plot

CORNERS = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])


def picture(draw, rows=1, columns=1):
    """Return what `draw` draws on new axes, as the address of an SVG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure, file = Figure(figsize=(7, 4) if rows * columns > 1 else (4.4, 4)), io.StringIO()
    draw(*figure.subplots(rows, columns, squeeze=False).flat)
    with rc_context({"svg.hashsalt": "still", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    return "data:image/svg+xml," + quote(file.getvalue(), safe=" '/:;=,()[]{}!*.-_|+?")


def diagrams(n_bins=15, **pairs):
    """The reliability diagram of a pair (score, hit); of several, a plot of each by name."""
    bins, alone = calib.equal_width(n_bins), len(pairs) == 1

    def draw(*axes):
        for ax, (name, (score, hit)) in zip(axes, pairs.items(), strict=True):
            shown = partial(reliability_diagram, band=0.95) if alone else reliability_plot
            shown(np.asarray(hit), np.asarray(score), bins=bins, ax=ax)
            ax.set_title("" if alone else name, fontsize="small")
            ax.label_outer()

    return picture(draw, -(-len(pairs) // 4), min(len(pairs), 4))


def lines(x, y, **curves):
    """Points of curves by name on axes of these labels; names with an underscore are dots."""

    def draw(ax):
        for (name, points), colour in zip(curves.items(), LINES, strict=False):
            dots, name = name.endswith("_"), name.rstrip("_").replace("_", " ")
            ax.plot(*np.asarray(points).T, "o" if dots else "-", color=COLOURS[colour], label=name)
        ax.set(xlabel=x, ylabel=y)
        ax.legend(frameon=False)

    return picture(draw)


def ranks(names, values, label):
    """A bar for each of the first ten names."""

    def draw(ax):
        ax.barh(list(names)[9::-1], list(values)[9::-1], color=COLOURS["blue"])
        ax.set_xlabel(label)

    return picture(draw)


def chances(names, logits):
    """The probabilities of one image."""
    return ranks(names, calib.softmax(np.array([logits]))[0], "probability")


def triangle(names, starts, ends):
    """Lines on the triangle of three classes, with a dot at their ends."""

    def draw(ax):
        ax.plot(*CORNERS[[0, 1, 2, 0]].T, "--", color=COLOURS["black"], lw=1)
        pairs = np.stack([starts, ends]) @ CORNERS
        ax.plot(*pairs.transpose(2, 0, 1), color=COLOURS["blue"], lw=1)
        ax.plot(*pairs[1].T, "o", color=COLOURS["vermillion"], ms=3)
        for name, (x, y) in zip(names, CORNERS, strict=True):
            ax.text(x, y, name, ha="center", va="top" if y == 0 else "bottom")
        ax.set_aspect("equal")
        ax.axis("off")

    return picture(draw)
