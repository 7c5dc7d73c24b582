"""Plots of many axes of the notebook on Gupta et al. (2021)."""

from collections.abc import Iterable
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from book.show.looks import SMALL, looks
from calib.plots import COLOURS

GRAPHS = {  # the paper's letter: what stands across, and the two curves
    "a": ("fractile", "cumulative_score", "cumulative_hit"),
    "b": ("cumulative_score", "cumulative_score", "cumulative_hit"),
    "c": ("fractile", "score", "frequency"),
    "d": ("score", "score", "frequency"),
}
STAGES = {  # what is drawn of a network: the set, and whether the spline was applied
    "before,\ntest": ("test", False),
    "after,\ncalibration": ("calibration", True),
    "after,\ntest": ("test", True),
}
RUNOUT_LOOKS = {
    "natural": ("", "-", "o"),
    "parabolic": ("", "--", "s"),
    "cubic": ("", ":", "^"),
}
EVIDENCE_LOOKS = {
    "printed": ("vermillion", "", "D"),
    "public": ("blue", "", "o"),
    "ours": ("green", "", "s"),
}


def _draw_graphs(graph: pd.DataFrame, axes: Iterable[Any]) -> None:
    """Draw the paper's four graphs of one network on four axes."""
    for ax, (letter, (x, score, probability)) in zip(axes, GRAPHS.items(), strict=True):
        ax.plot(graph[x], graph[score], "--", color=COLOURS["blue"], label="score")
        ax.plot(
            graph[x],
            graph[probability],
            color=COLOURS["vermillion"],
            label="probability",
        )
        ax.set_xlabel(f"({letter}) {x.replace('_', ' ')}", fontsize=SMALL)
        ax.locator_params(nbins=3)


def draw_four_graphs(graph: pd.DataFrame) -> Figure:
    """Draw the four graphs as the paper arranges them, and return the figure."""
    figure, axes = plt.subplots(2, 2, figsize=(5.6, 5), layout="constrained")
    _draw_graphs(graph, axes.flat)
    axes[0, 0].legend(frameon=False)
    return figure


def draw_before_and_after(graphs: pd.DataFrame) -> Figure:
    """Draw the four graphs (rows) before the spline, and after it on both sets (columns)."""
    figure, axes = plt.subplots(4, 3, figsize=(4.8, 7.4), layout="constrained")
    for column, (stage, at) in zip(axes.T, STAGES.items(), strict=True):
        graph = graphs.loc[at]
        _draw_graphs(graph, column)
        error = 100 * graph["ks"].iloc[0]
        column[0].set_title(f"{stage}\nKS {error:.2f} %", fontsize=SMALL)
    lines = axes[0, 0].get_legend_handles_labels()
    figure.legend(*lines, loc="outside lower center", ncols=2, frameon=False)
    return figure


def draw_knots(knots: pd.DataFrame, printed: dict[str, float]) -> Figure:
    """Draw the KS error against the number of knots, a panel a view, and the printed values."""
    kinds = looks("runout", RUNOUT_LOOKS)
    kinds |= looks("target", {"gap": "blue", "hits": "vermillion"})
    kinds |= {"col": "view", "col_order": list(printed), "height": 3.4, "aspect": 0.66}
    rows = knots.assign(ks=100 * knots["ks"])
    grid = sns.relplot(rows, x="n_knots", y="ks", kind="line", errorbar=None, **kinds)
    for ax, value in zip(grid.axes.flat, printed.values(), strict=True):
        ax.axhline(value, color="black", ls=":", lw=1.2)
    grid.set(xlabel="knots", ylabel="KS error (%)", ylim=(0, None)).set_titles(
        "{col_name}"
    )
    return grid.figure


def draw_measures(study: pd.DataFrame) -> Figure:
    """Draw what measures of two models give by sample size, and the true values."""
    figure, axes = plt.subplots(1, 2, figsize=(5.4, 3.4), layout="constrained")
    names = ["vermillion", "blue", "green"]
    colours = dict(zip(study["metric"].unique(), names, strict=True))
    for ax, (model, part) in zip(axes, study.groupby("model", sort=False), strict=True):
        for metric, rows in part.groupby("metric", sort=False):
            # its truth has the same colour, dashed
            look = {"color": COLOURS[colours[metric]]}
            ends = 100 * rows["mean"], 100 * rows["sd"]
            ax.errorbar(
                rows["n"], *ends, marker="o", ms=4, capsize=2, label=metric, **look
            )
            ax.plot(rows["n"], 100 * rows["truth"], "--", lw=1, **look)
        ax.set(xscale="log", xlabel="samples", title=model, ylim=(0, None))
    axes[0].set_ylabel("error (%)")
    axes[0].legend(frameon=False)
    return figure


def draw_spline_and_temperature(networks: pd.DataFrame) -> Figure:
    """Draw the KS errors after both maps, a mark a network, its colour the evidence."""
    figure, ax = plt.subplots(figsize=(5, 4.6), layout="constrained")
    kinds = looks("evidence", EVIDENCE_LOOKS, line=False)
    sns.scatterplot(networks, x="temp.", y="spline", s=26, alpha=0.75, **kinds, ax=ax)
    # the diagonal; by two points, since a slope means nothing on logarithmic axes
    ax.axline((1, 1), (2, 2), color="black", lw=0.8)
    ax.set(xscale="log", yscale="log", xlabel="KS after temperature scaling (%)")
    ax.set_ylabel("KS after a spline (%)")
    sns.move_legend(ax, "best", title=None, frameon=False)
    return figure
