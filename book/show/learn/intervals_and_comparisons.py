"""Figures and numbers of the chapter *Intervals and comparisons*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import binom

import calib
from book.show.display import expect, glue, glue_values, typeset
from book.show.looks import MEANING
from calib import TemperatureScaling, VectorScaling
from calib.intervals import Estimate
from calib.plots import COLOURS
from evidence import load_results

NAMES = {  # of the metrics whose intervals are drawn
    "ece": "ECE",
    "ece_mass": "ECE, equal mass",
    "ks_error": "KS error",
    "top1_brier": "Brier score",
    "smooth_ece": "smooth ECE",
    "classwise_ece": "classwise ECE",
}


def draw_paired_difference(
    found: Sequence[Estimate],
    q: Sequence[np.ndarray],
    maps: Mapping[str, TemperatureScaling | VectorScaling],
) -> Figure:
    """Draw the ECE of two maps of one network, and their difference, each with its interval."""
    fig, ax = plt.subplots(figsize=(5.4, 2.6), layout="constrained")
    for height, e in enumerate(found):
        colour = COLOURS["blue" if height < 2 else "black"]
        low, value, high = 100 * np.array([e.low, e.value, e.high])
        ax.hlines(height, low, high, color=colour, lw=2)
        ax.plot(value, height, "o", color=colour)
        label = typeset(f"{value:.2f} ({low:.2f} to {high:.2f})")
        ax.text(high + 0.08, height, label, color=colour, va="center")
    chance = [100 * calib.error_if_calibrated(prob.max(axis=1)) for prob in q]
    grey = MEANING["by chance"]
    ax.plot(chance, [0, 1], "|", color=grey, ms=18, mew=3)
    ax.text(max(chance), 0.5, "by chance", color=grey, ha="center", va="center")
    ax.axvline(0, color="black", lw=0.8)
    ax.set_yticks(range(3), [*maps, "difference"])
    ax.set(
        xlabel="ECE, or difference of two, points", xlim=(-0.2, 4.1), ylim=(2.4, -0.5)
    )
    return fig


def span(shares: pd.DataFrame | pd.Series) -> str:
    """Return the least and the largest of shares as text."""
    return f"{shares.min(axis=None):.1%} to {shares.max(axis=None):.1%}"


def glue_saved_by_pairing(errors: pd.DataFrame) -> None:
    """Glue what pairing saves of a standard error, and in how many trials that was tried."""
    for name, row in errors.iterrows():
        saved = 1 - row[["plain", "by default"]] / row["two samples"]
        glue_values("sure-paired", **{name: f"{saved['plain']:.0%}"})
        glue_values(f"sure-paired-{name}", default=f"{saved['by default']:.0%}")
    tried = load_results("paired_coverage")
    glue_values(
        "sure-paired",
        worlds=tried.world.nunique(),
        trials=tried.split_trials.min(),
        median=f"{tried.split.median():.1%}",
    )


def draw_promised_coverage(ax: Axes, n_trials: int) -> None:
    """Draw what 95 % intervals promise, and what chance makes of it."""
    ends = 100 * np.array(binom.interval(0.95, n_trials, 0.95)) / n_trials
    ax.axvspan(*ends, color=MEANING["by chance"], alpha=0.3, lw=0)
    ax.axvline(95, color="black", lw=1)
    ax.set(xlim=(-8, 108), xticks=[0, 50, 95], xlabel="holds the truth, %")


def draw_coverage_of_intervals(stored: pd.DataFrame, kept: pd.DataFrame) -> Figure:
    """Draw how often intervals hold the truth, upon the promise: a row a metric, a mark a kind."""
    fig, ax = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    draw_promised_coverage(ax, stored.n_trials.max())
    shares = 100 * kept.loc["after scaling"].unstack().T.loc[list(NAMES)]
    for kind, colour, marker in ("basic", "green", "o"), ("percentile", "purple", "s"):
        ax.plot(shares[kind], range(6), marker, color=COLOURS[colour])
        ax.text(shares[kind].iloc[-1] + 4, 5, kind, color=COLOURS[colour], va="center")
    ax.set_yticks(range(6), NAMES.values())
    ax.set_ylim(5.5, -1.1)
    ax.text(93, -0.7, "promised", ha="right", va="center")
    return fig


def glue_coverage_of_intervals(kept: pd.DataFrame) -> None:
    """Glue how often the intervals of each metric hold the truth."""
    near = kept.loc["after scaling"].unstack().T
    trained = kept.loc["as trained"].drop("classwise_ece", level="metric")
    glue_values("sure-trained", least=f"{trained.min():.0%}")
    for metric in ("ece", "ks_error", "classwise_ece", "top1_brier"):
        for kind, share in near.loc[metric].items():
            glue(
                f"sure-{metric.partition('_')[0]}-{kind}", f"{share:.0%}", display=False
            )
    expect(
        near.loc["ece", "basic"] > near.loc["ece", "percentile"],
        "the text says that of the ECE the basic interval holds the truth more often",
    )
    expect(
        near.loc["ks_error", "basic"] < near.loc["ks_error", "percentile"],
        "the text says that of KS the percentile interval holds it more often",
    )


def draw_coverage_of_report(
    trials: int, by_world: pd.DataFrame, least: pd.Series
) -> Figure:
    """Draw how often the report's intervals hold the truth: a row a world, a dot a sample size."""
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    draw_promised_coverage(ax, trials)
    for (_, n), shares in (100 * by_world.loc[least.index]).items():
        face = "white" if n == 1000 else None
        ax.plot(shares, range(len(least)), "o", color=COLOURS["blue"], mfc=face)
    ax.set_title("hollow: 1000 samples, filled: 5000", color=COLOURS["blue"], size=11)
    ax.set(xlim=(85, 100.2), xticks=[85, 90, 95, 100], ylim=(-0.6, 7.6))
    ax.set_yticks(range(len(least)), least.index.str.replace(" the", "\nthe"))
    return fig
