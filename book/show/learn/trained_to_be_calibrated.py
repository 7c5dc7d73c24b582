"""Figures and numbers of the chapter *Trained to be calibrated*."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values, typeset
from book.show.looks import DATASETS, MEANING, label_lines, looks
from calib.plots import COLOURS
from evidence import load_zoo
from evidence.derived import losses
from evidence.mean_intervals import half_width

# scores after a temperature, and by what they are multiplied in the table
AFTER = {"NLL after T": 1000, "Brier after T": 1000, "accuracy": 1}


def draw_excess_by_loss(ours: pd.DataFrame, ticks: Sequence[str]) -> Figure:
    """Draw confidence less accuracy: a column a loss, arrows from shorter to longer training."""
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    widest = ours["range"].max()
    ax.axhspan(-widest, widest, color=MEANING["by chance"], alpha=0.35, lw=0)
    grey: dict[str, Any] = {"color": MEANING["by chance"], "ha": "center", "va": "top"}
    ax.text(0.5, -1.2, "range of\nchance", **grey)
    for (length, part), colour, marker in zip(
        ours.groupby("training", sort=False), ("purple", "green"), "os", strict=True
    ):
        style = {"color": COLOURS[colour], "label": length}
        ax.plot(part.loss.cat.codes, part["excess"], marker, **style)
        first = part[part.loss == "FL 1"]["excess"].mean()
        ax.text(1.15, first, length, color=COLOURS[colour], va="center")
    for at, part in ours.groupby(ours["loss"].cat.codes):
        up = part.groupby("training")["excess"].agg(["min", "max"])
        ends: dict[str, Any] = {
            "xytext": (at, up["max"]["5 epochs"]),
            "xy": (at, up["min"]["30 epochs"]),
        }
        arrow = {"arrowstyle": "->", "color": "0.4", "shrinkA": 4, "shrinkB": 4}
        ax.annotate("", **ends, arrowprops=arrow)
    ax.text(4.4, 9, "too sure", ha="right", style="italic")
    ax.text(4.4, -15, "not sure enough", ha="right", style="italic")
    ax.set_xticks(range(5), ticks)
    ax.set(ylabel="confidence − accuracy, points")
    return fig


def loss_in_words(loss: str) -> str:
    """Return a loss in words."""
    words = {
        "CE": "cross-entropy",
        "FL": "focal loss, γ =",
        "LS": "label smoothing, α =",
    }
    kind, _, number = loss.partition(" ")
    return f"{words[kind]} {number}".strip() if kind in words else loss


def table_of_losses(mean: pd.DataFrame) -> pd.DataFrame:
    """Return the table of what each loss leaves, in text: errors with their level by chance."""
    table = pd.DataFrame(index=mean.index)
    for head, column in (("ECE (chance)", ""), ("after T", " after T")):
        both = zip(mean[f"ECE %{column}"], mean[f"chance{column}"], strict=True)
        table[head] = [f"{ece:.1f} ({by:.1f})" for ece, by in both]
    for column, digits in {"NLL after T": 3, "Brier after T": 3, "accuracy": 1}.items():
        table[column] = mean[column].map(f"{{:.{digits}f}}".format)
    return table.rename(index=loss_in_words)


def glue_order_of_losses(
    ours: pd.DataFrame,
    trained_in: Callable[[str], pd.DataFrame],
    mean: pd.DataFrame,
    losses: Mapping[str, str],
) -> None:
    """Glue how often two halves name one loss the best, and the order of losses by training."""
    runs = [nets["name"] for _, nets in trained_in("vasilev-full-fit").groupby("seed")]
    glue_values(
        "trained-halves", best=f"{share_of_splits_that_disagree(runs, np.argmin):.0%}"
    )
    glue_values(
        "trained-halves", worst=f"{share_of_splits_that_disagree(runs, np.argmax):.0%}"
    )
    glue_nll_above_cross_entropy(ours, mean)
    by_seed, as_mean = ours.set_index(["training", "seed", "loss"])["ECE %"], []
    for key, length in [("long", "30 epochs"), ("short", "5 epochs")]:
        order = mean.loc[length, "ECE %"].sort_values(ascending=False).index
        focal = [list(order).index(f"FL {gamma}") for gamma in (1, 2, 3)]
        expect(
            order[0 if key == "long" else -1] == "CE",
            "the text says that cross-entropy comes first or last",
        )
        expect(
            focal == sorted(focal, reverse=key == "short"),
            "the text says in which order focal losses stand",
        )
        for _, eces in by_seed[length].groupby("seed"):
            as_mean.append(list(eces.droplevel("seed")[order]) == sorted(eces)[::-1])
    for name in ("ce", "fl3"):
        span = span_of(ours, "5 epochs", losses[name], "ECE %")
        glue_values("trained-short", **{name: span})
    glue_values("trained", orders=f"{sum(as_mean)} of {len(as_mean)}")
    glue_values("trained", short_fl3_t=span_of(ours, "5 epochs", "FL 3", "T", digits=2))
    glue_values(
        "trained", fit=f"{ours.groupby('training').train.min()['30 epochs']:.1f}"
    )
    glue_values("trained", chance=f"{mean.loc[('5 epochs', 'CE'), 'chance']:.1f}")


def glue_nll_above_cross_entropy(ours: pd.DataFrame, mean: pd.DataFrame) -> None:
    """Glue by how much losses lie above cross-entropy after one temperature, seed by seed."""
    by_run = ours.pivot(index=["training", "seed"], columns="loss")
    nll, brier = (
        by_run[score].sub(by_run[score]["CE"], axis=0)
        for score in ("NLL after T", "Brier after T")
    )
    long = mean.loc["30 epochs"]
    expect(
        long["NLL after T"].idxmax() == long["accuracy"].idxmax() == "LS 0.05",
        "the text says that LS 0.05 has the highest NLL and accuracy",
    )
    expect(
        brier.loc["30 epochs", "LS 0.05"].abs().max() < 0.001,
        "the text says that label smoothing has the Brier score of cross-entropy",
    )
    spans = {
        "price": nll.loc["30 epochs", "LS 0.05"],
        "gain": -nll.loc["30 epochs", "FL 2"],
        "short": nll.loc["5 epochs", "FL 2"],
    }
    for name, nats in spans.items():
        expect(
            nats.min() > 0, f"the text says on which side cross-entropy lies: {name}"
        )
        glue_values("trained-nll", **{name: f"{nats.min():.3f} to {nats.max():.3f}"})


def less_cross_entropy(ours: pd.DataFrame) -> pd.DataFrame:
    """Return each network's scores less those of cross-entropy, of its seed and training."""
    scores = ours.set_index(["training", "loss", "seed"])[list(AFTER)] * list(
        AFTER.values()
    )
    return scores.drop("CE", level="loss") - scores.xs("CE", level="loss")


