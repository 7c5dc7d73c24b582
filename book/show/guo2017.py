"""Plots of many axes of the notebook on Guo et al. (2017), and what they compare."""

from typing import Any, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.display import expect, glue_values, signed
from book.show.number_texts import mean_and_sd, share_with_interval
from book.show.replication import chance_of_bins
from book.show.seed_effects import difference_of_means, draw_by_setting, effect_in_words
from book.show.zoo_networks import in_block
from calib.plots import COLOURS
from evidence import claims, load_results
from evidence.data import setting_of

# networks by data set and factor
NetworksByFactor: TypeAlias = dict[tuple[str, str], pd.DataFrame]

FACTORS: dict[tuple[str, str], tuple[str, Any, Any]] = {
    # data set and factor: the block of the zoo, and what is compared
    ("CIFAR-100 (22 500)", "depth"): ("cifar100-25k-depth", 8, 20),
    ("CIFAR-100 (22 500)", "width"): ("cifar100-25k-width", 8, 32),
    ("CIFAR-100 (22 500)", "batch norm"): ("cifar100-25k-batch-norm", False, True),
    ("CIFAR-100 (22 500)", "weight decay"): ("cifar100-25k-decay", 0, 2.5e-3),
    ("Fashion-MNIST", "depth"): ("guo-depth", 8, 32),
    ("Fashion-MNIST", "width"): ("guo-width", 2, 16),
    ("Fashion-MNIST", "batch norm"): ("guo-batch-norm", False, True),
    ("Fashion-MNIST", "weight decay"): ("guo-weight-decay", 0, 0.01),
    ("CIFAR-100 (10 000)", "depth"): ("guo-cifar100-depth", 8, 20),
    ("CIFAR-100 (10 000)", "width"): ("guo-cifar100-width", 8, 16),
    ("CIFAR-100 (10 000)", "weight decay"): ("guo-cifar100-decay", 1e-4, 5e-3),
    ("20 Newsgroups", "depth"): ("guo-text-depth", 1, 5),
    ("20 Newsgroups", "width"): ("guo-text-width", 16, 200),
    ("20 Newsgroups", "batch norm"): ("guo-nll", False, True),
}
PREFIXES = {"Fashion-MNIST": "fashion", "20 Newsgroups": "20news"}  # else with "c"


def factor_column(factor: str) -> str:
    """Return the column of a table of networks that a factor stands in."""
    return factor.replace(" ", "_")


def networks_by_factor(networks: pd.DataFrame) -> NetworksByFactor:
    """Return the networks of each of the `FACTORS`."""
    parts: NetworksByFactor = {}
    for (data, factor), (block, *_) in FACTORS.items():
        part = in_block(networks, block)
        parts[data, factor] = part[
            part["dataset"].str.startswith(PREFIXES.get(data, "c"))
        ]
    return parts


def draw_errors_by_factor(parts: NetworksByFactor) -> Figure:
    """Draw ECE and error against one factor at a time, a panel each, of `networks_by_factor`."""
    figure, axes = plt.subplots(7, 2, figsize=(5.6, 17), layout="constrained")
    for ax, ((data, factor), part) in zip(axes.flat, parts.items(), strict=True):
        column = factor_column(factor)
        names: dict[Any, str] | None = None
        if factor == "batch norm":
            names = {False: "without", True: "with"}
        if factor == "weight decay":
            names = {v: f"{1e4 * v:g}" for v in sorted(part[column].unique())}
            ax.set_xlabel("in $10^{-4}$")
        draw_by_setting(ax, part, column, names=names)
        ax.set(title=f"{data}: {factor}", ylim=(0, None), ylabel="%")
    axes[0, 0].legend(frameon=False)
    return figure


