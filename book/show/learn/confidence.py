"""Figures and numbers of the chapter *What do language models know?*."""

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import expect, glue_values, typeset
from book.show.number_texts import count_of
from calib.plots import COLOURS
from evidence import load_results
from evidence.constants import ROUNDED_95
from evidence.language.originals import Answers


def draw_confidence_against_accuracy(
    tao: pd.DataFrame, kinds: Mapping[str, str]
) -> Figure:
    """Draw mean confidence against accuracy: a dot a model, a colour a kind of confidence."""
    fig, ax = plt.subplots(figsize=(5.4, 4.8), layout="constrained")
    shown = tao.assign(x=100 * tao.accuracy, y=100 * tao.mean_confidence)
    ax.plot([0, 100], [0, 100], "--", color="0.35", lw=1)
    ax.axhline(90, ls=":", color="0.35", lw=1)
    for kind, corner in (
        ("token", (1, 76)),
        ("verbal", (1, 98)),
        ("linguistic", (30, 54)),
    ):
        points, colour = shown[shown.confidence == kind], COLOURS[kinds[kind]]
        ax.plot(points.x, points.y, "o", ms=4, color=colour, mec="white", mew=0.4)
        ax.text(*corner, kind, color=colour)
    ax.text(52, 46, "calibrated", color="0.35")
    stated = shown[shown.confidence == "verbal"].set_index("model")
    line: dict[str, Any] = {
        "arrowprops": {"arrowstyle": "-", "color": "0.35", "lw": 0.8}
    }
    for name, corner, side in (
        ("Qwen3-0.6B-Base", (31, 107), "left"),
        ("deepseek-reasoner", (84, 58), "center"),
        ("Mixtral-8x7B-v0.1", (14, 6), "left"),
    ):
        model = stated.loc[name]
        ax.plot(model.x, model.y, "o", ms=10, mfc="none", mec="black", mew=0.8)
        label = f"{name}\n{model.x:.0f} % right"
        ax.annotate(
            label, (model.x, model.y), corner, fontsize=10, ha=side, va="center", **line
        )
    ax.set(xlabel="accuracy (%)", ylabel="mean confidence (%)")
    ax.set(xlim=(0, 100), ylim=(0, 112))
    return fig


def glue_stated_numbers(
    answers: Answers, kinds: Mapping[str, str], table: pd.DataFrame
) -> None:
    """Glue how many models are right once, and what numbers are stated, left out, and how often."""
    stated = np.concatenate(
        [answers.pairs(model, "verbal")[0] for model in answers.models]
    )
    values, counts = np.unique(stated, return_counts=True)
    right, missing = answers.outcome == 1, (answers.outcome == 2).mean(axis=1)
    most = int(missing.argmax())
    glue_values(
        "know",
        right=f"{(table['the answer is'] == 'right').sum()}",
        verbal=f"{table.verbal.mean():.2f}",
        gap=f"{np.nanmax(np.ptp(table[list(kinds)].to_numpy(), axis=1)):.2f}",
        said=f"{len(stated):,}",
        values=f"{len(values)}",
        three=f"{100 * np.sort(counts)[-3:].sum() / len(stated):.0f}",
        missing=f"{100 * missing[most]:.0f}",
        silent=answers.models[most],
        left=f"{100 * right[most].sum() / (answers.outcome[most] != 2).sum():.0f}",
        counted=f"{100 * right[most].mean():.0f}",
    )


def draw_round_numbers(
    kinds: Mapping[str, str], model: str, answers: Answers
) -> Figure:
    """Draw how often a model has each confidence in whole per cent: a panel for either kind."""
    fig, axes = plt.subplots(
        2, 1, figsize=(5.4, 4.4), sharex=True, layout="constrained"
    )
    for ax, kind in zip(axes, ("verbal", "token"), strict=True):
        steps = np.round(100 * answers.pairs(model, kind)[0]).astype(int)
        share = 100 * np.bincount(steps, minlength=101) / len(steps)
        ax.bar(np.arange(101), share, width=1.1, color=COLOURS[kinds[kind]])
        ax.set(title=f"{kind} confidence", ylabel="answers (%)", xlim=(-2, 102))
    axes[1].set_xlabel("confidence (%)")
    return fig


