"""Figures of the chapter from Platt scaling to Dirichlet calibration."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import expit, logit

import calib
from book.show.display import expect, glue_values
from book.show.looks import MEANING, label_lines, look
from calib import (
    DirichletCalibration,
    MatrixScaling,
    PlattScaling,
    TemperatureScaling,
    VectorScaling,
)
from calib.intervals import Estimate
from evidence.constants import FLOOR, ROUNDED_95
from evidence.derived.metrics_by_chance import most_ece_by_chance
from evidence.mean_intervals import half_width
from evidence.network_outputs import Outputs

FREE = {  # free parameters of a map of K classes
    "temperature": lambda k: 1 + 0 * k,
    "vector": lambda k: 2 * k - 1,
    "matrix": lambda k: k * k - 1,
}
PRINTED = {  # classes and test images of each data set
    "SST-2": (2, 1821),
    "SST-5": (5, 2210),
    "Reuters": (8, 2189),
    "CIFAR-10": (10, 10_000),
    "SVHN": (10, 26_032),
    "20 Newsgroups": (20, 7528),
    "CIFAR-100": (100, 10_000),
    "Cars": (196, 4020),
    "Birds": (200, 2897),
    "ImageNet": (1000, 25_000),
}
N_BINS = 15  # of the printed errors
MOST_LOG_ODDS = 12  # to both sides of 0: those of photographs that are drawn


def cost_of_map(name: str, n_classes: Any, n: int) -> Any:
    """Return what a map costs in nats where it need not repair: half its free numbers by `n`."""
    return FREE[name](n_classes) / (2 * n)


def samples_for_map(name: str, n_classes: int, nats: float) -> float:
    """Return how many samples a map needs to cost no more than so many nats."""
    return FREE[name](n_classes) / (2 * nats)


def means_by_log_odds(
    log_odds: np.ndarray, hit: np.ndarray, n_groups: int = 20
) -> pd.DataFrame:
    """Return mean log-odds, share of hits and half of its 95 % interval of groups of equal size."""
    groups = np.array_split(np.argsort(log_odds), n_groups)
    rows = [(log_odds[group].mean(), hit[group].mean(), len(group)) for group in groups]
    table = pd.DataFrame(rows, columns=["log_odds", "share", "size"])
    variance = table["share"] * (1 - table["share"]) / table["size"]
    return table.assign(half=ROUNDED_95 * np.sqrt(variance))


def draw_frequency_by_log_odds(
    score: np.ndarray, hit: np.ndarray, fitted: PlattScaling, event: str
) -> Figure:
    """Draw the frequency of an event by the log-odds of its score, and a map of them."""
    log_odds = logit(np.asarray(score, float).clip(FLOOR, 1 - FLOOR))
    is_drawn = np.abs(log_odds) < MOST_LOG_ODDS
    means = means_by_log_odds(log_odds[is_drawn], hit[is_drawn])
    figure, ax = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    line = np.linspace(-10, 10, 300)
    ax.plot(line, 100 * expit(line), "--", color=MEANING["before"])
    after = 100 * fitted.predict(expit(line))
    ax.plot(line, after, color=MEANING["after"])
    points = means["log_odds"], 100 * means["share"], 100 * means["half"]
    ax.errorbar(*points, fmt="o", ms=4, lw=1, color="0.3")
    ax.text(-0.3, 65, "as trained", ha="right", color=MEANING["before"])
    ax.text(4.5, 40, "Platt's map", color=MEANING["after"])
    ax.set(xlabel=f"log-odds of {event}, as trained", ylabel=f"it is a {event}, %")
    ax.set(xlim=(-10, 10))
    return figure


def draw_excess_by_class_number(
    loss: Mapping[str, np.ndarray], classes: Sequence[int], n: int
) -> Figure:
    """Draw the excess log loss of maps, simulations by classes, beside the law d / (2 n)."""
    figure, ax = plt.subplots(figsize=(5.4, 4), layout="constrained")
    smooth = np.geomspace(2, 36, 50)
    for name, draws in loss.items():
        style = look(name, line=False, marker=True)
        ax.plot(smooth, cost_of_map(name, smooth, n), lw=1, label=name, **look(name))
        ends = [draws.mean(1) - draws.min(1), draws.max(1) - draws.mean(1)]
        ax.errorbar(classes, draws.mean(1), yerr=ends, lw=1, **style)
    ax.set(xscale="log", yscale="log", ylim=(2e-5, 1))
    ax.set(xlabel="number of classes K", ylabel="log loss above the truth, nats")
    ax.set_xticks(classes, list(map(str, classes)))
    ax.minorticks_off()
    label_lines(ax)
    return figure


def draw_changes_of_loss(changes: Mapping[tuple[str, str], Estimate]) -> Figure:
    """Draw changes of log loss with their intervals, by network and map."""
    figure, ax = plt.subplots(figsize=(5.4, 3.2), layout="constrained")
    networks = list(dict.fromkeys(name for name, _ in changes))
    for (network, name), change in changes.items():
        at = networks.index(network) + (0.15 if name == "matrix" else -0.15)
        ends = [[change.value - change.low], [change.high - change.value]]
        style = look(name, line=False, marker=True)
        ax.errorbar(change.value, at, xerr=ends, label=name, **style)
    ax.axvline(0, color="0.6", lw=1)
    for name, x in (("vector", -0.027), ("temperature", 0.007), ("matrix", -0.037)):
        ax.text(x, -0.6, name, ha="center", color=look(name)["color"])
    ax.set_yticks(range(len(networks)), networks)
    ax.set(
        ylim=(len(networks) - 0.5, -1),
        xlabel="log loss minus that of one temperature, nats",
    )
    return figure


def draw_printed_ece_of_matrix(table: pd.DataFrame) -> Figure:
    """Draw the printed ECE of matrix scaling, relative to one temperature's."""
    k, images = np.array([PRINTED[name] for name, _ in table.index]).T
    base = table["Temperature scaling"]
    figure, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    chance = MEANING["by chance"]
    # where s (1 - s) is 1/4, the largest that there is
    most = 100 * most_ece_by_chance(1 / 4, images, N_BINS) / base
    printed = table["Matrix scaling"].notna()
    ax.plot(k[printed], most[printed], "_", color=chance, ms=11, mew=2)
    ax.text(2.4, most[k == 2].max(), "by chance", color=chance, va="center")
    style = look("matrix", line=False, marker=True)
    ax.plot(k, table["Matrix scaling"] / base, alpha=0.8, **style)
    ax.text(80, 8, "matrix", ha="right", color=style["color"])
    ax.axhline(1, color="0.5", lw=1)
    ax.text(47, 1.02, "temperature", ha="center", va="bottom", color="0.4")
    ax.set(xscale="log", yscale="log")
    ax.set(xlabel="number of classes K", ylabel="ECE relative to temperature scaling")
    for ticks, put in (
        ([2, 5, 10, 20, 100, 200], ax.set_xticks),
        ([0.7, 1, 3, 10, 20], ax.set_yticks),
    ):
        put(ticks, list(map(str, ticks)))
    ax.minorticks_off()
    return figure


