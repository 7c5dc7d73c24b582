"""The notebook on Vasilev and D'yakonov (2021): plots, finder of cells, numbers of sentences."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show import verdicts
from book.show.display import expect, glue_values
from book.show.number_texts import count_inside
from book.show.replication import KINDS
from calib.plots import COLOURS
from evidence.claims import coverage

KIND_LOOKS = (("vermillion", "D"), ("blue", "o"), ("green", "s"))
HEAD = {  # rows of the first table: the last word of a glued name, and the method
    "none": "Uncalibrated",
    "histogram": "Histogram binning",
    "temperature": "Temperature scaling",
    "vector": "Vector scaling",
}
SENTENCES = {
    "vasilev-losses-ece": "Focal loss and smoothing lower the ECE",
    "vasilev-overconfidence-typical": "Overconfidence is typical",
    "vasilev-temperature-keeps-accuracy": "A temperature keeps the accuracy",
    "vasilev-others-lose-accuracy": "The other methods reduce it",
    "vasilev-vector-classwise-1": "Vector scaling beats it class by class",
    "vasilev-criteria-disagree": "The criterion can change the result",
}
DIGITS = {"cwECE": 3, "NLL": 3, "Brier": 3}  # else 2
UNITS = {"NLL": "nats", "Brier": "sum"}  # else per cent


def draw_mean_ranks(
    ranks: Mapping[str, Mapping[str, tuple[pd.Series, float]]],
) -> Figure:
    """Draw mean ranks and half the critical difference to each side: a panel a metric.

    `ranks` has, by kind of networks and metric, the mean ranks of methods and the difference.
    """
    size: dict[str, Any] = {"figsize": (5.4, 8.4), "layout": "constrained"}
    figure, axes = plt.subplots(3, 2, sharey=True, **size)
    for i, (kind, metrics) in enumerate(ranks.items()):
        colour, marker = COLOURS[KIND_LOOKS[i][0]], KIND_LOOKS[i][1]
        for ax, (metric, (mean, reach)) in zip(axes.flat, metrics.items(), strict=True):
            # the first method on top; the kinds stand below one another on its line
            y = np.arange(len(mean))[::-1] - 0.22 * (i - len(ranks) / 2 + 0.5)
            ax.hlines(y, mean - reach / 2, mean + reach / 2, color=colour, lw=2)
            ax.plot(mean, y, marker, color=colour, ms=5, label=kind)
            ax.set(title=metric, xlabel="mean rank", yticks=range(len(mean)))
            ax.set_yticklabels(mean.index[::-1])
    keys = axes[0, 0].get_legend_handles_labels()
    figure.legend(*keys, loc="outside lower center", ncols=3, frameon=False)
    return figure


def draw_printed_and_ranges(ax: Axes, names: Sequence[str], rows: pd.DataFrame) -> None:
    """Draw printed numbers upon the range and the median of recomputed ones."""
    look: dict[str, Any] = {"color": COLOURS["blue"], "lw": 4, "alpha": 0.6}
    ax.hlines(names, rows["low"], rows["high"], **look)
    ax.plot(rows["recomputed"], names, "|", color=COLOURS["black"], ms=12)
    ax.plot(rows["printed"], names, "D", color=COLOURS["vermillion"], ms=6)


def draw_print_over_halves(cells: pd.DataFrame, methods: Mapping[str, str]) -> Figure:
    """Draw three metrics of one network, in print and over halves: a column a loss."""
    size: dict[str, Any] = {
        "figsize": (5.2, 7.4),
        "layout": "constrained",
        "sharey": True,
    }
    figure, axes = plt.subplots(3, 2, **size)
    backwards = list(methods)[::-1]
    names = [methods[method] for method in backwards]
    for line, metric in zip(axes, ("ECE", "cwECE", "MCE"), strict=True):
        for ax, (loss, part) in zip(line, cells.groupby("loss"), strict=True):
            part = part[part["metric"] == metric].set_index("method")
            draw_printed_and_ranges(ax, names, part.loc[backwards])
            ax.set(xlabel=f"{metric} (%)", xlim=(0, None), title=loss)
    return figure


def draw_print_over_namesakes(panels: Mapping[tuple[str, str], pd.DataFrame]) -> Figure:
    """Draw networks in print and over halves of their namesakes: a panel a metric and method."""
    size: dict[str, Any] = {
        "figsize": (5.6, 4.2),
        "layout": "constrained",
        "sharey": True,
    }
    figure, axes = plt.subplots(1, len(panels), **size)
    for ax, ((metric, method), part) in zip(axes, panels.items(), strict=True):
        draw_printed_and_ranges(ax, part["model"][::-1].tolist(), part[::-1])
        ax.set(xlabel=f"{metric} (%)", title=method)
    return figure


def lookup_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return every cell as text to look up: printed, ours with its mark, the rank in its row."""
    # the first rank is the best: of accuracy the highest, of all others the lowest
    lower = rows["printed"].where(rows["metric"] != "Accuracy", -rows["printed"])
    # Tables 1 and 2 compare losses within a row, the others have one a row
    across = rows["loss"].where(rows["table"] > 2, "")
    row = [*(rows[key] for key in ("table", "dataset", "model")), across]
    units = rows["metric"] + " (" + rows["metric"].map(UNITS).fillna("%") + ")"
    loss = " (" + rows["loss"] + ")"
    digits = rows["metric"].map(DIGITS).fillna(2).astype(int)
    ours = zip(rows["ours"], digits, rows["kind"], strict=True)
    printed = zip(rows["printed"], digits, strict=True)
    return pd.DataFrame(
        {
            "Table": rows["table"].astype(str) + " " + units,
            "Data": rows["dataset"],
            "Model": rows["model"] + loss.where(rows["loss"] != "", ""),
            "Method": rows["method"],
            "Print": [f"{value:.{places}f}" for value, places in printed],
            "Ours": [_with_mark(*cell) for cell in ours],
            "Rank": lower.groupby(row).rank(method="min").astype(int),
        }
    )


