"""Figures and numbers of the chapter *For whom? Groups*."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from book.show.display import expect, glue_values
from calib.plots import COLOURS, GREY
from evidence.constants import ROUNDED_95


def draw_gaps_of_garments(rows: pd.DataFrame) -> Figure:
    """Draw the gap of each class of garments with its interval, upon the range of chance."""
    fig, ax = plt.subplots(figsize=(5.4, 3.4), layout="constrained")
    ax.barh(rows.index, 2 * rows.lot, left=-rows.lot, color="0.85")
    ax.errorbar(rows.gap, rows.index, xerr=rows.half, fmt="o", ms=5, c=COLOURS["blue"])
    ax.text(2.7, 9, "range of chance", color=GREY, va="center")
    ax.set(xlabel="confidence − accuracy (points)", xticks=range(-5, 16, 5))
    return fig


def draw_gaps_of_subjects(band: np.ndarray, part: pd.DataFrame) -> Figure:
    """Draw the gaps of 57 subjects in their order, upon the `band` in which chance puts them."""
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    ax.fill_between(range(57), *band, color="0.85", lw=0)
    ax.plot(range(57), 100 * part.gap, "o", ms=4, color=COLOURS["blue"])
    for i, side, words in ((0, "left", "  {}"), (56, "right", "{}  ")):
        name = words.format(part.group.iloc[i])
        ax.text(
            i, 100 * part.gap.iloc[i], name, ha=side, va="center", color=COLOURS["blue"]
        )
    ax.text(40, -4, "if all 57 had\none gap", color=GREY, va="top")
    ax.text(24, 9, "as measured", color=COLOURS["blue"], ha="right")
    ax.set(xlabel="subject, by its gap", ylabel="confidence − accuracy (points)")
    return fig


def glue_gaps_of_subjects(
    after: pd.DataFrame, chance: pd.DataFrame, mmlu: Sequence[str], maps: pd.DataFrame
) -> None:
    """Glue how many gaps of subjects are beyond chance, the widest, and their spread, in points."""
    outside = (after.low > 0) | (after.high < 0)
    by_chance = (
        chance[chance.source.isin(mmlu)].groupby("source").mean(numeric_only=True)
    )
    error = ((after.high - after.low) / (2 * ROUNDED_95)).groupby(after.source).median()
    tempered = maps[maps.source.isin(mmlu) & (maps.way == "temperature")]
    spread = tempered.set_index("source").spread
    expect((spread > error).all(), "the text says that gaps are wider than their noise")
    glue_values(
        "groups",
        outside=f"{outside.sum()} of {len(after)}",
        outside_lot=f"{by_chance.outside.sum():.0f}",
        outside_expected=f"{0.05 * len(after):.0f}",
        refused=(after.p_value < 0.05).sum(),
        widest=f"{100 * after.gap.abs().max():.0f}",
        chance_largest_low=f"{100 * by_chance.largest.min():.0f}",
        chance_largest_high=f"{100 * by_chance.largest.max():.0f}",
        spread_lots=f"{100 * by_chance.spread.max():.1f}",
        spread_low=f"{100 * spread.min():.1f}",
        spread_high=f"{100 * spread.max():.1f}",
    )


def draw_shrunken_gaps(spread: pd.Series, groups: pd.DataFrame) -> Figure:
    """Draw gaps against questions of a subject: hollow as measured, filled when shrunken."""
    least = spread.idxmin()
    part = groups[(groups.source == least) & (groups.way == "temperature")]
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    ax.vlines(part.n, 100 * part.gap, 100 * part.shrunken, color="0.7", lw=1)
    ax.plot(part.n, 100 * part.gap, "o", ms=5, mfc="none", mec=COLOURS["blue"])
    ax.plot(part.n, 100 * part.shrunken, "o", ms=4, color=COLOURS["vermillion"])
    mean = 100 * np.average(part.gap, weights=part.n)
    ax.axhline(mean, color="0.5", ls=":", lw=1)
    ends = part.loc[part.gap.idxmax(), ["n", "gap", "shrunken"]]
    ax.text(1.05 * ends.n, 100 * ends.gap, "as measured", color=COLOURS["blue"])
    ax.text(1.05 * ends.n, 100 * ends.shrunken, "shrunken", color=COLOURS["vermillion"])
    ax.set(xlabel="questions of the subject", ylabel="confidence − accuracy (points)")
    ax.set(xscale="log", xticks=[50, 100, 200, 400], xticklabels=[50, 100, 200, 400])
    ax.minorticks_off()
    return fig


def glue_gains_of_group_temperatures(
    brier: pd.DataFrame, spreads: pd.DataFrame, after: pd.DataFrame
) -> None:
    """Glue where a temperature a group lowers the Brier score, by how many thousandths."""
    text = ~brier.index.str.contains("cifar")
    gained = brier["temperature"] - brier["temperature of the group"]
    gains = gained > 0.00005  # a twentieth of a thousandth: as much as the table shows
    expect((gained > -0.00005).all(), "the text says that no Brier score rises")
    narrower = spreads["temperature"] < spreads["none"]
    glue_values(
        "groups",
        own_gain_low=f"{1000 * gained[text].min():.0f}",
        own_gain_high=f"{1000 * gained[text].max():.0f}",
        own_cost=f"{1 / (2 * after.groupby('source').n.mean().mean()):.3f}",
        own_text=f"{gains[text].sum()} of {text.sum()}",
        own_images=f"{gains[~text].sum()} of {(~text).sum()}",
        one_helps=f"{narrower.sum()} of {len(narrower)}",
    )


def draw_doubt_against_confidence(part: pd.DataFrame) -> Figure:
    """Draw doubt when right against confidence when wrong: a dot a group, a line an accuracy."""
    fig, ax = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
    shade = Normalize(20, 110)
    for mu, x, y in ((40, 53, 81), (60, 101, 66.7), (80, 101, 25), (95, 101, 5.3)):
        colour = plt.cm.viridis(shade(mu))
        # calibrated: mu a + (100 - mu) b = mu, hence mu (1 - a) = (100 - mu) b
        ax.axline((0, 0), slope=(100 - mu) / mu, color=colour, lw=1.2)
        ax.text(x, y, f"{mu} % right", color="0.35")
    wrong, doubt = 100 * part.score_if_wrong, 100 - 100 * part.score_if_right
    ax.scatter(wrong, doubt, c=100 * part.accuracy, cmap="viridis", norm=shade, s=22)
    ax.set(xlabel="mean confidence when wrong, b (%)", xlim=(0, 100))
    ax.set(ylabel="doubt when right, 1 − a (%)", ylim=(0, 80))
    return fig
