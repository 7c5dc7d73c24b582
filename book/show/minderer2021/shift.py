"""What do corrupted and shifted images do to error and ECE?"""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.display import expect, glue_values, signed
from book.show.looks import SMALL, looks
from book.show.minderer2021.shared_looks import OUR_LOOKS, TITLES
from calib.plots import COLOURS
from evidence import claims


def draw_arrow(
    ax: Axes, start: Any, end: Any, name: str, look: Any, below: bool = False
) -> None:
    """Draw a network's way from clean to shifted images, and its name at the tip."""
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", **look})
    ax.plot(*start, "o", ms=4, **look)
    at: dict[str, Any] = {
        "xytext": (4, -9 if below else 3),
        "textcoords": "offset points",
    }
    ax.annotate(name, end, fontsize=SMALL, **look, **at)


def draw_errors_under_corruption(
    networks: pd.DataFrame, alexnet: pd.DataFrame, resnets: pd.DataFrame
) -> Figure:
    """Draw error and ECE, clean and shifted: five networks, AlexNet by severity, two ResNet-50."""
    figure, axes = plt.subplots(
        3, 1, figsize=(5.4, 9.6), layout="constrained", sharex=True
    )
    for ax, level in zip(axes, ("corrupted", "sketch"), strict=False):
        for (kind, model), row in networks.iterrows():
            look = {"color": COLOURS["green" if kind == "transformer" else "blue"]}
            # beside the tip these names would hit those of their neighbours
            below = model.endswith(("32", "121"))
            draw_arrow(ax, row["none"], row[level], model, look, below=below)
        ax.set(title=level, ylabel="ECE (%)", xlim=(10, 98), ylim=(0, 27))
    black = {"color": COLOURS["black"]}
    axes[2].plot(alexnet["error"], alexnet["ECE"], "-o", ms=4, label="AlexNet", **black)
    for severity, row in alexnet.iterrows():
        at = {"xytext": (4, 3), "textcoords": "offset points", "fontsize": SMALL}
        axes[2].annotate(severity, row[["error", "ECE"]], **at)
    for (name, row), colour in zip(resnets.iterrows(), ("blue", "orange"), strict=True):
        look = {"color": COLOURS[colour]}
        label, below = f"ResNet-50, {name}", name == "plain"
        draw_arrow(axes[2], row["ImageNet"], row["ImageNet-C"], label, look, below)
    title = "AlexNet by severity, ResNet-50 in the mean"
    axes[2].set(title=title, xlabel="error (%)", ylabel="ECE (%)", ylim=(0, 27))
    return figure


def draw_errors_by_severity(lines: pd.Series) -> Figure:
    """Draw ECE as trained, ECE scaled and error of our sizes against the severity."""
    panels = {
        "ECE (%), as trained": ("ECE", "Uncalibrated"),
        "ECE (%), scaled": ("ECE", "Temperature scaling"),
        "error (%)": ("Accuracy", "Uncalibrated"),
    }
    figure, axes = plt.subplots(
        3, 1, figsize=(5.4, 8), layout="constrained", sharex=True
    )
    for ax, (label, (metric, method)) in zip(axes, panels.items(), strict=True):
        rows = lines.xs((metric, method), level=("metric", "method")).reset_index()
        # thin to thick lines: sizes of one family, and not of two, are compared
        rows["size"] = rows.groupby("family")["parameters"].rank("dense").astype(int)
        rows["value"] = 100 - rows["value"] if metric == "Accuracy" else rows["value"]
        kinds = looks("family", OUR_LOOKS, marker=False) | {
            "size": "size",
            "sizes": (0.6, 2.7),
        }
        sns.lineplot(
            rows, x="severity", y="value", **kinds, legend=ax is axes[0], ax=ax
        )
        ax.set(ylabel=label, ylim=(0, None))
    sns.move_legend(axes[0], "upper left", ncols=2, fontsize=SMALL, frameon=False)
    return figure


def draw_largest_less_smallest(changes: pd.DataFrame) -> Figure:
    """Draw the ECE of the largest network less that of the smallest, with intervals."""
    figure, axes = plt.subplots(
        2, 1, figsize=(5.4, 6.4), layout="constrained", sharex=True
    )
    for ax, method in zip(axes, TITLES, strict=True):
        for i, (name, (colour, _, marker)) in enumerate(OUR_LOOKS.items()):
            rows = changes.loc[method, name]
            style: dict[str, Any] = {"color": COLOURS[colour]}
            # the four side by side around their severity
            x = rows.index + 0.06 * (i - 1.5)
            ax.vlines(x, rows["low"], rows["high"], **style)
            ax.plot(x, rows["effect"], marker=marker, ms=4, label=name, **style)
        ax.axhline(0, color=COLOURS["black"], lw=0.8)
        ax.set(title=TITLES[method], ylabel="largest less smallest (points)")
    axes[1].set_xlabel("severity")
    axes[1].legend(fontsize=SMALL, frameon=False)
    return figure


def draw_errors_under_natural_shifts(
    networks: pd.DataFrame, fronts: Mapping[str, Any]
) -> Figure:
    """Draw error and ECE of a ResNet-50 trained in several ways, a panel a set of images.

    Those on the front, which no other one beats in both, are filled and joined.
    """
    figure, axes = plt.subplots(
        len(fronts), 1, figsize=(5.4, 8.4), layout="constrained"
    )
    for ax, (images, front) in zip(axes, fronts.items(), strict=True):
        rows = networks[images]
        ax.plot(rows["error"], rows["ECE"], "o", mfc="white", color=COLOURS["blue"])
        best = rows.loc[list(front)].sort_values("error")
        ax.plot(best["error"], best["ECE"], "-o", color=COLOURS["blue"], lw=1)
        for name, row in rows.iterrows():
            at: dict[str, Any] = {
                "xytext": (4, 3),
                "textcoords": "offset points",
                "fontsize": SMALL,
            }
            ax.annotate(name, row[["error", "ECE"]], **at)
        ax.set(title=images, ylabel="ECE (%)")
        ax.margins(x=0.15, y=0.2)
    axes[-1].set_xlabel("error (%)")
    return figure


def glue_loss_by_corruption(ledger: pd.DataFrame) -> None:
    """Glue what corruption takes from our ViT and residual networks, in both units of the row.

    In points of accuracy, as the ledger has it of ours, and as a share of the clean accuracy, as
    the table of others has it of public networks; at the last severity.
    """
    rows = claims.zoo_folder("shift").query(
        "block == 'minderer-family' and metric == 'Accuracy' and method == 'Uncalibrated'"
    )
    accuracy = rows.groupby(["family", "name", "severity"])["value"].mean().unstack()
    lost = (accuracy[0] - accuracy[5]).groupby("family").mean()
    left = (accuracy[5] / accuracy[0]).groupby("family").mean()
    points = ledger.set_index(["id", "evidence"]).estimate["minderer-vit-robust", "zoo"]
    more = lost["ViT"] - lost["ResNet"]
    expect(
        np.isclose(more, -points, atol=0.01),
        "the text says what corruption takes in both units",
    )
    glue_values(
        "minderer-robust",
        points=f"{more:.1f}",
        share=signed(left["ViT"] - left["ResNet"], 2),
    )