def draw_gaps_of_classes(
    fitted: Mapping[str, TemperatureScaling | VectorScaling],
    splits: Sequence[Outputs],
    names: Sequence[str],
) -> Figure:
    """Draw mean probability less frequency of each class, where a map is fitted and elsewhere."""
    figure, axes = plt.subplots(1, 2, figsize=(5.4, 4.4), sharex=True, sharey=True)
    for ax, split in zip(axes, splits, strict=True):
        one_hot = np.eye(len(names))[split.y]
        for shift, (name, method) in zip((-0.15, 0.15), fitted.items(), strict=True):
            difference = 100 * (method.predict_proba(split.logits) - one_hot)
            at, half = np.arange(len(names)) + shift, half_width(difference)
            style = look(name, line=False, marker=True)
            ax.errorbar(difference.mean(0), at, xerr=half, ms=4, label=name, **style)
        ax.axvline(0, color="0.6", lw=1)
    axes[0].set(yticks=range(len(names)), yticklabels=names, title="where it is fitted")
    axes[1].set(title="on new images", ylim=(len(names) - 0.4, -1.4))
    for name, mark, left in (("temperature", "●", -0.75), ("vector", "■", 0.2)):
        axes[0].text(
            left, -0.7, f"{mark}  {name}", color=look(name)["color"], fontsize=10
        )
    figure.supxlabel("mean probability − frequency, points", fontsize="medium")
    figure.tight_layout()
    return figure


