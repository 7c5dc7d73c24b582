"""Figures and numbers of the chapter *Temperature scaling*."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values, typeset, without_legend
from book.show.looks import MEANING
from book.show.story import photograph
from calib import TemperatureScaling
from calib.plots import COLOURS, reliability_plot
from evidence.data import Predictions
from evidence.network_outputs import Outputs


def draw_diagrams_before_and_after(test: Outputs, scaled: np.ndarray) -> Figure:
    """Draw a network's reliability before and after scaling, with its ECE and chance level."""
    fig, axes = plt.subplots(
        1, 2, figsize=(5.4, 3.0), sharey=True, layout="constrained"
    )
    versions = ("before", test.prob), ("after", scaled)
    for ax, (name, p) in zip(axes, versions, strict=True):
        without_legend(reliability_plot(test.y, p, band=0.95, ax=ax))
        ax.lines[-1].set_color(MEANING[name])
        ax.collections[0].set_color(MEANING["by chance"])
        chance = 100 * calib.error_if_calibrated(p.max(axis=1))
        error = f"{name}: ECE {100 * calib.ece(test.y, p):.1f} %"
        ax.set_title(f"{error}\n(by chance {chance:.1f} %)")
        ax.label_outer()
    axes[0].text(0.27, 0.55, "chance", color=MEANING["by chance"])
    return fig


def draw_probabilities_by_temperature(
    logits: np.ndarray, classes: Sequence[str], right: str
) -> Figure:
    """Draw the probabilities of a photograph, a bar a class: a panel for each of four temperatures.

    `logits` are of the first photograph that pages show, and `right` is its class.
    """
    fig, axes = plt.subplots(
        2, 2, figsize=(5.2, 5.4), sharey=True, sharex=True, layout="constrained"
    )
    for ax, T in zip(axes.flat, (1, 2, 4, 8), strict=True):
        p = calib.softmax(logits[None] / T)[0]
        of_bar = ["right" if name == right else "wrong" for name in classes]
        bars = ax.barh(classes, p, color=[MEANING[kind] for kind in of_bar])
        percent = [typeset(in_percent(value)) for value in p]
        ax.bar_label(bars, percent, padding=2, fontsize=10)
        ax.set(title=f"T = {T:g}", xlim=(0, 1.3), xticks=[0, 0.5, 1])
    axes[0, 0].invert_yaxis()
    corner = axes[0, 0].inset_axes((0.4, 0.55, 0.55, 0.4))
    corner.imshow(photograph(0), cmap="gray_r")
    corner.axis("off")
    fig.supxlabel("probability", fontsize="medium")
    return fig


def in_percent(p: float) -> str:
    """Return a probability in whole percent; none where that is 0, no 100 % either."""
    if p < 0.005:
        return ""
    return ">99 %" if p > 0.995 else f"{p:.0%}"


def glue_best_temperatures(clothes: Predictions, tried: np.ndarray) -> None:
    """Glue the temperature of the lowest NLL on the test photographs, and the fitted one."""
    of_test = [
        calib.nll(clothes.test.y, calib.softmax(clothes.test.logits / T)) for T in tried
    ]
    of_fit = calib.TemperatureScaling().fit(clothes.to_fit.logits, clothes.to_fit.y)
    glue_values(
        "temperature-of",
        test=f"{tried[np.argmin(of_test)]:.2f}",
        fit=f"{of_fit.temperature_:.2f}",
    )


def glue_errors_before_and_after(after: pd.DataFrame, before: pd.DataFrame) -> None:
    """Glue the ranges of ECE, NLL and temperature over networks, before and after."""
    expect(
        (before["accuracy"] == after["accuracy"]).all()
        and (after["ECE"] < before["ECE"] / 2).all(),
        "the text says that accuracy stays and the ECE is more than halved",
    )
    glue_values(
        "temperature",
        ece_before=f"{before['ECE'].min():.1%} to {before['ECE'].max():.1%}",
        ece_after=f"{after['ECE'].min():.1%} to {after['ECE'].max():.1%}",
        nll_drop=f"{np.floor(100 * (1 - after['NLL'] / before['NLL']).min()):.0f} %",
        twin=f"{(after['entropy'] - after['NLL']).abs().max():.3f}",
        range=f"{after['T'].min():.2f} to {after['T'].max():.2f}",
    )


def draw_nll_by_temperature(
    y: np.ndarray, z: np.ndarray, scaling: TemperatureScaling
) -> Figure:
    """Draw mean NLL against the inverse temperature (above) and against the temperature (below)."""

    def mean_nll(T: float) -> float:
        return calib.nll(y, calib.softmax(z / T))

    betas = np.geomspace(0.05, 3, 60)
    curve = np.array([mean_nll(1 / b) for b in betas])
    temperatures = np.linspace(0.6, 12, 150)
    in_T = np.array([mean_nll(t) for t in temperatures])
    # a curve is no longer convex where its second difference turns negative
    bend = temperatures[1:-1][np.diff(in_T, 2) < 0][0]
    fig, (left, right) = plt.subplots(2, 1, figsize=(4.8, 5.6), layout="constrained")
    left.plot(betas, curve, color=COLOURS["blue"])
    left.set(xlabel="inverse temperature 1/T", ylabel="mean NLL (nats)")
    least = mean_nll(scaling.temperature_)
    left.plot(1 / scaling.temperature_, least, "o", color="black")
    right.plot(temperatures, in_T, color=COLOURS["blue"])
    right.plot(scaling.temperature_, least, "o", color="black")
    right.plot(bend, mean_nll(bend), "s", color=COLOURS["vermillion"])
    right.text(bend, mean_nll(bend), "  inflection", va="top")
    for ax, at in ((left, 1 / scaling.temperature_), (right, scaling.temperature_)):
        ax.annotate("optimum", (at, least), (-8, 50), textcoords="offset points")
    right.set(xlabel="temperature T", ylabel="mean NLL (nats)")
    return fig
