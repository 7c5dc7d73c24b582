"""Figures and numbers of the chapter on the repair of a confidence."""

from collections.abc import Callable, Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from book.show.display import glue_values
from book.show.number_texts import count_of
from calib.plots import COLOURS
from evidence.constants import ROUNDED_95
from evidence.language.originals import Answers


def draw_ece_and_skill_by_map(pairs: pd.DataFrame) -> Figure:
    """Draw ECE and skill of stated numbers before and after a map: it lowers the first alone."""
    stated = pairs[pairs.confidence == "verbal"]
    fig, axes = plt.subplots(2, 1, figsize=(5.4, 4.4), layout="constrained")
    for ax, label in zip(axes, ("ECE (%)", "skill (%)"), strict=True):
        values = label.split()[0].lower()
        wide = 100 * stated.pivot(index="model", columns="map", values=values)
        before, after = wide["none"], wide["isotonic"]
        ax.plot([before, after], [1, 0], color="0.8", lw=0.6)
        ax.plot(before, np.ones(len(wide)), "o", ms=4, color=COLOURS["vermillion"])
        ax.plot(after, np.zeros(len(wide)), "o", ms=4, color=COLOURS["blue"])
        ax.axvline(0, ls=":", color="0.35", lw=1)
        if values == "ece":
            chance = 100 * stated.ece_chance[stated["map"] == "isotonic"].median()
            ax.vlines(chance, -0.3, 0.3, color="black", lw=2)
            ax.text(4, -0.1, "line: by chance")
        ax.set_yticks([1, 0], ["before", "after"])
        ax.set(xlabel=label, ylim=(-0.3, 1.3), xlim=(max(before.min(), -150) - 3, None))
    return fig


def tuned_or_base(model: str) -> str:
    """Name a model of the family in a heading: its size, and whether it is tuned."""
    return model.split("-", 2)[2].replace("-Instruct", " tuned")


def _half_ends(numbers: pd.Series) -> str:
    """Return the ends of means over two halves, which may be halves themselves."""
    return f"{numbers.min():.1f} to {numbers.max():.1f}"


def glue_subjects_that_fail(
    errors: pd.DataFrame, choice: pd.DataFrame, ends: Callable[[pd.Series], str]
) -> None:
    """Glue how many subjects fail a test by their own and by others' temperature."""
    tuned = errors.filter(like="Instruct", axis=1)
    as_it_is, borrowed = (
        tuned.loc[way] - tuned.loc["by chance"]
        for way in ("no temperature", "the others' temperature")
    )
    by = [choice.fitted_on, choice.model]
    fails = (choice.p_value < 0.05).groupby(by).sum()
    of_half = choice[["p_first", "p_second"]].lt(0.05).mean(axis=1).groupby(by).sum()
    glue_values(
        "repair",
        subjects=ends(fails["other subjects"]),
        own_subjects=_half_ends(of_half["other half"]),
        shared_subjects=_half_ends(of_half["other subjects"]),
        tuned_lost=ends(100 * (1 - borrowed / as_it_is)),
    )


def draw_gaps_of_subjects(choice: pd.DataFrame) -> Figure:
    """Draw the gap of each subject as it is, and with the other subjects' T with its interval."""
    part = choice[choice.model == "Llama-3.1-8B-Instruct"]
    wide = part.pivot(
        index="group", columns="fitted_on", values=["over", "n", "accuracy"]
    )
    wide = wide.sort_values(("over", "other subjects"))
    accuracy, after = wide["accuracy"]["nothing"], 100 * wide["over"]["other subjects"]
    error = np.sqrt(accuracy * (1 - accuracy) / wide["n"]["nothing"])
    half = 100 * ROUNDED_95 * error
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    at = np.arange(len(wide))
    ax.plot(at, 100 * wide["over"]["nothing"], "s", ms=4, color=COLOURS["vermillion"])
    ax.errorbar(at, after, half, fmt="o", ms=4, lw=1, color=COLOURS["blue"])
    ax.axhline(0, color="0.35", ls=":", lw=1)
    ax.text(0, 27, "as it is", color=COLOURS["vermillion"])
    ax.text(20, -17, "with the T of the other subjects", color=COLOURS["blue"])
    ax.set(xlabel="57 subjects", ylabel="confidence − accuracy (points)", xticks=[])
    return fig


def glue_skill_after_maps(pairs: pd.DataFrame, kinds: Mapping[str, str]) -> None:
    """Glue how many models have negative skill, and the median skill and ECE after maps."""
    skill = pairs[pairs["map"] == "isotonic"].groupby("confidence").skill.median()
    left = 100 * pairs.groupby(["confidence", "map"]).ece.median()
    glue_values(
        "repair",
        negative=count_of(pairs.skill[pairs["map"] == "none"].dropna() < 0),
        **{f"skill_{kind}": f"{skill[kind]:.0%}" for kind in kinds},
        **{
            f"{name}_verbal": f"{left['verbal', name]:.1f}"
            for name in ("platt", "isotonic")
        },
    )