def effects_of_factors(parts: NetworksByFactor) -> pd.DataFrame:
    """Return what each factor changes, in points, with 95 % intervals from the spread of seeds."""
    rows = {}
    for (data, factor), (_, first, last) in FACTORS.items():
        part, column = parts[data, factor], factor_column(factor)
        effects = {}
        for quantity in ("ECE", "error"):
            # all settings of the factor tell how much seeds scatter, not the two alone
            levels = {v: rows.to_numpy() for v, rows in part.groupby(column)[quantity]}
            effect = difference_of_means(levels[first], levels[last], levels.values())
            effects[quantity] = effect_in_words(*effect)
        fit = 100 * part.groupby(column)["train_accuracy"].mean()
        rows[data, factor] = {
            "step": "no → yes" if factor == "batch norm" else f"{first:g} → {last:g}",
            "ECE": effects["ECE"]["effect"],
            "the ECE": effects["ECE"]["verdict"],
            "error": effects["error"]["effect"],
            "right in training (%)": f"{fit[first]:.1f} → {fit[last]:.1f}",
        }
    return pd.DataFrame(rows).T.rename_axis(["data set", "what changes"])


def draw_nll_and_error_in_training(
    nll: pd.DataFrame, error: pd.DataFrame, log: pd.DataFrame, names: dict[str, str]
) -> Figure:
    """Draw NLL (full) and error (dashed) during training: of the log, and of settings by name."""
    figure, axes = plt.subplots(
        len(names) + 1, 1, figsize=(5.6, 12), layout="constrained"
    )
    _draw_log(axes[0], log)
    for ax, (setting, title) in zip(axes[1:], names.items(), strict=True):
        right = ax.twinx()
        for panel, rows, colour in ((ax, nll, "blue"), (right, error, "vermillion")):
            part = rows.loc[:, setting_of(rows.columns.to_series()) == setting]
            part = part.dropna(how="all")
            look = {"color": COLOURS[colour], "ls": "-" if rows is nll else "--"}
            panel.plot(part, lw=0.7, alpha=0.6, **look)
            panel.plot(part.mean(axis=1), lw=2, **look)
        ax.set(xlabel="step", ylabel="NLL (nats), full", title=title)
        right.set_ylabel("error (%), dashed")
    return figure


def _draw_log(left: Axes, log: pd.DataFrame) -> None:
    """Draw loss and error of the log of others' training, an axis each."""
    smooth = log.rolling(10, center=True).mean()
    right = left.twinx()
    for ax, column, colour in ((left, "loss", "blue"), (right, "error", "vermillion")):
        look: dict[str, Any] = {
            "color": COLOURS[colour],
            "ls": "-" if ax is left else "--",
        }
        ax.plot(log[column], lw=0.6, alpha=0.5, **look)
        ax.plot(smooth[column], lw=2, label=f"{column}, mean of ten", **look)
    left.set(title="CIFAR-100, a log of others", xlabel="epoch")
    left.set(ylabel="loss of four exits, full", ylim=(4, 9))
    right.set(ylabel="error (%), dashed", ylim=(25, 60))


def glue_effects_of_factors(
    networks: pd.DataFrame, parts: NetworksByFactor, causes: pd.DataFrame
) -> None:
    """Glue what the text on Figure 2 says in numbers."""
    for key, setting in (
        ("cnn", "fashion-cnn2-w16"),
        ("resnet", "fashion-resnet14-w8"),
    ):
        part = networks[networks["setting"] == setting]
        glue_values(f"guo-era-{key}", ECE=mean_and_sd(part["ECE"], digits=2))
    # what the slides say of the ECE, as each of these grows
    slides = dict.fromkeys(["depth", "width", "batch norm"], "rises") | {
        "weight decay": "falls"
    }
    agrees = causes["the ECE"] == causes.index.get_level_values(1).map(slides)
    seeds = min(part.groupby("setting").size().min() for part in parts.values())
    other_way = "; ".join(" ".join(key[::-1]) for key in agrees[~agrees].index)
    glue_values(
        "guo",
        agrees=f"{agrees.sum()} of {len(agrees)}",
        seeds=seeds,
        other_way=other_way,
    )
    glue_values("guo", fits_against=len(_fit_and_ece_apart(parts, causes)))
    _glue_batch_norm(parts)
    _glue_decay(parts["Fashion-MNIST", "weight decay"])


