"""Figures and numbers of the chapter *Calibrated against whom?*."""

from typing import TypeAlias

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import HTML
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values, signed, source_label
from book.show.explorables.photographs import fifty_people
from book.show.looks import MEANING
from book.show.story import DRESS_INDEX, SHIRT
from calib.plots import COLOURS, GREY
from evidence import csv_frame, read_declared
from evidence.data import Predictions

# of the samples of one kind: their kind, its name, and where that stands
Cloud: TypeAlias = tuple[str, str, float, float]


def ask_fifty_people(network: Predictions) -> HTML:
    """The dress of the story, fifty people, and how sure the network is of a shirt."""
    repaired = calib.TemperatureScaling()
    repaired.fit(network.to_fit.logits, network.to_fit.y)
    rows = csv_frame(read_declared("photographs/fashion.csv")).row
    dress = rows[DRESS_INDEX]
    before = network.test.prob[dress, SHIRT]
    after = repaired.predict_proba(network.test.logits)[dress, SHIRT]
    glue_values("whom", before=f"{100 * before:.0f} %", after=f"{100 * after:.0f} %")
    strip = read_declared("photographs/fashion.png"), DRESS_INDEX, len(rows)
    sure = {"as trained": before, "after T": after}
    return fifty_people(strip, ("shirt", "dress"), sure, file="dress", votes=40)


def draw_gaps_by_judge(
    gaps: pd.DataFrame, judge: str, by: str, *clouds: Cloud
) -> Figure:
    """Draw the gap of each source by another judge (up) against that by the label."""
    fig, ax = plt.subplots(figsize=(4.8, 4), layout="constrained")
    for (samples, words, left, low), name in zip(
        clouds, ("blue", "vermillion"), strict=True
    ):
        rows, colour = gaps[gaps.samples == samples], COLOURS[name]
        rows = rows.set_index(["judge", "source"])[["gap", "low", "high"]] * 100
        # in one order of sources: a dot is one network by two judges
        x, y = rows.loc["label"], rows.loc[judge].reindex(rows.loc["label"].index)
        ax.hlines(y.gap, x.low, x.high, color=colour, lw=0.8)
        ax.vlines(x.gap, y.low, y.high, color=colour, lw=0.8)
        ax.plot(x.gap, y.gap, "o", ms=5, mec="white", color=colour)
        ax.text(left, low, words, color=colour)
    for line in ax.axhline, ax.axvline:
        line(0, color="0.8", lw=0.8, zorder=0)
    ax.axline((0, 0), slope=1, ls=":", color=GREY, lw=1)
    ax.set_xlabel("confidence − truth by label (points)")
    ax.set_ylabel(f"by {by} (points)")
    return fig


def draw_gaps_on_cifar(cifar: pd.DataFrame) -> Figure:
    """Draw gaps by a random person against those by the label, of clear and unclear images."""
    clear = "clear", "clear images", 11, 8
    unclear = "unclear", "unclear", 3, 31
    return draw_gaps_by_judge(cifar, "people", "a random person", clear, unclear)


def glue_gaps_by_people(cifar: pd.DataFrame) -> None:
    """Glue by how many points gaps by people exceed those by the label, most where unclear."""
    wide = cifar.pivot_table(index=["source", "samples"], columns="judge", values="gap")
    more = (wide["people"] > wide["label"]).unstack()["all"]
    expect(more.all(), "the text says that gaps by people are larger everywhere")
    unclear = cifar[(cifar.samples == "unclear") & (cifar.judge == "people")]
    shift = (wide["people"] - wide["label"]).unstack().median()
    size = cifar.drop_duplicates("samples").set_index("samples").n
    part = shift["unclear"] * size["unclear"] / (shift["all"] * size["all"])
    glue_values(
        "whom",
        cifar_n=len(more),
        cifar_shift=f"{100 * shift['all']:.1f}",
        unclear=f"{100 * unclear.gap.min():.0f} to {100 * unclear.gap.max():.0f}",
        unclear_share=f"{100 * size['unclear'] / size['all']:.0f}",
        unclear_part=f"{100 * part:.0f}",
    )