def glue_error_after_free_maps(pairs: pd.DataFrame) -> None:
    """Glue what maps without a shape leave on a half, beside chance, and how often a test tells."""
    free = pairs[pairs["map"].isin(["isotonic", "histogram"])]
    rejected = free[["p_first", "p_second"]].lt(0.05).mean(axis=1)
    free = free.assign(times=free.ece / free.ece_chance, rejected=rejected)
    by = free.groupby(["map", "confidence"])
    times, rejected = by.times.median(), by.rejected.mean()
    glue_values(
        "repair",
        times_chance=f"{times.min():.1f} to {times.max():.1f}",
        rejected=f"{rejected.min():.0%} to {rejected.max():.0%}",
    )


def draw_skill_against_accuracy(
    pairs: pd.DataFrame, kinds: Mapping[str, str]
) -> Figure:
    """Draw skill after isotonic regression against accuracy: a dot a model, a panel a kind."""
    fig, axes = plt.subplots(
        3, 1, figsize=(5, 6), sharex=True, sharey=True, layout="constrained"
    )
    repaired = pairs[pairs["map"] == "isotonic"]
    # a squared error lies between 0 and 1: its variance is at most B (1 - B)
    worst = np.sqrt(repaired.brier * (1 - repaired.brier) / repaired.n)
    half = 100 * ROUNDED_95 * worst / (repaired.accuracy * (1 - repaired.accuracy))
    shown = repaired.assign(
        x=100 * repaired.accuracy, y=100 * repaired.skill, half=half
    )
    for ax, (kind, colour) in zip(axes, kinds.items(), strict=True):
        points, colour = shown[shown.confidence == kind], COLOURS[colour]
        ax.errorbar(
            points.x, points.y, points.half, fmt="o", ms=3.5, lw=0.6, color=colour
        )
        ax.axhline(0, color="0.35", ls=":", lw=1)
        ax.axvspan(8, 50, color="0.95", lw=0, zorder=0)
        ax.text(10, 24, kind, color=colour)
    axes[0].text(46, -4.5, "knows no more than a constant", color="0.35", va="top")
    axes[1].set_ylabel("skill after isotonic regression (%)")
    axes[2].set_xlabel("accuracy (%)")
    return fig


def glue_own_and_borrowed_maps(transfer: pd.DataFrame) -> None:
    """Glue in per cent how often an own map beats a borrowed one, and each fails a test."""
    stated = (transfer.source == "tao") & (transfer.confidence == "verbal")
    wide = (
        transfer[stated]
        .pivot(index=["model", "group"], columns="fitted_on", values="ece_half")
        .dropna()
    )
    own_wins = wide["other half"] < wide["other subjects"]
    tests = transfer[stated].set_index("fitted_on")[["p_first", "p_second"]]
    fails = 100 * tests.lt(0.05).mean(axis=1).groupby(level=0).mean()
    glue_values(
        "repair",
        own_wins=f"{100 * own_wins.mean():.0f}",
        own_fail=f"{fails['other half']:.0f}",
        others_fail=f"{fails['other subjects']:.0f}",
        tao_worse=f"{100 * (wide['other subjects'] > wide['nothing']).mean():.0f}",
        tao_other=f"{100 * wide['other subjects'].median():.1f}",
        tao_none=f"{100 * wide['nothing'].median():.1f}",
    )


def draw_gaps_after_borrowed_map(transfer: pd.DataFrame) -> Figure:
    """Draw median and quartiles of models' gaps after the other subjects' map: a row a subject."""
    stated = (transfer.source == "tao") & (transfer.confidence == "verbal")
    part = transfer[stated & (transfer.fitted_on == "other subjects")]
    part = part.assign(over=100 * (part.mean_confidence - part.accuracy))
    q = (
        part.groupby("group")
        .over.quantile([0.25, 0.5, 0.75])
        .unstack()
        .sort_values(0.5)
    )
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    ax.hlines(q.index, q[0.25], q[0.75], color=COLOURS["vermillion"], lw=2)
    ax.plot(q[0.5], q.index, "o", color=COLOURS["vermillion"])
    ax.axvline(0, color="0.35", ls=":", lw=1)
    ax.set(xlabel="confidence − accuracy after the map of the other subjects (points)")
    return fig


def glue_answers_kept(
    answers: Answers,
    decline: Callable[[str, str, np.random.Generator], dict[str, float]],
    rng: np.random.Generator,
    target: float,
) -> None:
    """Glue how many models keep half of their answers, or hardly any, and exceed the risk."""

    def of_all(kind: str) -> pd.DataFrame:
        asked = [m for m in answers.models if len(answers.pairs(m, kind)[1])]
        return pd.DataFrame([decline(model, kind, rng) for model in asked])

    def by_cut(rows: pd.Series) -> str:
        ends = sorted(set(rows.groupby(level="cut").sum()))
        return (
            " or ".join(map(str, ends)) + f" of {rows.groupby(level='cut').size()[0]}"
        )

    facts: dict[str, object] = {}
    for kind in ("verbal", "token", "linguistic"):
        rows = pd.concat([of_all(kind) for _ in range(3)], keys=range(3), names=["cut"])
        facts[f"half_{kind}"] = by_cut(rows.kept >= 0.5)
        facts[f"never_{kind}"] = by_cut(rows.kept < 0.05)
        rows = rows.query("kept >= 0.05")
        risk, half_width = rows["errors of kept"], rows["±"]
        beyond = (risk - half_width > target).sum()
        facts |= {f"over_{kind}": count_of(risk > target), f"beyond_{kind}": beyond}
    glue_values("repair", **facts)
