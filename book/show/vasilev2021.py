"""Plots of many axes of the notebook on Vasilev and D'yakonov (2021), and its finder of cells."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.replication import KINDS
from calib.plots import COLOURS

KIND_LOOKS = (("vermillion", "D"), ("blue", "o"), ("green", "s"))
DIGITS = {"cwECE": 3, "NLL": 3, "Brier": 3}  # else 2
UNITS = {"NLL": "nats", "Brier": "sum"}  # else per cent


def draw_ranks(ranks: Mapping[str, Mapping[str, tuple[pd.Series, float]]]) -> Figure:
    """Draw mean ranks and half the critical difference to each side: a panel a metric.

    `ranks` has, by kind of networks and metric, the mean ranks of methods and the difference.
    """
    size = {"figsize": (5.4, 8.4), "layout": "constrained"}
    figure, axes = plt.subplots(3, 2, sharey=True, **size)
    for i, (kind, metrics) in enumerate(ranks.items()):
        colour, marker = COLOURS[KIND_LOOKS[i][0]], KIND_LOOKS[i][1]
        for ax, (metric, (mean, reach)) in zip(axes.flat, metrics.items(), strict=True):
            # the first method on top; the kinds stand below one another on its line
            y = np.arange(len(mean))[::-1] - 0.22 * (i - len(ranks) / 2 + 0.5)
            ax.hlines(y, mean - reach / 2, mean + reach / 2, color=colour, lw=2)
            ax.plot(mean, y, marker, color=colour, ms=5, label=kind)
            ax.set(title=metric, xlabel="mean rank", yticks=range(len(mean)))
            ax.set_yticklabels(mean.index[::-1])
    keys = axes[0, 0].get_legend_handles_labels()
    figure.legend(*keys, loc="outside lower center", ncols=3, frameon=False)
    return figure


def draw_printed_and_ranges(ax: Axes, names: Sequence[str], rows: pd.DataFrame) -> None:
    """Draw printed numbers upon the range and the median of recomputed ones."""
    look = {"color": COLOURS["blue"], "lw": 4, "alpha": 0.6}
    ax.hlines(names, rows["low"], rows["high"], **look)
    ax.plot(rows["recomputed"], names, "|", color=COLOURS["black"], ms=12)
    ax.plot(rows["printed"], names, "D", color=COLOURS["vermillion"], ms=6)


def draw_halves(cells: pd.DataFrame, methods: Mapping[str, str]) -> Figure:
    """Draw three metrics of one network, in print and over halves: a column a loss."""
    size = {"figsize": (5.2, 7.4), "layout": "constrained", "sharey": True}
    figure, axes = plt.subplots(3, 2, **size)
    backwards = list(methods)[::-1]
    names = [methods[method] for method in backwards]
    for line, metric in zip(axes, ("ECE", "cwECE", "MCE"), strict=True):
        for ax, (loss, part) in zip(line, cells.groupby("loss"), strict=True):
            part = part[part["metric"] == metric].set_index("method")
            draw_printed_and_ranges(ax, names, part.loc[backwards])
            ax.set(xlabel=f"{metric} (%)", xlim=(0, None), title=loss)
    return figure


def draw_namesakes(panels: Mapping[tuple[str, str], pd.DataFrame]) -> Figure:
    """Draw networks in print and over halves of their namesakes: a panel a metric and method."""
    size = {"figsize": (5.6, 4.2), "layout": "constrained", "sharey": True}
    figure, axes = plt.subplots(1, len(panels), **size)
    for ax, ((metric, method), part) in zip(axes, panels.items(), strict=True):
        draw_printed_and_ranges(ax, part["model"][::-1].tolist(), part[::-1])
        ax.set(xlabel=f"{metric} (%)", title=method)
    return figure


def lookup(rows: pd.DataFrame) -> pd.DataFrame:
    """Return every cell as text to look up: printed, ours with its mark, the rank in its row."""
    # the first rank is the best: of accuracy the highest, of all others the lowest
    lower = rows["printed"].where(rows["metric"] != "Accuracy", -rows["printed"])
    # Tables 1 and 2 compare losses within a row, the others have one a row
    across = rows["loss"].where(rows["table"] > 2, "")
    row = [*(rows[key] for key in ("table", "dataset", "model")), across]
    units = rows["metric"] + " (" + rows["metric"].map(UNITS).fillna("%") + ")"
    loss = " (" + rows["loss"] + ")"
    digits = rows["metric"].map(DIGITS).fillna(2).astype(int)
    ours = zip(rows["ours"], digits, rows["kind"], strict=True)
    printed = zip(rows["printed"], digits, strict=True)
    return pd.DataFrame(
        {
            "Table": rows["table"].astype(str) + " " + units,
            "Data": rows["dataset"],
            "Model": rows["model"] + loss.where(rows["loss"] != "", ""),
            "Method": rows["method"],
            "Print": [f"{value:.{places}f}" for value, places in printed],
            "Ours": [_with_mark(*cell) for cell in ours],
            "Rank": lower.groupby(row).rank(method="min").astype(int),
        }
    )


def _with_mark(value: float, digits: int, kind: str) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}f} {KINDS[kind]}".strip()
