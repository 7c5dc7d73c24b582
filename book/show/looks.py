"""The look of every figure of the book: letters, frame, and what a colour means."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from calib.plots import COLOURS, GREY, LINES, PALE

# Source Sans Pro by Adobe (SIL OFL 1.1), parts of it under another name. Made by: pyftsubset
# source-sans-pro-regular.ttf --layout-features=kern --no-hinting --unicodes=...
LETTERS = sorted(Path(__file__).parent.glob("letters*.ttf"))
SMALL, HIGH = 10, 13  # points: letters that a phone shows with 9 pixels; a line of them
STYLE = {  # letters that are not in the first family come from the second
    "font.family": ["Calib Sans", "DejaVu Sans", "sans-serif"],
    "font.size": 12,
    "mathtext.fontset": "stixsans",
    "figure.figsize": (5.4, 3.8),
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "legend.title_fontsize": SMALL,
    "lines.linewidth": 1.6,
    "xtick.color": GREY,
    "xtick.labelcolor": "black",
    "xtick.labelsize": SMALL,
    "ytick.color": GREY,
    "ytick.labelcolor": "black",
    "ytick.labelsize": SMALL,
}
MEANING = {  # in figures and in explorables
    "before": COLOURS["vermillion"],
    "after": COLOURS["blue"],
    "wrong": COLOURS["vermillion"],
    "right": COLOURS["blue"],
    "by chance": GREY,
}
METHODS = {
    "none": ("0.55", "-", "x"),
    "temperature": (COLOURS["black"], "-", "o"),
    "ensemble temperature": (COLOURS["black"], ":", "p"),
    "vector": (COLOURS["vermillion"], "-", "s"),
    "matrix": (COLOURS["purple"], "-", "D"),
    "matrix, ODIR": (COLOURS["purple"], "--", "d"),
    "Platt": (COLOURS["orange"], "--", "<"),
    "beta": (COLOURS["orange"], "-.", ">"),
    "histogram": (COLOURS["green"], "-", "v"),
    "scaling-binning": (COLOURS["green"], ":", "h"),
    "BBQ": (COLOURS["green"], "--", "^"),
    "isotonic": (COLOURS["blue"], "-", "P"),
    "spline": (COLOURS["sky"], "-.", "*"),
}
DATASETS = {
    "CIFAR-10": (COLOURS["blue"], "-", "o"),
    "CIFAR-100": (COLOURS["vermillion"], "-", "s"),
    "ImageNet": (COLOURS["green"], "-", "^"),
    "Tiny ImageNet": (COLOURS["purple"], "-", "D"),
}
FAULTS: dict[
    str, dict[str, Any]
] = {  # the parts of a proper score; unknown: thrown away or noise
    "noise": {"color": "0.8"},
    "thrown away": {"color": COLOURS["blue"]},
    "miscalibrated": {"color": COLOURS["orange"]},
    "unknown": {
        "facecolor": "0.8",
        "edgecolor": COLOURS["blue"],
        "hatch": "////",
        "lw": 0,
    },
}
ON_BLACK = {"mint": "#4DC9A5", "brown": "#4A3826"}  # green and pale of a dark page
# as seaborn asks
DASHES = {"": "", "-": "", "--": (4, 1.5), "-.": (6, 2, 1, 2), ":": (1, 1.5)}


def set_style() -> None:
    """Draw from here on with the book's letters, frame and colours."""
    from cycler import cycler
    from matplotlib import font_manager, rcParams

    for file in LETTERS:
        font_manager.fontManager.addfont(file)
    rcParams.update(STYLE)
    rcParams["axes.prop_cycle"] = cycler(color=[COLOURS[name] for name in LINES])


def label_lines(ax: Any, above: Any = (), below: Any = ()) -> list[Any]:
    """Write the label of each line at its right end, in its colour, in place of a legend.

    A line named in `above` or `below`, with a number, has it there instead, beside the point with
    this x. Labels at the ends keep a line's height between them.
    """
    places: dict[str, float] = dict(above) | dict(below)
    lowest, texts = -np.inf, []
    lines = [line for line in ax.lines if not line.get_label().startswith("_")]
    for line in sorted(lines, key=lambda line: line.get_ydata()[-1]):
        name, place = line.get_label(), line.get_xydata()[-1]
        if name in places:
            place, style = _beside(line, places[name], is_above=name not in below)
        else:
            end = ax.transData.transform(place)[1] * 72 / ax.figure.dpi
            lowest = max(end, lowest + HIGH)
            style = {"xytext": (5, lowest - end), "va": "center"}
        style |= {
            "color": line.get_color(),
            "fontsize": SMALL,
            "textcoords": "offset points",
        }
        texts.append(ax.annotate(name, tuple(place), annotation_clip=False, **style))
    return texts


def _beside(line: Any, x: float, *, is_above: bool) -> tuple[Any, dict[str, Any]]:
    """Return a point of a line, and how a label stands beside it."""
    before, y, after = np.interp([0.95 * x, x, 1.05 * x], *line.get_data())
    # above a line that rises there is room at the left, above one that falls at the right
    side = "right" if (after > before) == is_above else "left"
    if is_above:
        return (x, y), {"xytext": (0, 3), "va": "bottom", "ha": side}
    return (x, y), {"xytext": (0, -3), "va": "top", "ha": side}


def look(name: str, *, line: bool = True, marker: bool = False) -> dict[str, Any]:
    """Return what matplotlib takes for a method or a data set: its colour, dash and marker."""
    colour, dash, mark = (METHODS | DATASETS)[name]
    return dict(
        color=colour, linestyle=dash if line else "", marker=mark if marker else ""
    )


def looks(
    column: str, kinds: Mapping[str, Any], *, line: bool = True, marker: bool = True
) -> dict[str, Any]:
    """Return what seaborn takes to draw each kind of a column in its colour, dash and marker.

    `kinds` has colour, dash and marker by kind, as `METHODS`, or the colour alone; a colour may be
    a name of `calib.plots.COLOURS`, a dash seaborn's lengths. `line` and `marker` say what tells
    kinds apart beside the colour.
    """
    options: dict[str, Any] = {"hue": column, "hue_order": list(kinds)}
    if all(isinstance(colour, str) for colour in kinds.values()):
        return options | {"palette": _palette(kinds)}
    columns = zip(*kinds.values(), strict=True)
    colours, dashes, markers = (dict(zip(kinds, c, strict=True)) for c in columns)
    options["palette"] = _palette(colours)
    if line or marker:
        options |= {"style": column, "style_order": list(kinds)}
    if line:
        options["dashes"] = {kind: DASHES.get(d, d) for kind, d in dashes.items()}
    if marker:
        options["markers"] = markers
    return options


def _palette(colours: Mapping[str, str]) -> dict[str, str]:
    """Return colours as matplotlib takes them, names of ours spelt out."""
    return {kind: COLOURS.get(colour, colour) for kind, colour in colours.items()}


def stylesheet() -> str:
    """Return the colours of the figures for pages, as properties that their style sheets use."""
    colours = COLOURS | {"grey": GREY, "pale": PALE} | ON_BLACK
    return "".join(
        f":root {{ --calib-{name}: {value}; }}\n" for name, value in colours.items()
    )