def _glue_batch_norm(parts: NetworksByFactor) -> None:
    """Glue ECE and accuracy with batch normalisation and without it."""
    for key, data in (("half", "CIFAR-100 (22 500)"), ("text", "20 Newsgroups")):
        means = (
            parts[data, "batch norm"].groupby("batch_norm")[["ECE", "accuracy"]].mean()
        )
        for (normed, column), value in means.stack().items():
            side = "with" if normed else "without"
            glue_values(f"guo-{key}", **{f"{side}_{column}": f"{100 * value:.1f}"})


def _glue_decay(networks: pd.DataFrame) -> None:
    """Glue the weight decays of the lowest ECE and error, and what the largest decay does."""
    columns = ["ECE", "error", "confidence", "accuracy"]
    decay = networks.groupby("weight_decay")[columns].mean()
    lean = 100 * (decay["confidence"] - decay["accuracy"]).iloc[-1]
    glue_values("guo-decay", lowest=f"{decay['ECE'].idxmin():g}", most=signed(lean))
    glue_values("guo-decay", error=f"{decay['error'].idxmin():g}")


def _fit_and_ece_apart(
    parts: NetworksByFactor, causes: pd.DataFrame
) -> list[tuple[str, str]]:
    """Return where the training accuracy moves by a point and the ECE the other way."""
    apart = []
    for (data, factor), (_, first, last) in FACTORS.items():
        fit = (
            100
            * parts[data, factor]
            .groupby(factor_column(factor))["train_accuracy"]
            .mean()
        )
        change = fit[last] - fit[first]
        rises = causes.loc[(data, factor), "the ECE"] == "rises"
        if abs(change) >= 1 and (change > 0) != rises:
            apart.append((data, factor))
    return apart


def glue_table_1(
    rows: pd.DataFrame, apart: pd.DataFrame, zoo: pd.DataFrame, networks: pd.DataFrame
) -> None:
    """Glue what the text on Table 1 says in numbers: of print, of siblings, of all others."""
    table = rows.pivot_table(
        index=["dataset", "model"], columns="method", values="printed"
    )
    ordered = np.sort(table.to_numpy(), axis=1)
    ahead = ordered[:, 1] - ordered[:, 0]
    error = _standard_error()
    worse = table["Matrix scaling"] > table["Uncalibrated"]
    lead = (table["Vector scaling"] - table["Temperature scaling"]).median()
    glue_values(
        "guo",
        wins=share_with_interval(table.idxmin(axis=1) == "Temperature scaling"),
        rows=len(table),
        lead=f"{lead:.2f}",
        matrix_worse=f"{worse.sum()} of {table['Matrix scaling'].notna().sum()}",
        standard_error=f"{error:.2f}",
        close_rows=(ahead < error).sum(),
        halves_ece=f"{claims.chance_of_another_best('guo', 'ECE'):.0%}",
    )
    off = apart["Uncalibrated"].drop("Birds", level="dataset").abs()
    most = f"{off.max():.1f} ({' '.join(off.idxmax())})"
    glue_values(
        "guo-siblings", rows=len(apart), median=f"{off.median():.1f}", most=most
    )
    _glue_new_networks(zoo, networks)


