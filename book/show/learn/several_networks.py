"""Figures and numbers of the chapter *Several networks*."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values
from book.show.looks import MEANING
from calib.plots import COLOURS, GREY, PALE
from evidence import csv_frame, read_declared
from evidence.constants import ROUNDED_95
from evidence.mean_intervals import half_width


def draw_hits_of_pool(
    hit: np.ndarray, pool: np.ndarray, both: np.ndarray, s: np.ndarray
) -> Figure:
    """Draw hits against the mean of two networks: points of all cases, a curve where both agree."""
    bins = calib.equal_width(10)(pool, hit)
    fig, ax = plt.subplots(figsize=(4.4, 4.4), layout="constrained")
    ax.plot([0, 100], [0, 100], "--", color=GREY, lw=1)
    ax.text(23, 26, "calibrated", color=GREY, ha="right")
    ax.plot(100 * s, 100 * both, color=COLOURS["blue"])
    ax.plot(100 * bins.mean_score, 100 * bins.mean_hit, "o", ms=5, color="0.35")
    ax.text(52, 69, "all cases", color="0.35", ha="right", va="center")
    ax.plot([80, 80], [80, 100 * both[80]], "o-", color=COLOURS["vermillion"])
    ax.text(107, 69, "both say 80 %", color=COLOURS["vermillion"], ha="right")
    ax.text(30, 3, "both say the same", color=COLOURS["blue"])
    ax.set(xlabel="mean of both networks (%)", ylabel="how often it happens (%)")
    return fig


def glue_lead_of_pool(
    ways: Mapping[str, np.ndarray], y: np.ndarray, last: np.ndarray
) -> None:
    """Glue by how much NLL one order of pooling and calibrating leads the other."""
    shy = ways["T, then pool"]
    expect(
        calib.nll(y, shy) == min(calib.nll(y, p) for p in ways.values()),
        "the text says that this order has the lowest NLL",
    )
    expect(
        calib.top_label(y, shy)[0].mean() < calib.accuracy(y, shy),
        "the text says that the pool is not sure enough",
    )
    # the mean of these is the difference of two NLLs
    lead = np.log(shy[np.arange(len(y)), y] / last[np.arange(len(y)), y])
    error = lead.std() / np.sqrt(len(y))
    expect(
        0 < lead.mean() < half_width(lead),
        "the text says that the two orders cannot be told apart",
    )
    glue_values("networks-lead", by=f"{lead.mean():.4f}", error=f"{error:.4f}")


def draw_gaps_of_pools(ensembles: pd.DataFrame) -> Figure:
    """Draw a pool's gap against its members': a dot a setting, as trained and calibrated."""
    gap = 100 * ensembles.pivot(index="setting", columns="way", values="gap")
    fig, ax = plt.subplots(figsize=(5.4, 4.6), layout="constrained")
    for kind, *pair in (
        ("before", "members", "pooled"),
        ("after", "members, calibrated", "calibrated, then pooled"),
    ):
        x, pool_gap = gap[pair].to_numpy().T
        ax.plot(x, pool_gap, "o", ms=5, color=MEANING[kind], mec="white", mew=0.5)
    # of the accuracy where it scatters most, in points
    worst = ensembles.eval("accuracy * (1 - accuracy) / n").max()
    chance = 100 * ROUNDED_95 * np.sqrt(worst)
    ax.axhspan(-chance, chance, color=PALE, zorder=0)
    ax.plot([-25, 22], [-25, 22], ":", color=GREY, lw=1)
    ax.text(46, 18, "members as trained", color=MEANING["before"], ha="right")
    ax.text(4, -16, "members calibrated", color=MEANING["after"])
    ax.text(21, 21, "no change", color=GREY, ha="right")
    ax.text(46, -chance - 1, "underconfident below", color=GREY, ha="right", va="top")
    ax.set(
        xlabel="members' mean: confidence − accuracy (points)", ylabel="pool (points)"
    )
    return fig


def glue_effects_of_pooling(table: pd.DataFrame) -> None:
    """Glue in how many settings pooling lowers or raises gap, ECE and accuracy."""
    first, then = "calibrated, then pooled", "pooled, then calibrated"

    def falls(metric: str, way: str, reference: str) -> str:
        return among(table[metric][way] < table[metric][reference])

    def among(settings: pd.Series) -> str:
        return "all" if settings.all() else f"{settings.sum()}"

    gains = table["accuracy"][first] > table["accuracy"]["members, calibrated"]
    glue_values(
        "networks",
        settings=len(table),
        gap=falls("gap", "pooled", "members"),
        under=among(table["gap"][first] < 0),
        against=among(table["ece_low"][first] > 0),
        then_ece=falls("ece", then, first),
        then_by=f"{100 * (table['ece'][first] - table['ece'][then]).median():.1f}",
        gains=among(gains),
        gains_under=among((table["gap"][first] < 0)[gains]),
    )


def settings_with_less(table: pd.DataFrame) -> pd.DataFrame:
    """Count the settings in which one way of pooling has a lower number than another."""
    first, then = "calibrated, then pooled", "pooled, then calibrated"
    pairs = {
        "the pool, against its members": ("pooled", "members"),
        "T then pool, against its members": (first, "members, calibrated"),
        "pool then T, against T then pool": (then, first),
    }
    heads = {"nll": "NLL", "ece": "ECE"}
    counts = {
        name: {
            head: (table[metric][way] < table[metric][other]).sum()
            for metric, head in heads.items()
        }
        for name, (way, other) in pairs.items()
    }
    return pd.DataFrame(counts).T.rename_axis(f"of {len(table)} settings")


def glue_effects_on_text() -> None:
    """Glue on how many networks of text pooling lowers the NLL and raises the ECE."""
    theirs = csv_frame(read_declared("tables/uncertainty_bench.csv"))
    glue_values(
        "networks-text",
        n=len(theirs),
        nll=(theirs.nll < 0).sum(),
        ece=(theirs.ece > 0).sum(),
        by=f"{theirs.ece.median():.1f}",
    )