def _with_mark(value: float, digits: int, kind: str) -> str:
    return "–" if np.isnan(value) else f"{value:.{digits}f} {KINDS[kind]}".strip()


def check_first_screen(headline: pd.DataFrame) -> None:
    """Refuse to build where the first screen is wrong about the three maps, now beside print."""
    maps = headline.loc[[HEAD[name] for name in ("histogram", "temperature", "vector")]]
    now, chance = maps.iloc[:, -2], maps["by chance"]
    expect(
        (now / chance).iloc[1:].between(0.9, 1.1).all(),
        "the text says that the last two maps are near chance",
    )
    expect(
        maps["printed"].idxmin() == now.idxmax() == HEAD["histogram"],
        "the text says that the best in print is the worst here",
    )


def glue_sentences(ledger: pd.DataFrame) -> None:
    """Glue what the paper's sentences rest on, with the verdicts that the page says of them."""
    verdicts.glue_counts_and_effects(ledger, ("vasilev-enough-data", "public"))
    for name in ("criteria-disagree", "overconfidence-typical"):
        of_both = [(f"vasilev-{name}", kind) for kind in ("public", "zoo")]
        verdicts.glue_counts_and_effects(ledger, *of_both)
        verdicts.glue_shares(ledger, *of_both, verdict="open")
    worse = ("vasilev-histogram-mce", "public")
    verdicts.glue_shares(ledger, worse, verdict="shown")
    verdicts.glue_shares(ledger, ("vasilev-brier-isotonic", "zoo"), verdict="refuted")
    _glue_exact_cells()
    _check_effects_of_losses(ledger)


def _glue_exact_cells() -> None:
    computed = coverage.cells().query(
        "paper == 'vasilev2021' and status == 'same network'"
    )
    repeated = computed["table"].isin(["1", "2"])
    expect(
        repeated.sum() == 2 and computed["near"].all(),
        "the text says that all computed cells are near, two in two tables",
    )
    glue_values("vasilev2021", exact=f"{computed['exact'].sum()} of {len(computed)}")


def _check_effects_of_losses(ledger: pd.DataFrame) -> None:
    """Refuse to build unless a loss lowers the ECE more on CIFAR-100 than on Fashion-MNIST."""
    settings = ledger.set_index(["id", "evidence"]).settings[
        "vasilev-losses-ece", "zoo"
    ]
    effect = {part["setting"]: part["estimate"] for part in json.loads(settings)}
    for loss in ("FL 1", "FL 3", "LS 0.05"):
        hundred = effect[f"CIFAR-100 ResNet, CE to {loss}"]
        expect(
            hundred < effect[f"Fashion-MNIST ResNet, 30 epochs, CE to {loss}"],
            "the text says that losses lower the ECE more on CIFAR-100",
        )


