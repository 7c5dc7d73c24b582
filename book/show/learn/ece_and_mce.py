"""Figures and numbers of the chapter *ECE and MCE*."""

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values
from book.show.looks import MEANING, label_lines
from calib.plots import COLOURS, PALE
from evidence.network_outputs import Outputs

STYLES: dict[str, tuple[Callable[[int], Any], str, str]] = {
    "equal width": (calib.equal_width, "blue", "o"),
    "equal mass": (calib.equal_mass, "purple", "s"),
}
N_BINS = (2, 5, 10, 15, 20, 30, 50, 75, 100)


def draw_ece_as_area(h_own: np.ndarray, s_own: np.ndarray, test: Outputs) -> Figure:
    """Draw bars as wide as their share of images, as high as their gap, upon what chance makes."""
    groups, chance = calib.equal_width(15)(s_own, h_own), calib.consistency_band(s_own)
    share = 100 * groups.count / groups.count.sum()
    left, gap = share.cumsum() - share, -100 * groups.gap
    style: dict[str, Any] = {"width": share, "align": "edge"}
    hatched: dict[str, Any] = {
        "facecolor": PALE,
        "edgecolor": COLOURS["vermillion"],
        "hatch": "////",
    }
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    ax.bar(left, gap, **style, **hatched, label="gap")
    # the range is of hits: score less hits turns its ends round
    low, high = (100 * (groups.mean_score - end) for end in (chance.high, chance.low))
    grey: dict[str, Any] = {
        "color": MEANING["by chance"],
        "label": "95 % range if calibrated",
    }
    ax.bar(left, high - low, bottom=low, alpha=0.5, **style, **grey)
    ax.text(14, -8, "grey: range of chance", color=grey["color"], va="center")
    most = np.nanargmax(gap)
    ax.text(
        left[most] + 4, gap[most], f"MCE: the highest bar, {gap[most]:.0f} %", va="top"
    )
    ece = 100 * calib.ece(test.y, test.prob)
    ax.text(57, gap[-1] + 1, f"ECE: the whole area, {ece:.1f} %", ha="center")
    by_chance = 100 * calib.error_if_calibrated(s_own)
    label = f"ECE by chance: {by_chance:.1f} %"
    ax.text(57, -1.5, label, color=grey["color"], ha="center", va="top")
    ax.set(
        xlabel="images, from unsure to sure, %", ylabel="confidence − accuracy, points"
    )
    ax.set(xlim=(0, 100), ylim=(-12, 34))
    return fig


def glue_errors_of_networks(table: pd.DataFrame) -> None:
    """Glue ECE and MCE of the first network, and their ranges over the deeper ones."""
    small, deep = table.iloc[0], table.iloc[1:]
    beyond = 100 * (table["ECE"] - table["says"] + table["right"])
    expect(
        np.isclose(beyond.iloc[0], 0),
        "the text says that the ECE of the first is confidence less accuracy",
    )
    glue_values(
        "ece", beyond=f"{beyond.max():.2f}", fewer=f"{100 * deep['ECE'].median():.0f}"
    )
    expect(
        deep["ECE"].idxmax() == "ResNet-20",
        "the text names the network with the largest ECE",
    )
    least, largest = deep.min(), deep.max()
    glue_values("ece", own=f"{small['ECE']:.2%}", own_images=f"{int(small['images'])}")
    glue_values("ece", range=f"{least['ECE']:.1%} to {largest['ECE']:.1%}")
    glue_values("mce", range=f"{least['MCE']:.0%} to {largest['MCE']:.0%}")
    glue_values("mce", max_images=f"{int(largest['images'])}")


def draw_ece_by_bin_number(y_true: np.ndarray, y_prob: np.ndarray, ax: Axes) -> None:
    """Draw the ECE against the number of bins; in grey, what chance shows with them."""
    score, hit = calib.top_label(y_true, y_prob)
    for name, (binning, colour, marker) in STYLES.items():
        style: dict[str, Any] = {"marker": marker, "markersize": 4.5}
        measured = [
            calib.calibration_error(hit, score, bins=binning(m)) for m in N_BINS
        ]
        ax.plot(N_BINS, measured, label=name, color=COLOURS[colour], **style)
        expected = [calib.error_if_calibrated(score, bins=binning(m)) for m in N_BINS]
        style |= {"color": MEANING["by chance"], "label": f"_{name}, by chance"}
        ax.plot(N_BINS, expected, "--", mfc="none", **style)
    ax.set_ylim(bottom=0)


def draw_ece_as_trained_and_divided(divided: np.ndarray, test: Outputs) -> Figure:
    """Draw ECE and its chance level against the number of bins: as trained, and logits divided."""
    fig, axes = plt.subplots(
        2, 1, figsize=(5.2, 5.6), sharex=True, layout="constrained"
    )
    drawn = {"as trained": test.prob, "logits divided by 2.4": divided}
    for ax, (title, prob) in zip(axes, drawn.items(), strict=True):
        draw_ece_by_bin_number(test.y, prob, ax)
        ax.set_title(title)
        ax.yaxis.set_major_formatter("{x:.1%}")
        ax.set(ylabel="ECE", xlim=(0, 125), xticks=range(0, 101, 20))
    axes[0].text(50, 0.089, "measured", ha="center", va="top")
    for ax, height in zip(axes, (0.012, 0.009), strict=True):
        ax.text(40, height, "by chance", color=MEANING["by chance"])
    axes[1].set_xlabel("number of bins")
    label_lines(axes[1])
    return fig


def in_doubt(
    y: np.ndarray, prob: np.ndarray, class_: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return score and hit of a class where its probability is between 1 and 99 %."""
    score, hit = prob[:, class_], y == class_
    is_doubtful = (score > 0.01) & (score < 0.99)
    return score[is_doubtful], hit[is_doubtful]


def glue_ece_of_shirts(score: np.ndarray, hit: np.ndarray) -> None:
    """Glue the ECE of the class shirt with one bin, two and a hundred, and what chance shows."""
    times = {}
    for m in (1, 2, 100):
        value = calib.ece(hit, score, n_bins=m)
        by_chance = calib.error_if_calibrated(score, bins=calib.equal_width(m))
        glue_values(
            "ece-shirt", **{f"{m}": f"{value:.2%}", f"chance_{m}": f"{by_chance:.2%}"}
        )
        times[m] = value / by_chance
    expect(
        times[2] > 3 * max(times[1], times[100]),
        "the text says that two bins show the error of shirts, one and a hundred do not",
    )
    glue_values("ece-shirt", n=f"{len(score):,}")