def differences_in_words(apart: pd.DataFrame) -> pd.DataFrame:
    """Return the mean differences of each training and loss, with Student's intervals."""
    groups = apart.groupby(["training", "loss"], observed=True, sort=False)
    mean, half = groups.mean(), groups.agg(half_width)
    rows = {
        column.removesuffix(" after T"): [
            typeset(f"{m:.1f} ({m - h:.1f} to {m + h:.1f})")
            for m, h in zip(mean[column], half[column], strict=True)
        ]
        for column in mean
    }
    return pd.DataFrame(rows, index=mean.index).rename(index=loss_in_words)


def glue_distance_from_cross_entropy(apart: pd.DataFrame) -> None:
    """Glue how far two losses are from cross-entropy; assert that none is clearly better."""
    groups = apart.groupby(["training", "loss"], observed=True, sort=False)
    mean, half = groups.mean(), groups.agg(half_width)
    low, high = mean - half, mean + half
    expect(
        high[["NLL after T", "Brier after T"]].gt(0).all(axis=None),
        "the text says that no loss is clearly better",
    )
    expect(
        low["accuracy"].lt(0).all(),
        "the text says that no loss is clearly more accurate",
    )
    smoothed, focal = ("30 epochs", "LS 0.05"), ("30 epochs", "FL 2")
    ahead = apart["accuracy"].unstack("seed").loc[smoothed] > 0
    points = [frame.loc[smoothed, "accuracy"] for frame in (mean, low, high)]
    nats = [frame.loc[focal, "NLL after T"] / 1000 for frame in (low, high)]
    glue_values(
        "trained",
        ls_accuracy_seeds=f"{ahead.sum()} of {len(ahead)}",
        ls_accuracy=typeset("{:.1f} ({:.1f} to {:.1f})".format(*points)),
        fl2_nll=typeset("{:.3f} to {:.3f}".format(*nats)),
    )


def glue_printed_extremes(printed: pd.DataFrame, most: pd.Series) -> None:
    """Glue how often focal loss prints the lowest ECE and cross-entropy the highest."""
    best, worst = printed.idxmin(axis=1) == "FL 3", printed.idxmax(axis=1) == "CE"
    glue_values("trained-printed", best=f"{best.sum()} of {len(best)}")
    glue_values("trained-printed-ce", worst=f"{worst.sum()} of {len(worst)}")
    names = ["most_10", "most_100", "most_tiny"]
    glue_values("trained", **most.set_axis(names).map("{:.1f}".format))


