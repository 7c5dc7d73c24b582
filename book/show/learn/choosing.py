"""Figures of the chapter on the choice of a map, and the tables that they draw."""

import textwrap
from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from book.show.display import expect, glue_values, typeset
from book.show.looks import METHODS, label_lines, look
from calib import OneVsRest
from calib.plots import PALE
from calib_report.deciding.advice import MAPS_BY_SIZE
from evidence.arena import load_cases
from evidence.arena.ranked_cases import by_dataset
from evidence.data import Predictions
from evidence.mean_intervals import half_width

Cell: TypeAlias = tuple[str, int, int]  # a world, a number of classes, of samples

NEEDS = {
    "two": "two classes,\nor one score",
    "several": "several classes",
    "many": "more than\n100 classes",
}
WORLDS = ["one temperature", "class by class", "label noise"]
BOX: dict[str, Any] = {
    "ha": "center",
    "va": "center",
    "fontsize": 10.5,
    "linespacing": 1.3,
}
FRAME: dict[str, Any] = {"boxstyle": "round,pad=0.5", "ec": "0.6"}
SMALLEST = 2e-5  # nats: the lower end of the axis
DRAWN = "none", "temperature", "ensemble temperature", "vector", "isotonic"


def branches() -> list[tuple[str, str, str]]:
    """Return of each row of the table of choices: what one has, how many samples, what to do."""
    rows = [row for row in MAPS_BY_SIZE if "classes" in row]
    return [
        (need, _in_lines(row["said"]), row["leaf"])
        for need in NEEDS
        for row in rows
        if need in row["classes"]
    ]


def _in_lines(said: str) -> str:
    """Return the number of samples, which a row says last, in lines as short as the tree's."""
    return textwrap.fill(said.split(", ")[-1], width=14)


def draw_tree_of_choices() -> Figure:
    """Draw the table of choices as a tree."""
    figure, ax = plt.subplots(figsize=(5.6, 5.8), layout="constrained")
    drawn = branches()
    for height, (_, words, leaf) in enumerate(drawn):
        ax.text(
            2.3, -height, words, bbox=FRAME | {"fc": "w", "ec": "w", "pad": 0.1}, **BOX
        )
        ax.text(3.95, -height, leaf, bbox=FRAME | {"fc": PALE}, **BOX)
        _line(ax, (2.3, -height), (3.95, -height))
    root = -0.1, -(len(drawn) - 1) / 2
    for need, words in NEEDS.items():
        heights = [-i for i, (name, *_) in enumerate(drawn) if name == need]
        middle = 0.95, sum(heights) / len(heights)
        ax.text(*middle, words, bbox=FRAME | {"fc": "w"}, **BOX)
        _line(ax, root, middle)
        for height in heights:
            _line(ax, middle, (2.3, height))
    ax.text(*root, "What\ndo you\nhave?", bbox=FRAME | {"fc": "w"}, **BOX)
    ax.set(xlim=(-0.5, 4.7), ylim=(0.4 - len(drawn), 0.6))
    ax.axis("off")
    return figure


def _line(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.annotate(
        "", start, end, arrowprops={"arrowstyle": "-", "color": "0.6"}, zorder=0
    )


def best_and_rivals(cell: pd.DataFrame) -> tuple[str, list[str]]:
    """Return the map with the lowest mean excess NLL, and those within chance of it.

    Repetitions share networks and data, so differences are paired: of a rival the 95 % interval
    of its difference to the best holds zero.
    """
    table = cell.pivot(
        index="repetition", columns="method", values="excess_nll"
    ).dropna(axis=1)
    best = str(table.mean().idxmin())
    difference = table.sub(table[best], axis=0)
    rivals = difference.columns[difference.mean() <= half_width(difference)]
    return best, [name for name in rivals if name != best]


def best_maps(study: pd.DataFrame) -> dict[Cell, tuple[str, list[str]]]:
    """Return these of each world, number of classes and number of samples."""
    cells = study.groupby(["world", "classes", "n"])
    return {key: best_and_rivals(cell) for key, cell in cells}


def draw_best_maps(winners: dict[Cell, tuple[str, list[str]]]) -> Figure:
    """Draw the `winners` as coloured cells, a panel a world; a dot where there is a rival."""
    classes, sizes = (sorted({key[i] for key in winners}) for i in (1, 2))
    figure, axes = plt.subplots(3, 1, figsize=(5.4, 7.2))
    for (world, k, n), (best, rivals) in winners.items():
        corner = sizes.index(n), classes.index(k)
        draw_best_map_of_cell(
            axes[WORLDS.index(world)], corner, best, has_rivals=bool(rivals)
        )
    for ax, world in zip(axes, WORLDS, strict=True):
        ax.set(xlim=(0, len(sizes)), ylim=(0, len(classes)), title=world)
        ax.set_xticks(
            np.arange(len(sizes)) + 0.5, [f"{n:,}".replace(",", " ") for n in sizes]
        )
        ax.set_yticks(np.arange(len(classes)) + 0.5, classes)
        ax.set_ylabel("classes K")
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    axes[-1].set_xlabel("calibration samples n")
    figure.tight_layout()
    return figure


def draw_best_map_of_cell(
    ax: Axes, corner: tuple[int, int], best: str, *, has_rivals: bool
) -> None:
    """Draw the cell of a winner in its colour; the ensemble's is that of the one temperature."""
    word = best.removesuffix(" temperature").partition(",")[0]
    colour = METHODS[best if best in METHODS else word][0]
    alpha = 0.12 if word == "ensemble" else 0.35
    ax.add_patch(Rectangle(corner, 0.96, 0.94, lw=0, fc=colour, alpha=alpha))
    j, i = corner
    text = f"{word} •" if has_rivals else word
    ax.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=10)


