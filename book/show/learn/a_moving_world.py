"""Figures and numbers of the chapter *When the world moves*."""

import io
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import expect, glue_values
from book.show.looks import MEANING, label_lines
from calib.plots import COLOURS, GREY
from evidence import load_results, read_declared
from evidence.constants import ROUNDED_95


def draw_boot_by_season(percent: np.ndarray) -> Figure:
    """The same photograph deserves another answer when boots are frequent."""
    fig, (left, ax) = plt.subplots(1, 2, figsize=(5.4, 1.9), layout="constrained")
    photographs = plt.imread(io.BytesIO(read_declared("photographs/fashion.png")))
    left.imshow(photographs[:, :28], cmap="gray_r")
    left.axis("off")
    names = ["winter: boot", "winter: sneaker", "summer: boot", "summer: sneaker"]
    bars = ax.barh(names, percent, color=[MEANING["right"], MEANING["wrong"]] * 2)
    ax.bar_label(bars, fmt="{:.0f} %", padding=3)
    ax.set(xlim=(0, 120), xticks=[])
    return fig


def draw_flu_by_season() -> Figure:
    """The same cough deserves another probability when the flu is more frequent."""
    p = np.linspace(0, 1, 201)
    fig, ax = plt.subplots(figsize=(4.4, 4.4), layout="constrained")
    ax.plot([0, 100], [0, 100], "--", color="0.5", lw=1)
    on_line: dict[str, Any] = {"ha": "center", "va": "center"}
    on_line["bbox"] = {"fc": "white", "ec": "none", "pad": 1}
    for share, at in ((5, 120), (10, 90), (30, 50)):
        # how much the odds have grown since summer, when 2 % had the flu
        odds = share / (100 - share) / (2 / 98)
        now = 100 * p * odds / (1 - p + p * odds)
        ax.plot(100 * p, now, color=COLOURS["blue"])
        ax.text(100 * p[at], now[at], f"{share} %", color=COLOURS["blue"], **on_line)
    # the last of the odds, those of 30 %
    ax.plot(10, 1000 * odds / (90 + 10 * odds), "o", color=COLOURS["vermillion"])
    ax.text(-3, 92, "10 % → 70 %", color=COLOURS["vermillion"])
    ax.set(xlabel="said in summer (%)", ylabel="should say now (%)", aspect="equal")
    return fig


def glue_priors_known_and_guessed(priors: pd.DataFrame, nll: pd.DataFrame) -> None:
    """Glue on how many sources known and guessed priors lower the NLL, and errors of guesses."""
    columns = ["calibrator", "way"]
    errors = priors.pivot(index="source", columns=columns, values="prior_error")
    covered = priors[priors.way == "EM"].groupby("calibrator").covered.mean()
    control = (
        load_results("class_prior_coverage")
        .query("design == 'as in class_priors.csv'")
        .covered
    )
    glue_values("world", n=len(nll), control=f"{100 * control.mean():.0f}")
    for m in ("none", "temperature", "vector"):
        better = nll[m].lt(nll[m]["as it is"], axis=0).sum()
        found_by = {
            "known": better["known"],
            "em-better": better["EM"],
            "one-more-better": better["EM, one more a class"],
            "em": f"{100 * errors[m]['EM'].median():.1f}",
            "covered": f"{100 * covered[m]:.0f}",
        }
        glue_values("world", **{f"{key}-{m}": value for key, value in found_by.items()})


def draw_ece_by_tilt(tilted: pd.DataFrame) -> Figure:
    """A temperature of the old world decays as images become more doubtful."""
    styles = {
        "source labels": COLOURS["vermillion"],
        "source labels, weighted": COLOURS["blue"],
        "100 target labels": "black",
        "500 target labels": COLOURS["green"],
    }
    fig, axes = plt.subplots(
        2, 1, figsize=(5.4, 7.6), sharex=True, layout="constrained"
    )
    for ax, kind in zip(axes, ("CIFAR-10", "ChaosNLI"), strict=True):
        part = tilted[tilted.kind == kind].assign(variance=lambda t: t.ece_sd**2 / 20)
        by = part.groupby(["way", "tilt"])
        mean = 100 * by.ece.mean()
        half = 100 * ROUNDED_95 * by.variance.sum() ** 0.5 / by.size()
        for way, colour in styles.items():
            m, h = mean[way], half[way]
            label = way.replace("source", "old").replace("target", "new")
            ax.plot(m.index, m, color=colour, label=label.replace("old labels, ", ""))
            ax.fill_between(m.index, m - h, m + h, color=colour, alpha=0.15, lw=0)
        lots = 100 * by.ece_chance.mean()["source labels"]
        ax.plot(lots.index, lots, color=GREY, label="by chance")
        top = 1.15 * mean.drop("as it is").max()
        ax.set(title=kind, ylim=(0, top), xlim=(0, 4), ylabel="ECE (%)")
        label_lines(ax)
    axes[1].set_xticks(range(4), ["old world", 1, 2, 3])
    axes[1].set_xlabel("more doubtful images →")
    return fig


def glue_sources_worse_by_tilt(tilted: pd.DataFrame) -> None:
    """Glue on how many sources a tilt raises the ECE, and a temperature still lowers it."""
    ends = {0: "near", tilted.tilt.max(): "far"}
    near, far = (
        tilted[tilted.tilt == tilt].pivot(index="source", columns="way", values="ece")
        for tilt in ends
    )
    images = far.index.str.contains("cifar10")
    fewer = (far["100 target labels"] < far["source labels"])[~images]
    columns = ["source labels, weighted", "100 target labels", "500 target labels"]
    means = far.loc[images, ["source labels", *columns]].mean()
    expect(
        means.iloc[1] < means.iloc[3] < means.iloc[0] < means.iloc[2],
        "the text says in which order the ways come on images",
    )
    glue_values(
        "world-tilt",
        n=len(far),
        worse=(far["source labels"] > near["source labels"]).sum(),
        still=(far["source labels"] < far["as it is"]).sum(),
        few_text=f"{fewer.sum()} of {(~images).sum()}",
    )


def draw_gap_by_time(said: np.ndarray, score: np.ndarray, hit: np.ndarray) -> Figure:
    """A fixed temperature becomes overconfident as the mix of garments drifts."""

    def last(values: np.ndarray, width: int = 1000) -> np.ndarray:
        return 100 * np.convolve(values, np.full(width, 1 / width), "valid")

    ways = {"fixed temperature": (score, "vermillion"), "following": (said, "blue")}
    fig, ax = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    seen = np.arange(1000, len(hit) + 1)
    # of a calibrated network, in points: `last` has one factor of 100, the root the other
    half = ROUNDED_95 * np.sqrt(100 * last(score * (1 - score)) / 1000)
    ax.fill_between(seen, -half, half, color="0.88", lw=0)
    for way, (numbers, colour) in ways.items():
        ax.plot(seen, last(numbers - hit), color=COLOURS[colour])
        ax.text(10100, last(numbers - hit)[-1], way, color=COLOURS[colour], va="center")
    ax.set(
        xlabel="images seen", ylabel="confidence − accuracy (points)", xlim=(900, 13200)
    )
    ax.set_xticks(range(2000, 10001, 2000))
    return fig