def span_of(
    ours: pd.DataFrame, training: str, loss: str, column: str, digits: int = 1
) -> str:
    """Return the smallest and the largest value of a loss's runs; one where they look equal."""
    values = ours[(ours.training == training) & (ours.loss == loss)][column]
    low, high = f"{values.min():.{digits}f}", f"{values.max():.{digits}f}"
    return low if low == high else f"{low} to {high}"


def share_of_splits_that_disagree(
    runs: Sequence[pd.Series], extreme: Callable[[list[float]], int], n_splits: int = 20
) -> float:
    """Return how often two halves of one test set name different losses, after 30 epochs.

    `runs` are the names of the networks of each seed, one a loss.
    """
    rng, apart = np.random.default_rng(0), []
    for names in runs:
        pairs = [load_zoo(name).test.pairs for name in names]
        for _ in range(n_splits):
            halves = np.array_split(rng.permutation(len(pairs[0][0])), 2)
            first, second = (extreme(eces_of(pairs, half)) for half in halves)
            apart.append(first != second)
    return float(np.mean(apart))


def eces_of(
    pairs: Sequence[tuple[np.ndarray, np.ndarray]], rows: np.ndarray
) -> list[float]:
    """Return the ECE of each network on some images."""
    return [calib.ece(hit[rows], score[rows]) for score, hit in pairs]


def draw_best_forecast_by_truth() -> Figure:
    """Draw the forecast that each loss asks for against the true probability: a line a loss."""
    q = np.linspace(0.001, 0.999, 999)
    fig, ax = plt.subplots(figsize=(5, 4.4), layout="constrained")
    ax.plot([0, 1], [0, 1], color=COLOURS["black"], label="cross-entropy")
    smoothing: dict[str, Any] = {
        "color": COLOURS["green"],
        "label": "label smoothing,\nα = 0.2",
    }
    ax.plot(q, 0.8 * q + 0.1, "--", **smoothing)
    # focal loss with forecast q is least at the truth whose odds are these: its slope is zero there
    true, false = (p / losses.focal_weight(p, 3) for p in (q, 1 - q))
    ax.plot(
        true / (true + false),
        q,
        "-.",
        color=COLOURS["vermillion"],
        label="focal, γ = 3",
    )
    ax.set(xlabel="true probability", ylabel="what the loss asks for", aspect="equal")
    label_lines(ax, above={"cross-entropy": 0.75}, below={"focal, γ = 3": 0.75})
    return fig


def draw_focal_weights() -> Figure:
    """Draw the pull of focal loss against the probability of the true class: a line each γ."""
    p = np.linspace(0.001, 0.999, 999)
    fig, ax = plt.subplots(figsize=(5, 3.2), layout="constrained")
    styles = {0: "black", 1: "blue", 2: "vermillion", 3: "green", 5: "purple"}
    for (gamma, colour), line in zip(
        styles.items(), "- - -- -. :".split(), strict=True
    ):
        weight = losses.focal_weight(p, gamma)
        ax.plot(p, weight, ls=line, color=COLOURS[colour], label=f"γ = {gamma}")
        at = np.argmin(np.abs(weight - 0.6))
        on_line: dict[str, Any] = {
            "color": COLOURS[colour],
            "bbox": {"color": "white", "pad": 1},
        }
        if gamma:
            ax.text(p[at], weight[at], f"{gamma}", ha="center", va="center", **on_line)
    ax.text(0.99, 1.05, "γ = 0: cross-entropy", ha="right")
    ax.set(ylabel="pull, cross-entropy = 1", ylim=(0, None))
    ax.set_xlabel("probability of the true class")
    return fig


def draw_printed_ece_by_loss(
    printed: pd.DataFrame, most: pd.Series, ticks: Sequence[str]
) -> Figure:
    """Draw printed ECE against loss: a line a network, a colour a data set, `most` by chance."""
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    kinds = looks("dataset", {name: DATASETS[name] for name in printed.index.levels[0]})
    each = {"units": "model", "estimator": None, "lw": 1, "legend": False}
    shown = printed.stack().rename("ECE").reset_index()
    sns.lineplot(shown, x="loss", y="ECE", **each, **kinds, ax=ax)
    for name, ends in printed["LS 0.05"].groupby("dataset"):
        ax.text(4.12, ends.mean(), name, color=DATASETS[name][0], va="center")
    ax.fill_between(
        [-0.2, 4.1], most.max(), color=MEANING["by chance"], alpha=0.35, lw=0
    )
    ax.text(0.05, 0.3, "chance level, at most", color=MEANING["by chance"])
    ax.set_xticks(range(5), ticks)
    ax.set(xlabel="", ylabel="ECE, %", ylim=(0, None), xlim=(-0.2, 5.3))
    ax.set_yticks(range(0, 21, 5))
    return fig
