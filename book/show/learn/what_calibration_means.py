"""Figures and numbers of the chapter *What calibration means*."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from book.show.looks import MEANING
from book.show.story import DRESS_INDEX, photograph
from calib.plots import COLOURS, GREY
from calib.views import View


def draw_promises_about_dress(
    shown: Sequence[Sequence[bool | float]], percent: Sequence[float]
) -> Figure:
    """Draw a dress, and four promises that the network of story makes about it: a bar each."""
    fig, (left, ax) = plt.subplots(
        1, 2, figsize=(5.6, 1.9), width_ratios=[1, 3], layout="constrained"
    )
    left.imshow(photograph(DRESS_INDEX), cmap="gray_r")
    left.axis("off")
    promises = [
        "first answer: shirt",
        "it is a dress",
        "second answer: dress",
        "shirt or dress",
    ]
    colours = [MEANING["right" if hit else "wrong"] for _, hit in shown]
    bars = ax.barh(promises, percent, color=colours)
    labels = [f"says {100 * s:.1f} %: {'true' if hit else 'false'}" for s, hit in shown]
    ax.bar_label(bars, labels, padding=3)
    ax.set(xlim=(0, 200), xticks=[0, 50, 100], ylim=(3.6, -0.6))
    # the axis ends at 100 %; the words stand beyond it
    ax.spines["bottom"].set_bounds(0, 100)
    return fig


def bin_means(
    score: np.ndarray,
    hit: np.ndarray,
    weight: np.ndarray | None = None,
    n_bins: int = 12,
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean scores and mean hits of bins of equal mass, in percent."""
    bins = calib.equal_mass(n_bins)(score, hit, weight)
    return 100 * bins.mean_score, 100 * bins.mean_hit


def draw_hits_by_view(
    enumerated: Sequence[np.ndarray], p: np.ndarray, y: np.ndarray
) -> Figure:
    """Draw hits against score of one network, of a sample and in truth: a panel a view.

    `enumerated` are each label of many predictions, these, and the weight that the label has.
    """
    labels, predictions, weight = enumerated
    panels: dict[str, View] = {
        "top label": calib.top_label,
        "class 0 against the rest": calib.one_vs_rest(0),
        "second-ranked class": calib.top_r(2),
        "within the first two": calib.within_top_r(2),
    }
    fig, axes = plt.subplots(
        2, 2, figsize=(5.4, 5.8), sharex=True, sharey=True, layout="constrained"
    )
    for ax, (title, view) in zip(axes.flat, panels.items(), strict=True):
        ax.plot([0, 100], [0, 100], "--", color=GREY, lw=1, label="promise")
        score, hit = view(labels, predictions)
        truth = bin_means(score, hit, weight, n_bins=40)
        ax.plot(*truth, color=COLOURS["green"], label="truth")
        ax.plot(
            *bin_means(*view(y, p)),
            "o",
            ms=5,
            color=COLOURS["blue"],
            label="3000 samples",
        )
        ax.set(title=title, aspect="equal", xlim=(0, 100), ylim=(0, 100))
    fig.supxlabel("score (%)", fontsize="medium")
    fig.supylabel("hits (%)", fontsize="medium")
    axes[0, 0].text(55, 63, "promise", ha="right")
    axes[0, 0].text(60, 38, "truth")
    axes[0, 0].text(55, 5, "too sure")
    axes[1, 0].text(30, 90, "underconfident")
    return fig