def glue_agreement_with_others(
    theirs: pd.DataFrame, ours: pd.DataFrame, matrix: float
) -> None:
    """Glue how far accuracy and ECE of others and ours are apart, by network.

    The text says that all agree but ImageNet, where one network has another accuracy.
    """
    on_imagenet = ours.index.get_level_values("dataset") == "ImageNet"
    apart = theirs - ours
    expect(
        apart[~on_imagenet].abs().le(2e-3).all(axis=None),
        "the text says that the same predictions have the same accuracy and ECE",
    )
    glue_values("guo-agree", matrix=f"{matrix:.2f}", same=(~on_imagenet).sum())
    error = 100 * np.sqrt(0.77 * 0.23 / 25_000)  # of an accuracy on their images
    for key, model in {"dense": "DenseNet-161", "deep": "ResNet-152"}.items():
        of_model = (rows.xs(model, level="model") for rows in (theirs, ours))
        [by_others], [by_us] = (rows.to_dict("records") for rows in of_model)
        far = abs(by_others["Accuracy"] - by_us["Accuracy"]) > 3 * error
        expect(
            far == (key == "deep"),
            f"the text says whose accuracy is another, and whose is not: {model}",
        )
        glue_values(
            f"guo-agree-{key}",
            theirs=f"{by_others['Accuracy']:.1f}",
            ours=f"{by_us['Accuracy']:.1f}",
            apart=f"{by_others['ECE'] - by_us['ECE']:.2f}",
        )


def _standard_error() -> float:
    """Return the standard error of an ECE after a temperature, in points, of 10 000 images."""
    intervals = load_results("metric_intervals").query(
        "metric == 'ece' and samples == 'held out'"
    )
    errors = intervals.query("calibrator == 'temperature'").set_index("source")[
        "standard_error"
    ]
    metrics = load_results("metrics_of_public_networks").query("samples == 'held out'")
    n = metrics.groupby("source")["n"].first().reindex(errors.index)
    # a standard error falls with the root of the number of images
    return float((100 * errors * np.sqrt(n / 10_000)).median())


def _glue_new_networks(zoo: pd.DataFrame, networks: pd.DataFrame) -> None:
    """Glue how a temperature does on public networks with whole vectors and settings of ours."""
    methods = [
        "none",
        "histogram",
        "isotonic",
        "bbq",
        "temperature",
        "vector",
        "matrix",
    ]
    public = load_results("metric_intervals").query(
        "metric == 'ece' and samples == 'held out'"
    )
    public = public.pivot_table(index="source", columns="calibrator", values="value")
    public = public.reindex(columns=methods).dropna(subset="temperature")
    public = public[~public.index.str.endswith("-noisy")]
    matrix = load_results("more_maps_and_networks").query(
        "calibrator == 'matrix' and metric == 'ece'"
    )
    public["matrix"] = matrix.set_index("source")["value"]
    plain = networks[(networks["loss"] == "ce") & (networks["label_noise"] == 0)]
    mine = zoo[zoo["metric"] == "ece"].merge(plain[["name", "setting"]], on="name")
    mine = mine.pivot_table(index="setting", columns="calibrator", values="value")
    mine = mine.reindex(columns=methods).dropna(subset=["none", "temperature"])
    whole = 100 * pd.concat([public, mine])
    left = whole["temperature"] / whole["none"]
    behind = whole["temperature"] - whole.drop(columns="temperature").min(axis=1)
    glue_values(
        "guo-new",
        public=len(public),
        zoo=len(mine),
        lowest=share_with_interval(whole.idxmin(axis=1) == "temperature"),
        improved=f"{(left < 1).mean():.0%}",
        halved=f"{(left < 0.5).mean():.0%}",
        removed=f"{1 - left.median():.0%}",
        behind=f"{behind.median():.2f}",
    )


def chance_of_sibling(accuracy: float) -> str:
    """Return what the ECE of the sibling ResNet-110 on CIFAR-100 would be by chance, as text.

    Its bins are at hand, not its predictions: twenty of them. `accuracy` is that of the network,
    which its bins must have.
    """
    rows = load_results("guo_diagrams").query("source == 'kull-cifar100-resnet110'")
    expect(
        np.isclose(rows["hit_sum"].sum() / rows["count"].sum(), accuracy),
        "the bins at hand are of a network of another accuracy",
    )
    level = chance_of_bins(rows, np.random.default_rng(0))
    return f"{100 * level:.2f} (20 bins)"
