"""Plots of many axes of the notebook on Nixon et al. (2019)."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from book.show.looks import looks
from book.show.seed_effects import draw_by_setting
from calib.plots import COLOURS

DECAY_LOOKS = {0.5: ("green", ":"), 0.9: ("blue", "-"), 0.98: ("vermillion", "-.")}
TRAINING_ERRORS = {  # columns of the curves of training: the paper's name, colour and dash
    "ece": ("ECE", "blue", "-"),
    "tace": ("TACE", "vermillion", "--"),
    "classwise_ece": ("SCE", "green", "-."),
    "ace": ("ACE", "purple", ":"),
    "psce": ("PSCE", "black", (5, 1)),
    "ks_error": ("KS", "orange", (3, 1, 1, 1)),
}
NOISE_LOOKS = {"ECE": ("blue", "o-"), "TACE": ("vermillion", "s--")}
NOISE_LOOKS |= {"SCE": ("green", "^-."), "ACE": ("purple", "D:")}


def draw_errors_of_classes(
    panels: Mapping[str, tuple[pd.DataFrame, pd.DataFrame]],
) -> Figure:
    """Draw the errors of classes as trained, upon what chance makes, and after a temperature."""
    size: dict[str, Any] = {"figsize": (5.6, 3 * len(panels)), "layout": "constrained"}
    figure, axes = plt.subplots(len(panels), 1, **size)
    for ax, (title, (before, after)) in zip(axes, panels.items(), strict=True):
        before = before.sort_values("error")
        # in the order of the errors before, so that a class keeps its rank
        after = after.loc[before.index]
        ranks = np.arange(len(before))
        ax.bar(ranks, before["calibrated_high"], width=1, color="0.85")
        ax.plot(ranks, before["error"], "o", ms=3.5, mfc="none", color=COLOURS["blue"])
        ax.plot(ranks, after["error"], "x", ms=4, color=COLOURS["vermillion"])
        ax.set(
            title=title, xlabel="class, by its error", ylabel="error of the class (%)"
        )
    return figure


def draw_weights_and_bias_of_psce(
    points: np.ndarray, bias: Mapping[tuple[str, float], np.ndarray]
) -> Figure:
    """Draw the weights of PSCE at 0.5; its curve minus the score, by kind of scores and decay."""
    size: dict[str, Any] = {
        "figsize": (5, 7.5),
        "layout": "constrained",
        "sharex": True,
    }
    figure, axes = plt.subplots(3, 1, **size)
    panels = dict(zip(dict.fromkeys(title for title, _ in bias), axes[1:], strict=True))
    for decay, (colour, dash) in DECAY_LOOKS.items():
        look = {"color": COLOURS[colour], "ls": dash, "label": f"decay {decay}"}
        # a sample weighs a factor `decay` less for each point of score between them
        axes[0].plot(points, decay ** (100 * abs(points - 0.5)), **look)
        for title, ax in panels.items():
            ax.plot(points, bias[title, decay], **look)
            ax.axhline(0, color="black", lw=0.8)
            ax.set(
                title=f"{title} scores", ylabel="curve minus score", ylim=(-0.45, 0.45)
            )
    axes[0].set(title="weight at 0.5")
    axes[0].legend(frameon=False)
    axes[2].set_xlabel("score")
    return figure


def draw_errors_in_training(curves: pd.DataFrame) -> Figure:
    """Draw six errors in per cent during training, on training and on test images."""
    rows = curves.melt(["split", "step"], list(TRAINING_ERRORS), "metric", "error")
    rows["metric"] = rows["metric"].map(
        {key: name for key, (name, *_) in TRAINING_ERRORS.items()}
    )
    kinds = {
        name: (colour, dash, "") for name, colour, dash in TRAINING_ERRORS.values()
    }
    grid = sns.relplot(
        rows.assign(error=100 * rows["error"], split=rows["split"] + " images"),
        x="step",
        y="error",
        kind="line",
        errorbar=None,
        col="split",
        height=4,
        aspect=0.6,
        **looks("metric", kinds, marker=False),
    )
    grid.set(yscale="log", ylabel="error (%)").set_titles("{col_name}")
    return grid.figure


def draw_errors_by_noise(simulated: pd.DataFrame, trained: pd.DataFrame) -> Figure:
    """Draw four errors against label noise, simulated with their scatter, and of networks."""
    size: dict[str, Any] = {
        "figsize": (5.6, 4),
        "layout": "constrained",
        "sharey": True,
    }
    figure, axes = plt.subplots(1, 2, **size)
    levels = simulated.groupby("noise")
    means, scatter = levels.mean(), levels.std()
    for name, (colour, look) in NOISE_LOOKS.items():
        style: dict[str, Any] = {"color": COLOURS[colour], "mfc": "none"}
        ends = {"yerr": scatter[name], "fmt": look, "capsize": 2, "label": name}
        axes[0].errorbar(means.index, means[name], **ends, **style)
        axes[1].plot(trained[name], look, **style)
    axes[0].set(yscale="log", xlabel="share of wrong test labels", ylabel="error (%)")
    axes[1].set(xlabel="share of wrong training labels")
    axes[0].legend(frameon=False)
    return figure


def draw_errors_by_initialisation(networks: pd.DataFrame) -> Figure:
    """Draw ECE and error of networks, fractions, by their first weights."""
    figure, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
    names = {kind: kind for kind in ("glorot", "he", "normal-0.1", "normal-0.3")}
    draw_by_setting(ax, networks, "initialisation", names=names)
    ax.set(ylabel="%", ylim=(0, None))
    ax.legend(frameon=False)
    return figure
