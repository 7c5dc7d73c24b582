"""Figures and numbers of the chapter *When the world moves*."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import expect, glue_values
from book.show.looks import MEANING, label_lines
from book.show.story import photograph
from calib.plots import COLOURS, GREY
from evidence import load_results
from evidence.constants import ROUNDED_95

FLU_IN_SUMMER = 0.02  # the share of coughs


def draw_boot_by_season(percent: np.ndarray) -> Figure:
    """Draw the story's photograph, and what it says in winter and in summer: a bar an answer."""
    fig, (left, ax) = plt.subplots(1, 2, figsize=(5.4, 1.9), layout="constrained")
    left.imshow(photograph(0), cmap="gray_r")
    left.axis("off")
    names = ["winter: boot", "winter: sneaker", "summer: boot", "summer: sneaker"]
    bars = ax.barh(names, percent, color=[MEANING["right"], MEANING["wrong"]] * 2)
    ax.bar_label(bars, fmt="{:.0f} %", padding=3)
    ax.set(xlim=(0, 120), xticks=[])
    return fig


def where_more_frequent(p: Any, before: float, now: float) -> Any:
    """Return what a probability becomes where an event has another share than before."""
    times = now / (1 - now) / (before / (1 - before))  # as large are its odds
    return p * times / (1 - p + p * times)


def draw_flu_by_season() -> Figure:
    """Draw what to say now against what was said in summer: a curve for each share of the flu."""
    p = np.linspace(0, 1, 201)
    fig, ax = plt.subplots(figsize=(4.4, 4.4), layout="constrained")
    ax.plot([0, 100], [0, 100], "--", color="0.5", lw=1)
    on_line: dict[str, Any] = {"ha": "center", "va": "center"}
    on_line["bbox"] = {"fc": "white", "ec": "none", "pad": 1}
    for share, at in ((0.05, 120), (0.10, 90), (0.30, 50)):
        said = 100 * where_more_frequent(p, FLU_IN_SUMMER, share)
        ax.plot(100 * p, said, color=COLOURS["blue"])
        ax.text(
            100 * p[at],
            said[at],
            f"{share:.0%}".replace("%", " %"),
            color=COLOURS["blue"],
            **on_line,
        )
    in_winter = 100 * where_more_frequent(0.1, FLU_IN_SUMMER, 0.30)
    ax.plot(10, in_winter, "o", color=COLOURS["vermillion"])
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
    """Draw ECE against tilt with intervals: a line for each way to fit T, a panel a data set."""
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
    by_error = ["source labels, weighted", "500 target labels"]
    by_error += ["source labels", "100 target labels"]
    expect(
        far.loc[images, by_error].mean().is_monotonic_increasing,
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
    """Draw the gap of the last 1000 images: `score` has a fixed T, `said` one that follows."""

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