def glue_print_over_halves(
    networks: pd.DataFrame, halves: pd.DataFrame, printed: pd.DataFrame
) -> None:
    """Glue where printed numbers of two networks lie among halves, and how long the halves reach.

    Of the second network the exponent of its focal loss is presumed: by its ECE, among the
    `printed` ones of Table 1.
    """
    for key, loss in (("ce", "CE"), ("fl", "FL 3")):
        of_loss = networks[networks["loss"] == loss]
        glue_values("vasilev-inside", **{key: count_inside(of_loss)})
    ece = networks[(networks["metric"] == "ECE") & (networks["loss"] == "CE")]
    after = ece.set_index("method").drop(index="Uncalibrated")
    ends = after["recomputed"].min(), after["recomputed"].max()
    mce = networks[networks["metric"] == "MCE"]
    glue_values("vasilev", ece_medians="{:.2f} to {:.2f}".format(*ends))
    glue_values("vasilev", ece_width=f"{(after['high'] - after['low']).median():.2f}")
    glue_values("vasilev", mce_width=f"{(mce['high'] - mce['low']).median():.0f}")
    focal = halves.query("source == 'calibench-cifar10-resnet50-focal'")
    focal = focal.query("method == 'Uncalibrated' and metric == 'ECE'")["q50"].item()
    by_loss = printed.query(
        "table == 1 and model == 'ResNet-50' and dataset == 'CIFAR-10'"
    ).set_index("loss")["value"]
    expect(
        (by_loss - 100 * focal).abs().idxmin() == "FL 3",
        "the text names the loss whose printed ECE is nearest",
    )


def glue_spread_of_cut(
    networks: pd.DataFrame, halves: pd.DataFrame, methods: Sequence[str]
) -> float:
    """Glue and return the ECE's standard deviation over halves, a mean over methods, in points."""
    chosen = halves["source"].isin(networks["source"]) & halves["method"].isin(methods)
    sd = 100 * halves.loc[chosen & (halves["metric"] == "ECE"), "sd"].mean()
    glue_values("vasilev", ece_sd=f"{sd:.2f}")
    return sd


def glue_close_rows(errors: pd.DataFrame, distance: float) -> None:
    """Glue in how many rows the best and the second-best method are closer than a distance."""
    lowest_two = np.sort(errors.to_numpy(), axis=1)[:, :2]
    is_close = np.diff(lowest_two, axis=1)[:, 0] < distance
    glue_values("vasilev", close=f"{is_close.sum()} of {len(is_close)}")


def glue_order_of_printed_losses(cells: pd.DataFrame) -> None:
    """Glue what print says of the losses, of Table 1, and where its cells stand again."""
    network = ["dataset", "model"]
    first = cells[cells["table"] == 1]
    worst = first.pivot_table(index=network, columns="loss", values="value").idxmax(
        axis=1
    )
    exceptions = worst[worst != "CE"]
    expect(
        (exceptions == "LS 0.05").all(), "the text says that label smoothing is worse"
    )
    glue_values("vasilev-ce", worst=f"{(worst == 'CE').sum()} of {len(worst)}")
    names = [f"{model} on {data}" for data, model in exceptions.index]
    glue_values("vasilev-ce", exception="; ".join(names))
    again = cells[cells["table"] > 2]
    keys = [*network, "loss", "method", "metric"]
    pairs = cells[cells["table"] < 3].merge(again, on=keys)
    glue_values("vasilev", repeated=(pairs["value_x"] == pairs["value_y"]).sum())
    ten = again.query("metric == 'ECE' and dataset == 'CIFAR-10'")
    ten = ten.pivot_table(index=["model", "loss"], columns="method", values="value")
    wins = ten.idxmin(axis=1) == "Histogram binning"
    glue_values("vasilev-ten", wins=f"{wins.sum()} of {len(wins)}")


def glue_ece_by_loss(networks: pd.DataFrame) -> None:
    """Glue accuracy and ECE of our networks on CIFAR-10 by their loss, means over seeds."""
    means = networks.groupby("loss")[["Accuracy", "ECE"]].mean()
    right, ece = means["Accuracy"], means["ECE"]
    rest = ece.drop("CE")
    glue_values("vasilev-ten", right=f"{right.min():.0f} to {right.max():.0f}")
    glue_values("vasilev-ten", ce=f"{ece['CE']:.1f}")
    glue_values("vasilev-ten", others=f"{rest.min():.1f} to {rest.max():.1f}")