def draw_excess_by_sample_size(study: pd.DataFrame) -> Figure:
    """Draw mean excess NLL against n for ten classes, a panel a world, with 95 % intervals."""
    figure, axes = plt.subplots(
        3, 1, figsize=(5.4, 7.6), sharex=True, layout="constrained"
    )
    for ax, world in zip(axes, WORLDS, strict=True):
        part = study[(study.world == world) & (study.classes == 10)]
        for name in DRAWN:
            values = part[part.method == name].groupby("n").excess_nll
            middle, half = values.mean(), values.agg(half_width)
            ax.plot(middle, label=name.replace("e temperature", "e"), **look(name))
            low = (middle - half).clip(SMALLEST)
            colour = METHODS[name][0]
            ax.fill_between(
                middle.index, low, middle + half, color=colour, alpha=0.2, lw=0
            )
        ax.set(xscale="log", yscale="log", ylim=(SMALLEST, 2), title=world)
        label_lines(ax)
    figure.supylabel("excess NLL, nats", fontsize="medium")
    axes[-1].set_xlabel("calibration samples n")
    return figure


def draw_nll_by_sample_size(curves: dict[str, list[float]], sizes: list[int]) -> Figure:
    """Draw the test NLL of maps against the number of images that they were fitted to."""
    figure, ax = plt.subplots(figsize=(5.4, 3.6))
    for name, curve in curves.items():
        ax.plot(sizes, curve, label=name, **look(name))
    ax.set(
        xscale="log", xlabel="calibration images", ylabel="test NLL", ylim=(None, 0.4)
    )
    ax.legend(frameon=False)
    return figure


def choices_of(networks: pd.DataFrame) -> pd.DataFrame:
    """Return of each network the map that folds chose, the best on its test set, both apart in NLL.

    The loss is against the best on the test set, what was won is against one temperature.
    """
    rows = {}
    for name, table in networks.groupby("network", sort=False):
        maps = table[table.method != "none"].set_index("method")
        chosen, best = maps.held_out_nll.idxmin(), maps.test_nll.idxmin()
        lost = maps.test_nll[chosen] - maps.test_nll[best]
        if lost == 0:
            best = chosen  # of two maps that say the same
        short = str(name).split("-dan")[0].split("-w16")[0]
        won, low, high = maps.loc[chosen, ["saved", "saved_low", "saved_high"]]
        row = {"chosen": chosen, "best on test": best, "lost": lost, "won": won}
        between = typeset(f"{low:.4f} to {high:.4f}")
        rows[short] = row | {"95 %": between, "low": low, "high": high}
    numbers = dict.fromkeys(["lost", "won", "low", "high"], float)
    return pd.DataFrame(rows).T.rename_axis("network").astype(numbers)


def glue_gains_in_arena() -> None:
    """Glue on how many data sets of the arena the structured matrix gains, by their size."""
    cases = load_cases()
    for size in ("500", "2500"):
        gains = by_dataset(cases[cases["size"] == size], "gain")["structured matrix"]
        gains = gains.dropna()
        count = f"{(gains > 0).sum()} of {len(gains)}"
        glue_values("choosing-gains", **{size: count})


def glue_success_of_folds(real: pd.DataFrame) -> None:
    """Glue how often the folds choose the best map, and a better one than one temperature."""
    hits, clear = (real.lost == 0).sum(), (real.low > 0).sum()
    expect(
        hits == (real.lost.round(4) == 0).sum(),
        "the table shows a loss of zero where the text counts none",
    )
    expect(
        (real.won >= 0).all(),
        "the text says that the choice is worse than one temperature on none",
    )
    expect(
        real.lost.idxmax() == "20news", "the text names the network of the largest loss"
    )
    glue_values("choosing", hits=f"{hits} of {len(real)}", clear=f"{clear}")
    glue_values("choosing", loss=f"{real.lost.max():.4f}", won=f"{real.won.max():.3f}")


def glue_accuracy_of_both_sets(network: Predictions) -> None:
    """Glue how many answers are right where maps are fitted and on the test set, in per cent."""
    known, test = (
        100 * np.mean(split.as_logits().argmax(axis=1) == split.y)
        for split in (network.to_fit, network.test)
    )
    expect(
        known > test + 5, "the text says that fewer are right where the world has moved"
    )
    glue_values("choosing", news=f"{known:.0f}", news_test=f"{test:.0f}")


def glue_changed_answers(one_score: OneVsRest, network: Predictions) -> None:
    """Glue how many answers of a network a map of one score changes."""
    known, test = network.to_fit, network.test
    after = one_score.fit(known.logits, known.y).predict_proba(test.logits)
    changed = np.sum(after.argmax(axis=1) != test.prob.argmax(axis=1))
    expect(changed > 0, "the text says that it changes some")
    glue_values("choosing", changed=f"{changed} of {len(test.y)} answers")