def draw_excess_by_penalty(
    penalties: np.ndarray,
    losses: Sequence[float],
    levels: Mapping[str, float],
    chosen: float,
) -> Figure:
    """Draw excess log loss against the penalty, between the levels of matrix and vector."""
    figure, ax = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    label = "matrix with a penalty"
    ax.plot(penalties, losses, ms=4, label=label, **look("matrix, ODIR", marker=True))
    for name, end, side in (("matrix", -1, "right"), ("vector", 0, "left")):
        colour = look(name)["color"]
        ax.axhline(levels[name], lw=1, color=colour)
        ax.text(penalties[end], levels[name], name, ha=side, va="bottom", color=colour)
    ax.axvline(chosen, color="0.7", lw=1)
    ax.set(xscale="log", yscale="log", xlabel="penalty λ", ylabel="excess NLL, nats")
    label_lines(ax, above={label: penalties[len(penalties) // 2]})
    return figure


def of_classes(split: Outputs, classes: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels, from 0 on, and log-probabilities of the samples of some classes."""
    chosen = np.isin(split.y, classes)
    logits = np.asarray(split.logits)[chosen][:, list(classes)]
    return np.searchsorted(classes, split.y[chosen]), np.log(calib.softmax(logits))


def as_affine(
    fit: DirichletCalibration | MatrixScaling | TemperatureScaling | VectorScaling,
) -> dict[str, float] | dict[str, np.ndarray]:
    """Return a fitted map as the explorable takes it: a temperature, or a matrix and offsets."""
    if hasattr(fit, "temperature_"):
        return {"T": fit.temperature_}
    matrix = fit.coef_ if fit.coef_.ndim == 2 else np.diag(fit.coef_)
    return {"W": matrix, "b": fit.intercept_}


def excess_of(
    maps: Mapping[str, TemperatureScaling | VectorScaling],
    offset: float,
    n: int = 4000,
    n_classes: int = 200,
) -> dict[str, float]:
    """Return of each map the test NLL above that of the truth.

    Logits are 1.5 times too large, and those of a class off by a normal draw times `offset`.
    """
    rng = np.random.default_rng(0)
    true = 3 * rng.standard_normal((n + 2000, n_classes))
    y = (true + rng.gumbel(size=true.shape)).argmax(axis=1)
    logits = 1.5 * true + offset * rng.standard_normal(n_classes)
    lowest = calib.nll(y[n:], calib.softmax(true[n:]))
    excess = {}
    for name, scaling in maps.items():
        p = scaling.fit(logits[:n], y[:n]).predict_proba(logits[n:])
        excess[name] = calib.nll(y[n:], p) - lowest
    return excess


def glue_samples_for_matrix(
    loss: Mapping[str, np.ndarray], classes: Sequence[int], n: int
) -> None:
    """Glue how many samples matrix scaling needs to lose no more than 0.01 nats."""
    times = loss["matrix"][-1].mean() / cost_of_map("matrix", classes[-1], n)
    expect(
        1.7 < times < 2.5,
        "the caption says that with most classes a number costs about twice as much",
    )
    needed = {k: samples_for_map("matrix", k, nats=0.01) for k in (10, 1000)}
    glue_values("platt", **{f"pay_{k}": f"{n:,.0f}" for k, n in needed.items()})


def changes_elsewhere(
    changes: Mapping[tuple[str, str], Estimate], label: str, story: str
) -> list[Estimate]:
    """Return what a map changes on the networks that are not the one of the story."""
    return [
        change
        for (network, name), change in changes.items()
        if name == label and network != story
    ]


def glue_changes_of_loss(
    changes: Mapping[tuple[str, str], Estimate], story: str
) -> None:
    """Glue what vector and matrix scaling change of a temperature's loss, by network and map.

    `story` is the network on which both gain; of the others it is counted where they lose.
    """
    vector, matrix = (
        changes_elsewhere(changes, label, story) for label in ("vector", "matrix")
    )
    glue_values(
        "platt",
        matrix_worse=f"{sum(change.value > 0 for change in matrix)} of {len(matrix)}",
        matrix_resolved=str(sum(change.low > 0 for change in matrix)),
        vector_gain=f"{max(-change.value for change in vector):.4f}",
    )
    expect(
        all(change.high > 0 for change in vector),
        "the text says that no gain of vector scaling is beyond its interval",
    )
    for label in ("vector", "matrix"):
        change = changes[story, label]
        expect(change.high < 0, f"the text says that it gains on this network: {label}")
        span = f"{-change.high:.4f} to {-change.low:.4f}"
        glue_values(f"platt-story-{label}", gain=f"{-change.value:.4f}", span=span)


def glue_printed_ece_of_matrix(printed: pd.DataFrame) -> None:
    """Glue by how much matrix scaling is worse in print, with few classes and with many."""
    ratio = printed["Matrix scaling"] / printed["Temperature scaling"]
    classes = np.array([PRINTED[name][0] for name, _ in printed.index])
    glue_values(
        "platt-guo",
        small=f"{ratio[classes <= 20].median():.1f}",
        large=f"{ratio[classes >= 100].median():.1f}",
        pairs=str(int(ratio.notna().sum())),
    )


def glue_effects_of_penalties(table: pd.DataFrame, networks: list[str]) -> None:
    """Glue on how many of some networks penalties lower the loss.

    In the simulation one temperature is the truth, and vector scaling stays ahead of penalties.
    """
    simulated, real = table["simulated, excess"], table[networks]
    expect(
        simulated.drop("temperature").idxmin() == "vector",
        "the text says that vector scaling stays ahead of the penalties",
    )
    below = real.loc["structured"] < real.loc["temperature"]
    change = (real.loc["structured"] - real.loc["ODIR"]).abs().max()
    lower = real.loc["ODIR"] < real.loc["matrix"]
    glue_values(
        "platt-structured", t=f"{below.sum()} of {len(below)}", change=f"{change:.4f}"
    )
    glue_values("platt-odir", lower=f"{lower.sum()} of {len(lower)}")


def glue_clear_gains_of_structured(changes: Mapping[str, Estimate]) -> None:
    """Glue where structured matrix scaling is clearly below one temperature, and by how much."""
    clear = {name: change for name, change in changes.items() if change.high < 0}
    gains = [
        f"{name} by {-c.value:.4f} ({-c.high:.4f} to {-c.low:.4f})"
        for name, c in clear.items()
    ]
    glue_values("platt-structured", clear=len(clear), gains=", ".join(gains))