def glue_models_too_sure(
    paired: pd.DataFrame,
    tao: pd.DataFrame,
    verbal: pd.DataFrame,
) -> None:
    """Glue how many models state too much, and which kind of confidence has the lower ECE."""
    within = paired.query("comparison == 'kind' and metric == 'ece'")
    lower = {
        pair: rows.set_index("first").difference < 0
        for pair, rows in within.groupby(["second_confidence", "first_confidence"])
    }
    of_tokens = lower["verbal", "token"]
    glue_values(
        "know",
        humble=", ".join(verbal.model[verbal.mean_confidence < verbal.accuracy]),
        over=count_of(tao.mean_confidence > tao.accuracy),
        stated=f"{verbal.mean_confidence.median():.0%}",
        accuracy=f"{verbal.accuracy.median():.0%}",
        outside=f"{((tao.ece > tao.ece_chance) & (tao.ece_low > tao.ece_chance)).sum()}",
        kind_verbal=count_of(of_tokens),
        kind_words=count_of(lower["linguistic", "verbal"]),
    )


def draw_ece_of_both_kinds(paired: pd.DataFrame, models: pd.DataFrame) -> Figure:
    """Draw the ECE of stated numbers against that of tokens: a dot a model, Qwen3 apart."""
    rows = paired.query(
        "comparison == 'kind' and metric == 'ece' and second_confidence == 'verbal'"
        " and first_confidence == 'token'"
    )
    fig, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
    qwen = (rows["first"].map(models.family) == "Qwen3").to_numpy()
    token, verbal = 100 * rows.first_value, 100 * rows.second_value
    for inside, name, colour, corner in (
        (~qwen, "other families", "blue", (3, 66)),
        (qwen, "Qwen3", "vermillion", (3, 60)),
    ):
        ax.plot(token[inside], verbal[inside], "o", ms=5, color=COLOURS[colour])
        ax.text(*corner, name, color=COLOURS[colour])
    ax.axline((0, 0), slope=1, ls=":", color="0.35", lw=1)
    ax.text(52, 22, "stated number\nis better", color="0.35")
    ax.set(xlabel="ECE of the token probability (%)", xlim=(0, 75))
    ax.set(ylabel="ECE of the stated number (%)", ylim=(0, 75))
    return fig