def glue_gaps_by_accepted_labels(real: pd.DataFrame) -> None:
    """Glue how many networks are too sure by each judge; how far accepted labels move the gap."""
    over = real.assign(over=real.gap > 0, sure=real.low > 0)
    table = over.pivot_table(
        index="samples", columns="judge", values=["over", "sure"], aggfunc="sum"
    )
    change = 100 * real.set_index(["samples", "source", "judge"])[["gap", "share"]]
    change = change.xs("ReaL", level="judge") - change.xs("label", level="judge")
    lead, change = change.share["any"], change.gap.groupby("samples").mean()
    glue_values(
        "whom",
        any_label=int(table.loc["any", ("over", "label")]),
        any_real=int(table.loc["any", ("over", "ReaL")]),
        any_sure=int(table.loc["any", ("sure", "ReaL")]),
        change_any=signed(change["any"]),
        change_one=signed(change["one"]),
        lead=f"{lead.min():.0f} to {lead.max():.0f}",
    )
    expect(real.groupby("source").ngroups == 25, "the text counts 25 networks")
    label_by_label = table.loc["any", ("over", "label")]
    expect(
        label_by_label == table.loc["any", ("sure", "label")],
        "the text says that all too sure by the label are so beyond chance",
    )


def draw_effects_of_temperatures(entropies: pd.DataFrame) -> Figure:
    """Draw ECE against people and change of distance: a row a source, a mark for each kind of T."""
    left_out = r"CIFAR-10 |, seed \d|-BC-190-40|calibench, "
    label = entropies.source.map(source_label).str.replace(left_out, "", regex=True)
    means = 100 * entropies.groupby(label, sort=False).mean(numeric_only=True)
    fig, axes = plt.subplots(
        1, 2, figsize=(5.4, 4.6), sharey=True, layout="constrained"
    )
    kinds = {
        "none": ("as trained", 5, 1.5, 0, MEANING["before"]),
        "label": ("T for labels", 7, 0, 0.5, COLOURS["purple"]),
        "people": ("T for people", 7, -3, -0.45, MEANING["after"]),
    }
    for kind, (name, i, right, down, colour) in kinds.items():
        x = means[f"ece_people_{kind}"]
        mark = "s" if kind == "label" else "o"
        axes[0].plot(x, means.index, mark, ms=5, color=colour)
        axes[0].text(x.iloc[i] + right, i + down, name, va="center", color=colour)
        # what is as trained has moved by 0, and no dot
        moved = (means[f"distance_{kind}"] - means["distance_none"]).replace(0, np.nan)
        axes[1].plot(moved, means.index, mark, ms=5, color=colour)
    axes[1].axvline(0, color="0.5", lw=1, zorder=0)
    axes[0].set(xlim=(0, None), ylim=(9.5, -0.6), xlabel="ECE against people (%)")
    axes[1].set(title="← nearer   farther →", xlabel="change of distance (points)")
    return fig


def glue_temperatures_for_people(entropies: pd.DataFrame) -> None:
    """Glue where people ask for a higher temperature, and what it does to ECE and doubts."""
    hotter = entropies.t_people > entropies.t_label
    better = entropies.ece_people_people < entropies.ece_people_label
    images = entropies.source.str.contains("cifar10")
    farther = entropies.distance_people > entropies.distance_none
    raised = entropies.correlation_people > entropies.correlation_none
    glue_values(
        "whom",
        hotter=f"{hotter.sum()} of {len(hotter)}",
        better=f"{better.sum()} of {len(better)}",
        farther=f"{farther[images].sum()} of {images.sum()}",
        nearer=f"{(~farther)[~images].sum()} of {(~images).sum()}",
        sources=f"{images.sum()} for CIFAR-10, {(~images).sum()} for sentences",
        corr=f"{entropies.correlation.min():.2f} to {entropies.correlation.max():.2f}",
        corr_raised=f"{raised.sum()} of {len(raised)}",
        # rounded up: the text says that none comes to it
        corr_top=f"{np.ceil(10 * entropies.correlation_people.max()) / 10:.1f}",
    )


def draw_correlations_of_entropies(entropies: pd.DataFrame) -> Figure:
    """Draw the correlation of networks' and people's entropies, with intervals: a row a source."""
    part = entropies.sort_values("correlation")
    fig, ax = plt.subplots(figsize=(5.4, 4.2), layout="constrained")
    names = part.source.map(source_label)
    ax.hlines(names, part.low, part.high, color=COLOURS["blue"], lw=2)
    ax.plot(part.correlation, names, "o", color=COLOURS["blue"], ms=4)
    ax.set(xlabel="rank correlation of the entropies", xlim=(0, 1))
    return fig