def own_and_dealt(
    correlation: Callable[..., np.ndarray],
    kinds_of: Mapping[str, pd.DataFrame],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Return the correlation of accuracy and ECE over the models of each kind, a row a kind.

    ``own`` is that of their own confidences, from ``low`` to ``high``, ``dealt`` the median where
    confidences are dealt to models at random; ``slope`` is that of confidence against accuracy.
    """
    lines = {}
    for name, rows in kinds_of.items():
        a, c = rows.accuracy.to_numpy(), rows.mean_confidence.to_numpy()
        own, low, high = correlation(a, rows.ece, rng, rows.get("family"))
        # the confidences of other models in place of its own: |c - a| without any skill
        dealt = [
            np.corrcoef(a, np.abs(rng.permutation(c) - a))[0, 1] for _ in range(500)
        ]
        slope = np.polyfit(a, c, 1)[0]
        lines[name] = [len(a), slope, own, low, high, np.median(dealt)]
    columns = ["n", "slope", "own", "low", "high", "dealt"]
    return pd.DataFrame.from_dict(lines, orient="index", columns=columns)


def draw_own_and_dealt_correlations(correlations: pd.DataFrame) -> Figure:
    """Draw ECE's correlation with accuracy, with its interval, and that of shuffled confidences."""
    fig, ax = plt.subplots(figsize=(5.4, 3.2), layout="constrained")
    for i, row in enumerate(correlations.itertuples()):
        ax.plot([row.low, row.high], [i, i], color=COLOURS["blue"])
        ax.plot(row.own, i, "o", color=COLOURS["blue"])
        ax.plot(row.dealt, i + 0.25, "D", color=COLOURS["vermillion"])
    ax.axvline(0, color="0.35", ls=":", lw=1)
    ax.set_yticks(range(4), correlations.index)
    ax.set(xlabel="correlation with accuracy", xlim=(-1.05, 1.05), ylim=(3.5, -0.9))
    ax.set_xticks([-1, -0.5, 0, 0.5, 1])
    for x, text, colour in (
        (-0.95, "ECE", "blue"),
        (-0.72, "ECE, shuffled", "vermillion"),
    ):
        ax.text(x, -0.5, text, color=COLOURS[colour])
    return fig


def draw_bins_by_tuning() -> Figure:
    """Draw accuracy against confidence in bins, base and instruct: a panel a size of Llama 3.1."""
    bins = load_results("language_bins").query(
        "source == 'alecwangcq' and map == 'none' and count >= 20"
    )
    fig, axes = plt.subplots(2, 1, figsize=(4, 6.8), sharex=True, layout="constrained")
    for ax, size in zip(axes, ("8B", "70B"), strict=True):
        for suffix, colour, mark in (
            ("", "blue", "o"),
            ("-Instruct", "vermillion", "s"),
        ):
            part = bins[bins.model == f"Llama-3.1-{size}{suffix}"]
            n, colour = part["count"], COLOURS[colour]
            s, h = 100 * part.score_sum / n, 100 * part.hit_sum / n
            # about the confidence: where the frequency of a calibrated bin lies by chance
            half = ROUNDED_95 * np.sqrt(s * (100 - s) / n)
            ax.vlines(s, s - half, s + half, color=colour, lw=3, alpha=0.35)
            ax.plot(s, h, mark + "-", color=colour, ms=4)
        ax.plot([0, 100], [0, 100], ":", color="0.35", lw=1)
        ax.text(25, 85, f"{size} base", color=COLOURS["blue"])
        ax.text(70, 38, f"{size} instruct", color=COLOURS["vermillion"])
        ax.set(ylabel="accuracy (%)", xlim=(20, 100), ylim=(20, 100), aspect="equal")
    axes[1].set_xlabel("confidence (%)")
    return fig


def glue_ece_by_tuning(everything: pd.DataFrame) -> None:
    """Glue by how much tuning multiplies the ECE, and what of it one temperature removes."""
    maps = (
        load_results("language_maps").query("map == 'temperature'").set_index("model")
    )
    llama = everything[everything.source == "alecwangcq"].set_index("model")
    for size in ("8B", "70B"):
        names = [f"Llama-3.1-{size}{end}" for end in ("", "-Instruct")]
        ece, t = llama.ece[names], maps.temperature[names].astype(float)
        back = 100 * (1 - maps.ece[names[1]] / ece.iloc[1])
        times = f"{ece.iloc[1] / ece.iloc[0]:.1f}"
        glue_values(
            f"know-{size}",
            times=times,
            t="{:.2f} to {:.2f}".format(*t),
            back=f"{back:.0f}",
        )


def draw_changes_in_pairs(
    ends: pd.DataFrame, colours: Mapping[str, str], parts: Mapping[str, pd.Series]
) -> Figure:
    """Draw changes of ECE, with intervals, and of minus the accuracy: a row a pair of models."""
    fig, ax = plt.subplots(figsize=(5.4, 5), layout="constrained")
    # between two groups there is room for a heading
    rows = np.arange(len(ends)) + 1.5 * pd.factorize(ends.index.get_level_values(0))[0]
    for i, (group, name) in zip(rows, ends.index, strict=True):
        colour = COLOURS[colours[group]]
        ax.plot(ends.loc[group, name], [i, i], color=colour)
        ax.plot(parts["ece"][group, name], i, "o", ms=5, color=colour)
        ax.plot(-parts["accuracy"][group, name], i, "x", color="black")
    for group, colour in colours.items():
        above = rows[ends.index.get_level_values(0) == group].min() - 1
        ax.text(-25, above, group, color=COLOURS[colour], va="center")
    ax.text(-18, -1, "● ECE", color=COLOURS["blue"], va="center")
    ax.text(-12, -1, "× minus accuracy", va="center")
    ax.axvline(0, color="0.35", lw=0.8)
    names = ends.index.get_level_values(1).str.replace(
        "-fp8-tput|-think", "", regex=True
    )
    ax.set_yticks(rows, names, fontsize=10)
    ax.set(xlabel="change (points)", xlim=(-25.5, 5), ylim=(rows[-1] + 0.7, -1.7))
    return fig


def glue_effects_in_pairs(
    parts: Mapping[str, pd.Series],
    ends: pd.DataFrame,
    tao: pd.DataFrame,
) -> None:
    """Glue in how many pairs tuning, reasoning and quantising lower the ECE, and by what share."""
    falls = (parts["ece"] < 0).groupby(level=0)
    tuning = parts["mean_confidence"]["tuned"]
    still = tuning.index[tuning.abs() < 0.5]
    share = 100 * (-parts["accuracy"] / parts["overconfidence"])["reasoning"]
    expect(
        len(still) == 2,
        "the text names two sizes whose confidence stays when they are tuned",
    )
    expect(len(ends) == 23, "the figure shows 23 pairs")
    expect(
        (tao.confidence == "token").sum() == 73,
        "a caption and the list say that 73 are of tokens",
    )
    glue_values(
        "know-pairs",
        **{group: count_of(rows) for group, rows in falls},
        still=" and ".join(still),
        share=f"{share.median():.0f}",
        auroc=count_of(parts["auroc"]["reasoning"] > 0),
        family=count_of(ends.index.get_level_values(1).str.contains("Qwen3")),
        bits=f"{parts['ece']['quantised'].abs().max():.1f}",
    )


def draw_sums_in_debates(debates: pd.DataFrame) -> Figure:
    """Draw the sum of both sides' probabilities of winning: a row a debate, a dot a speech."""
    fig, ax = plt.subplots(figsize=(5.2, 4), layout="constrained")
    kinds = list(dict.fromkeys(debates.experiment))
    for up, (speech, colour) in enumerate(
        {"opening": "sky", "rebuttal": "blue", "closing": "black"}.items()
    ):
        rows = debates[debates.speech == speech]
        heights = np.arange(len(rows)) + 0.27 * (up - 1)
        ax.hlines(heights, 100 * rows.low, 100 * rows.high, color=COLOURS[colour])
        ax.plot(100 * rows["sum"], heights, "o", ms=5, color=COLOURS[colour])
        beside = 2 + 100 * rows.high.iloc[0], heights[0]
        ax.text(*beside, speech, color=COLOURS[colour], va="center", fontsize=10)
    ax.axvline(100, ls=":", color="0.35", lw=1)
    ax.set_yticks(
        range(len(kinds)), [k.replace("itself,", "against itself,\n") for k in kinds]
    )
    ax.invert_yaxis()
    ax.set(xlabel="the two probabilities of winning, together (%)", xlim=(90, 190))
    return fig


def draw_stated_against_life_table(life: pd.DataFrame) -> Figure:
    """Draw stated confidence against the life table's: a mark a model, a colour a width."""
    colours = {1: "vermillion", 5: "purple", 10: "green", 20: "blue"}
    fig, ax = plt.subplots(figsize=(5, 4.4), layout="constrained")
    for (width, colour), mark in zip(colours.items(), "os^D", strict=True):
        rows = 100 * life[life.width == width].drop(columns="model")
        x, ends = rows.probability, (rows.bias_low, rows.bias_high)
        ax.plot(x, rows.stated, mark, color=COLOURS[colour], ms=5)
        ax.vlines(x, *(x + end for end in ends), color=COLOURS[colour], lw=1)
        ax.text(
            x.mean(), 0, f"±{width}", color=COLOURS[colour], ha="center", va="bottom"
        )
    ax.plot([0, 100], [0, 100], ":", color="0.35", lw=1)
    ax.set(xlabel="probability in the life table (%)", xlim=(0, 100), ylim=(0, 100))
    ax.set_ylabel("stated confidence (%)")
    return fig


def glue_bias_by_width(life: pd.DataFrame, everything: pd.DataFrame) -> None:
    """Glue how many models claim too much of narrow ranges and too little of wide ones."""
    narrow, broad = life[life.width == 1], life[life.width == 20]
    expect(
        (narrow.bias > 0).sum() == 7 and (broad.bias < 0).sum() == 10,
        "the text of the figure counts 7 and 10 models",
    )
    michael = everything.query(
        "source == 'michael' and confidence == 'stated' and dataset != 'HaluEval-QA'"
    )
    gap = (michael.mean_confidence - michael.accuracy).groupby(michael.dataset).mean()
    glue_values(
        "know-life",
        narrow=count_of(narrow.bias_low > 0),
        wide=count_of(broad.bias_high < 0),
        lsat=typeset(f"{100 * gap['LSAT-AR']:.0f}"),
        sat=typeset(f"{100 * gap['SAT-EN']:.0f}"),
    )
