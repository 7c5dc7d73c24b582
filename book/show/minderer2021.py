"""The notebook on Minderer et al. (2021): plots, its first table, the numbers of its sentences."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show import audit, verdicts
from book.show.display import glue_values, signed
from book.show.looks import SMALL, looks
from book.show.replication import chance_of_bins
from calib.plots import COLOURS
from evidence import claims, load_results
from evidence.claims import trends

STANDS = {  # a family of Figure 1: the group of classifiers that stands for it
    "ViT": "family == 'ViT' and training == 'pretrained'",
    "BiT": "family == 'BiT' and training == 'pretrained'",
    "MLP-Mixer": "family == 'Mixer' and training == 'pretrained'",
    "ResNeXt-WSL": "recipe == 'fb_wsl_ig1b_ft_in1k'",
    "CLIP": "family == 'CLIP' and training == 'zero-shot'",
}
ALONE = {  # a family of Figure 1: the one network of it
    "AlexNet": "northcutt-imagenet-alexnet",
    "SimCLR": "imagenetx-imagenet-simclr",
}
SHORT = {  # a family in the name of a kept number
    "ViT": "vit",
    "BiT": "bit",
    "MLP-Mixer": "mixer",
    "ResNeXt-WSL": "resnext",
    "CLIP": "clip",
    "AlexNet": "alexnet",
    "SimCLR": "simclr",
}
SENTENCES = {
    "minderer-vit-calibrated": "ViT are better calibrated than older CNNs",
    "minderer-vit-robust": "ViT are more robust to corruption",
    "minderer-size-accuracy": "Larger networks are more accurate",
    "minderer-size-calibration": "Larger networks are worse calibrated",
    "minderer-shift-worsens": "Calibration error grows under shift",
    "minderer-size-not-enough": "Size does not explain the families",
}
SOURCE_LOOKS = {  # public predictions: what their names begin with, their legend, colour and mark
    "northcutt": ("torchvision, older CNNs", "blue", "o"),
    "hollance": ("torchvision, other preparation", "sky", "s"),
    "timm": ("timm recipes", "vermillion", "^"),
    "mehul0x": ("ViT and ConvNeXt, supervised or CLIP", "green", "D"),
    "imagenetx": ("DINO, SimCLR, ViT and ResNet-50", "purple", "v"),
}
FAMILY_LOOKS = {  # groups of classifiers that stand for families of the paper
    "MLP-Mixer": ("orange", "^"),
    "ViT": ("green", "D"),
    "BiT": ("vermillion", "s"),
    "ResNeXt-WSL": ("blue", "o"),
    "CLIP": ("purple", "v"),
}
OUR_LOOKS = {
    "ResNet": ("blue", "-", "o"),
    "ViT": ("green", "-", "D"),
    "MLP-Mixer": ("orange", "-", "^"),
    "ResNet, CIFAR-10": ("purple", "-", "s"),
}
TITLES = {"Uncalibrated": "as trained", "Temperature scaling": "scaled"}
RISING_COLOURS = {True: "vermillion", False: "blue"}  # whether something rises
ERROR_LIMITS = (8, 48)  # per cent, of ImageNet networks
# Names that would hit another mark: where they stand from their own.
LABEL_OFFSETS = {"alexnet": (-30, 5), "supervised": (4, -10), "vit": (-26, -4)}


def mark_area(parameters: Any) -> Any:
    """Return the area of a mark for millions of parameters."""
    # the area as a root: with a thousand times the parameters it is nearly six times as wide
    return 12 * np.sqrt(parameters)


def draw_classifiers(
    ax: Axes, groups: pd.DataFrame, family_medians: pd.DataFrame
) -> None:
    """Draw medians of groups of classifiers, those of the paper's families with their quartiles.

    A mark is filled where the median is overconfident, its size tells the parameters.
    """
    for side, rows in groups.groupby(groups["over"] > 0):
        face = "0.75" if side else "none"
        size = mark_area(rows["parameters"])
        place = 100 - rows["accuracy"], rows["ece"]
        ax.scatter(*place, size, facecolor=face, edgecolor="0.6", lw=0.8, zorder=1)
    for name, row in family_medians.iterrows():
        colour, marker = FAMILY_LOOKS[str(name)]
        look: dict[str, Any] = {"color": COLOURS[colour], "lw": 1.2}
        x, y = 100 - row["accuracy"], row["ece"]
        ax.hlines(y, 100 - row["accuracy_q75"], 100 - row["accuracy_q25"], **look)
        ax.vlines(x, row["ece_q25"], row["ece_q75"], **look)
        face = COLOURS[colour] if row["over"] > 0 else "white"
        look |= {"marker": marker, "facecolor": face, "zorder": 3, "label": name}
        ax.scatter(x, y, mark_area(row["parameters"]), **look)
    ax.set(
        ylabel="ECE (%)",
        title="groups of 1116 classifiers",
        ylim=(0, 28),
        xlim=ERROR_LIMITS,
    )
    ax.legend(frameon=False, markerscale=0.6)


def draw_predictions(ax: Axes, plane: pd.DataFrame, front: pd.DataFrame) -> None:
    """Draw error and ECE of networks whose predictions are public, with intervals, and the front.

    A mark is filled where the network is overconfident.
    """
    for prefix, (name, colour, marker) in SOURCE_LOOKS.items():
        rows = plane[plane.index.str.startswith(prefix)]
        style: dict[str, Any] = {
            "marker": marker,
            "ls": "",
            "ms": 5.5,
            "color": COLOURS[colour],
        }
        ax.vlines(
            rows["error"],
            rows["ece_low"],
            rows["ece_high"],
            color=COLOURS[colour],
            lw=0.8,
        )
        # all hollow, then the overconfident ones filled upon them
        ax.plot(rows["error"], rows["ece"], mfc="white", **style)
        ax.plot("error", "ece", data=rows[rows["over"] > 0], label=name, **style)
    ax.plot(front["error"], front["ece"], color=COLOURS["black"], lw=1, zorder=0)
    for name in [*front.index, "northcutt-imagenet-alexnet"]:
        at = LABEL_OFFSETS.get(name.split("-")[-1], (4, 5))
        point = plane.loc[name, ["error", "ece"]]
        text = plane.loc[name, "model"]
        ax.annotate(text, point, at, textcoords="offset points", fontsize=SMALL)
    title = "predictions that are public"
    ax.set(ylabel="ECE (%)", ylim=(0, None), xlim=ERROR_LIMITS, title=title)
    ax.set_xlabel("classification error (%)")
    ax.legend(fontsize=SMALL, frameon=False, loc="upper right")


def draw_figure_1(
    groups: pd.DataFrame,
    family_medians: pd.DataFrame,
    plane: pd.DataFrame,
    front: pd.DataFrame,
) -> Figure:
    """Draw error against ECE: groups of classifiers, and below networks with public predictions."""
    figure, axes = plt.subplots(2, 1, figsize=(5.6, 8.4), layout="constrained")
    draw_classifiers(axes[0], groups, family_medians)
    draw_predictions(axes[1], plane, front)
    return figure


def draw_recipes(recipes: pd.DataFrame, named: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw each recipe's line from its smallest to its largest networks: error and ECE.

    The ends are those of least-squares lines against the logarithm of the parameters; the dot is
    the end of the largest. Above as trained, below after one temperature each.
    """
    figure, axes = plt.subplots(
        2, 1, figsize=(5.6, 8), layout="constrained", sharex=True
    )
    for ax, ece, title in zip(axes, ("ece", "ece_after"), TITLES.values(), strict=True):
        for _, row in recipes.iterrows():
            _draw_recipe(ax, row, ece, {"color": "0.8", "lw": 0.8, "zorder": 1})
        for name, rows in named.items():
            for i, (_, row) in enumerate(rows.iterrows()):
                # one entry of the legend for all lines of a family: "_" has none
                look = {"color": COLOURS[FAMILY_LOOKS[name][0]], "lw": 2, "zorder": 2}
                _draw_recipe(ax, row, ece, look | {"label": name if i == 0 else "_"})
        ax.set(ylabel="ECE (%)", title=title, ylim=(0, 12), xlim=ERROR_LIMITS)
    axes[1].set_xlabel("classification error (%)")
    axes[0].legend(frameon=False, loc="center right")
    return figure


def _draw_recipe(ax: Axes, row: Any, ece: str, look: dict[str, Any]) -> None:
    error = [100 - row["accuracy_smallest"], 100 - row["accuracy_largest"]]
    line = [row[f"{ece}_smallest"], row[f"{ece}_largest"]]
    ax.plot(error, line, **look)
    ax.plot(error[1], line[1], "o", ms=3.5, color=look["color"], zorder=look["zorder"])


def draw_size(siblings: pd.DataFrame, scaled: pd.DataFrame) -> Figure:
    """Draw the table's error against size within families, and ECEs before and after scaling."""
    figure, axes = plt.subplots(2, 1, figsize=(5.4, 7), layout="constrained")
    for _, rows in siblings.groupby("siblings"):
        # of two sizes the rank correlation is 1 or -1, whatever they are
        if rows["parameters"].nunique() >= 3:
            rising = rows[["parameters", "value"]].corr("spearman").iloc[0, 1] > 0
            colour = COLOURS[RISING_COLOURS[rising]]
            axes[0].plot(
                rows["parameters"], rows["value"], color=colour, lw=1, alpha=0.7
            )
    axes[0].set(xscale="log", yscale="log", ylabel="calibration error")
    axes[0].set_xlabel("parameters (millions)")
    for key, colour in (("before", "vermillion"), ("after", "blue")):
        part, style = scaled[key], {"color": COLOURS[colour]}
        axes[1].hlines(scaled.index, part["low"], part["high"], **style)
        axes[1].plot(part["ece"], scaled.index, "o", label=key, **style)
    axes[1].set(xlabel="ECE (%)", xlim=(0, None))
    axes[1].tick_params(axis="y", labelsize=SMALL)
    axes[1].legend(fontsize=SMALL, frameon=False)
    return figure


def draw_pretraining(pairs: pd.DataFrame, medians: pd.DataFrame) -> Figure:
    """Draw errors without and with pretraining: of a table's pairs, and of groups' medians."""
    figure, axes = plt.subplots(2, 1, figsize=(5, 8.6), layout="constrained")
    axes[0].axline((1e-3, 1e-3), (1e-2, 1e-2), color=COLOURS["black"], lw=0.8, ls="--")
    axes[0].plot(
        "ImageNet-1k", "ImageNet-21k", "o", data=pairs, color=COLOURS["blue"], ms=4.5
    )
    axes[0].set(
        xscale="log", yscale="log", xlabel="error of the table, ImageNet-1k only"
    )
    axes[0].set_ylabel("ImageNet-21k first")
    axes[1].axline((0, 0), (10, 10), color=COLOURS["black"], lw=0.8, ls="--")
    for name, title, colour in (
        ("ece", "as trained", "vermillion"),
        ("ece_after", "scaled", "blue"),
    ):
        place = medians[name, "supervised"], medians[name, "pretrained"]
        axes[1].plot(*place, "o", color=COLOURS[colour], ms=4.5, label=title)
    for family, (name, at) in {
        "ViT": ("RegNet, ViT", (6, -4)),
        "Swin": ("Swin", (-10, 6)),
    }.items():
        place = medians.loc[family, [("ece", "supervised"), ("ece", "pretrained")]]
        axes[1].annotate(name, place, at, textcoords="offset points", fontsize=SMALL)
    axes[1].set(
        xlabel="ECE (%), supervised", ylabel="pretrained", xlim=(0, 20), ylim=(0, 20)
    )
    axes[1].legend(frameon=False)
    return figure


def draw_arrow(
    ax: Axes, start: Any, end: Any, name: str, look: Any, below: bool = False
) -> None:
    """Draw a network's way from clean to shifted images, and its name at the tip."""
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", **look})
    ax.plot(*start, "o", ms=4, **look)
    at: dict[str, Any] = {
        "xytext": (4, -9 if below else 3),
        "textcoords": "offset points",
    }
    ax.annotate(name, end, fontsize=SMALL, **look, **at)


def draw_corruption(
    networks: pd.DataFrame, alexnet: pd.DataFrame, resnets: pd.DataFrame
) -> Figure:
    """Draw error and ECE, clean and shifted: five networks, AlexNet by severity, two ResNet-50."""
    figure, axes = plt.subplots(
        3, 1, figsize=(5.4, 9.6), layout="constrained", sharex=True
    )
    for ax, level in zip(axes, ("corrupted", "sketch"), strict=False):
        for (kind, model), row in networks.iterrows():
            look = {"color": COLOURS["green" if kind == "transformer" else "blue"]}
            # beside the tip these names would hit those of their neighbours
            below = model.endswith(("32", "121"))
            draw_arrow(ax, row["none"], row[level], model, look, below=below)
        ax.set(title=level, ylabel="ECE (%)", xlim=(10, 98), ylim=(0, 27))
    black = {"color": COLOURS["black"]}
    axes[2].plot(alexnet["error"], alexnet["ECE"], "-o", ms=4, label="AlexNet", **black)
    for severity, row in alexnet.iterrows():
        at = {"xytext": (4, 3), "textcoords": "offset points", "fontsize": SMALL}
        axes[2].annotate(severity, row[["error", "ECE"]], **at)
    for (name, row), colour in zip(resnets.iterrows(), ("blue", "orange"), strict=True):
        look = {"color": COLOURS[colour]}
        label, below = f"ResNet-50, {name}", name == "plain"
        draw_arrow(axes[2], row["ImageNet"], row["ImageNet-C"], label, look, below)
    title = "AlexNet by severity, ResNet-50 in the mean"
    axes[2].set(title=title, xlabel="error (%)", ylabel="ECE (%)", ylim=(0, 27))
    return figure


def draw_severity(lines: pd.Series) -> Figure:
    """Draw ECE as trained, ECE scaled and error of our sizes against the severity."""
    panels = {
        "ECE (%), as trained": ("ECE", "Uncalibrated"),
        "ECE (%), scaled": ("ECE", "Temperature scaling"),
        "error (%)": ("Accuracy", "Uncalibrated"),
    }
    figure, axes = plt.subplots(
        3, 1, figsize=(5.4, 8), layout="constrained", sharex=True
    )
    for ax, (label, (metric, method)) in zip(axes, panels.items(), strict=True):
        rows = lines.xs((metric, method), level=("metric", "method")).reset_index()
        # thin to thick lines: sizes of one family, and not of two, are compared
        rows["size"] = rows.groupby("family")["parameters"].rank("dense").astype(int)
        rows["value"] = 100 - rows["value"] if metric == "Accuracy" else rows["value"]
        kinds = looks("family", OUR_LOOKS, marker=False) | {
            "size": "size",
            "sizes": (0.6, 2.7),
        }
        sns.lineplot(
            rows, x="severity", y="value", **kinds, legend=ax is axes[0], ax=ax
        )
        ax.set(ylabel=label, ylim=(0, None))
    sns.move_legend(axes[0], "upper left", ncols=2, fontsize=SMALL, frameon=False)
    return figure


def draw_reversal(changes: pd.DataFrame) -> Figure:
    """Draw the ECE of the largest network less that of the smallest, with intervals."""
    figure, axes = plt.subplots(
        2, 1, figsize=(5.4, 6.4), layout="constrained", sharex=True
    )
    for ax, method in zip(axes, TITLES, strict=True):
        for i, (name, (colour, _, marker)) in enumerate(OUR_LOOKS.items()):
            rows = changes.loc[method, name]
            style: dict[str, Any] = {"color": COLOURS[colour]}
            # the four side by side around their severity
            x = rows.index + 0.06 * (i - 1.5)
            ax.vlines(x, rows["low"], rows["high"], **style)
            ax.plot(x, rows["effect"], marker=marker, ms=4, label=name, **style)
        ax.axhline(0, color=COLOURS["black"], lw=0.8)
        ax.set(title=TITLES[method], ylabel="largest less smallest (points)")
    axes[1].set_xlabel("severity")
    axes[1].legend(fontsize=SMALL, frameon=False)
    return figure


def draw_natural_shifts(networks: pd.DataFrame, fronts: Mapping[str, Any]) -> Figure:
    """Draw error and ECE of a ResNet-50 trained in several ways, a panel a set of images.

    Those on the front, which no other one beats in both, are filled and joined.
    """
    figure, axes = plt.subplots(
        len(fronts), 1, figsize=(5.4, 8.4), layout="constrained"
    )
    for ax, (images, front) in zip(axes, fronts.items(), strict=True):
        rows = networks[images]
        ax.plot(rows["error"], rows["ECE"], "o", mfc="white", color=COLOURS["blue"])
        best = rows.loc[list(front)].sort_values("error")
        ax.plot(best["error"], best["ECE"], "-o", color=COLOURS["blue"], lw=1)
        for name, row in rows.iterrows():
            at: dict[str, Any] = {
                "xytext": (4, 3),
                "textcoords": "offset points",
                "fontsize": SMALL,
            }
            ax.annotate(name, row[["error", "ECE"]], **at)
        ax.set(title=images, ylabel="ECE (%)")
        ax.margins(x=0.15, y=0.2)
    axes[-1].set_xlabel("error (%)")
    return figure


# published twice, prepared otherwise
TWICE = ["DenseNet-161", "ResNet-101", "ResNet-50"]


def counted_once(plane: pd.DataFrame) -> pd.DataFrame:
    """Return accuracy and ECE of each network, with its data set, author and model.

    A network that is published twice counts once, with the mean of both.
    """
    network = plane["model"].where(plane["model"].isin(TWICE), plane.index)
    means = plane.groupby(network)[["accuracy", "ece"]].mean()
    # named by the first of its publications
    first = plane.index.to_series().groupby(network).first()
    rows = means.set_axis(first[means.index]).rename_axis("case")
    return rows.assign(**claims.relatives(rows.index)).reset_index()


def _correlation(once: pd.DataFrame) -> tuple[float, float, float]:
    """Return the rank correlation of accuracy and ECE over networks, with its interval."""
    cases = trends.correlates(once, x="accuracy", y="ece", sign=1)
    # as in the ledger: networks by one author, or of one model, are alike
    return claims.measured_networks(cases, rows=once, named=["ImageNet"]).shown_interval


def glue_plane(plane: pd.DataFrame, groups: pd.DataFrame) -> None:
    """Glue what the text on Figure 1 says in numbers: of predictions, and of classifiers."""
    twice = plane[plane["model"].isin(TWICE)].groupby("model")
    apart = twice["accuracy"].max() - twice["accuracy"].min()
    agree = (twice["ece_low"].max() < twice["ece_high"].min()).all()
    timm = plane[plane.index.str.startswith("timm")]
    best = plane["ece"][plane["accuracy"].nlargest(5).index]
    once = counted_once(plane)
    rho, low, high = _correlation(once)
    assert low < 0 < high, "the text says that it is not resolved"
    alexnet = plane["ece"]["northcutt-imagenet-alexnet"]
    glue_values(
        "minderer",
        sets=len(plane),
        networks=len(once),
        twice=len(TWICE),
        resize=f"{apart.max():.1f}",
        resize_ece="agree" if agree else "do not agree",
        under=(plane["over"] < 0).sum(),
        timm=len(timm),
        timm_over=(timm["over"] > 0).sum(),
        best=f"{best.min():.1f} and {best.max():.1f}",
        rho=f"{signed(rho, 2)} [{signed(low, 2)}, {signed(high, 2)}]",
        alexnet=f"{alexnet:.1f}",
        below=(plane["ece"] < alexnet).sum(),
    )
    _keep_classifiers(groups)


def _keep_classifiers(groups: pd.DataFrame) -> None:
    """Glue what the text says of all classifiers, and of CLIP's."""
    whole = groups.query("level == 'all'").iloc[0]
    glue_values(
        "minderer-classifiers",
        n=whole["n"],
        under=f"{whole['under']:.0%}",
        rank=signed(whole["rank_ece"], 2),
        rank_after=signed(whole["rank_ece_after"], 2),
        astray=whole["astray"],
    )
    clip = groups.query("level == 'family' and family == 'CLIP'").set_index("training")
    zero_shot, tuned = clip.loc["zero-shot"], clip.loc["pretrained"]
    glue_values(
        "minderer-clip",
        ece=f"{zero_shot['ece']:.1f}",
        error=f"{100 - zero_shot['accuracy']:.0f}",
    )
    glue_values(
        "minderer-clip-tuned",
        n=tuned["n"],
        ece=f"{tuned['ece']:.1f}",
        under=f"{tuned['under']}",
    )


def glue_recipes(rises: pd.DataFrame, groups: pd.DataFrame) -> None:
    """Glue what the text on Figure 2 says in numbers, of how often what rises with size."""

    def counted(side: str, name: str) -> str:
        return f"{rises[name][side]} of {rises['recipes'][side]}"

    glue_values(
        "minderer-recipes",
        n=rises["recipes"]["all recipes"],
        accuracy=counted("all recipes", "the accuracy"),
        over=counted("all recipes", "confidence less accuracy"),
        ece_over=counted("all over", "the ECE as trained"),
        ece_under=counted("all under", "the ECE as trained"),
        scaled=counted("all recipes", "the ECE scaled"),
    )
    pretrained = groups.query("level == 'family' and training == 'pretrained'")
    pretrained = pretrained.set_index("family")
    for name in ("ViT", "BiT"):
        row = pretrained.loc[name]
        ends = {"ece": f"{row['ece']:.1f}", "ece_after": f"{row['ece_after']:.1f}"}
        glue_values(f"minderer-{name.lower()}", **ends)


def standing_for(groups: pd.DataFrame) -> pd.DataFrame:
    """Return the group of classifiers that stands for each of the paper's families."""
    rows = {name: groups.query(chosen).iloc[0] for name, chosen in STANDS.items()}
    return pd.DataFrame(rows).T.infer_objects()


def lone_networks(plane: pd.DataFrame, scaled: pd.DataFrame) -> pd.DataFrame:
    """Return the families that are one network each, from its predictions; in per cent.

    `scaled` has errors before and after a temperature by network and share of the images.
    """
    rows = plane.loc[ALONE.values()].set_axis(ALONE.keys()).assign(n=1)
    of_fifth = scaled["temperature-top5"].xs(0.2, level="share")
    after = {"ece": "ece_after", "low": "after_low", "high": "after_high"}
    return rows.join(
        of_fifth.rename(columns=after).reindex(ALONE.values()).set_axis(rows.index)
    )


def glue_sentences(ledger: pd.DataFrame) -> None:
    """Glue what the paper's sentences rest on, with the verdicts that the page says of them."""
    for name in ("size-accuracy", "size-calibration", "accurate-calibrated"):
        verdicts.glue_counts_and_effects(ledger, (f"minderer-{name}", "public"))
    shift = [("minderer-shift-worsens", kind) for kind in ("public", "zoo")]
    verdicts.glue_shares(ledger, *shift, verdict="shown")
    robust, size = (
        ("minderer-vit-robust", "public"),
        ("minderer-size-not-enough", "public"),
    )
    verdicts.glue_counts_and_effects(ledger, *shift, robust, size)
    of_size, of_data = (
        ("minderer-size-calibration", "public"),
        ("minderer-pretraining", "public"),
    )
    verdicts.glue_shares(ledger, of_size, of_data, verdict="open")
    left = verdicts.count_or_effect(ledger, *size).replace("+", "")
    glue_values("minderer2021", left=left)
    rows = ledger.set_index(["id", "evidence"])
    assert (rows.loc[[robust, size], "verdict"] == "shown").all()
    ours = rows.loc[("minderer-vit-robust", "zoo")]
    assert (ours["verdict"], ours["counted"]) == ("open", "fails")
    assert rows.verdict["minderer-vit-calibrated", "public"] == "open"
    for claim in ("pretraining", "vit-calibrated"):
        ends = rows.loc[f"minderer-{claim}", "public"][["estimate", "low", "high"]]
        ratio = "{:.2f} [{:.2f}, {:.2f}]".format(*np.exp(ends.astype(float)))
        glue_values("minderer2021", **{claim: ratio})


def glue_headline(
    headline: pd.DataFrame, groups: pd.DataFrame, alone: pd.DataFrame
) -> None:
    """Glue the first table: of a group the middle half, of one network the 95 % interval."""
    ece = headline["ece"]
    assert ece["MLP-Mixer"] > ece["AlexNet"], "the text: a smaller ECE than the Mixers"
    assert ece[["ViT", "BiT", "CLIP"]].max() < ece["MLP-Mixer"]
    ends = ["ece_low", "ece_high", "after_low", "after_high"]
    middle_half = ["ece_q25", "ece_q75", "ece_after_q25", "ece_after_q75"]
    spans = pd.concat([groups[middle_half].set_axis(ends, axis=1), alone[ends]])
    for name, row in headline.iterrows():
        low, high, after_low, after_high = spans.loc[name]
        scaled = audit.with_range(row["ece_after"], after_low, after_high, 1)
        glue_values(
            f"minderer-head-{SHORT[name]}",
            n=f"{row['n']:.0f}",
            error=f"{row['error']:.1f}",
            ece=audit.with_range(row["ece"], low, high, 1),
            scaled="–" if np.isnan(row["ece_after"]) else scaled,
        )


def glue_chance() -> None:
    """Glue what calibrated networks stay below, of the networks whose bins are stored; the most."""
    binned = load_results("imagenet_diagrams").query("count > 0").groupby("name")
    rng = np.random.default_rng(0)
    chances = [chance_of_bins(rows, rng) for _, rows in binned]
    glue_values("minderer-head", chance=f"{100 * max(chances):.1f}")


def glue_robustness(ledger: pd.DataFrame) -> None:
    """Glue what corruption takes from our ViT and residual networks, in both units of the row.

    In points of accuracy, as the ledger has it of ours, and as a share of the clean accuracy, as
    the table of others has it of public networks; at the last severity.
    """
    rows = claims.zoo_folder("shift").query(
        "block == 'minderer-family' and metric == 'Accuracy' and method == 'Uncalibrated'"
    )
    accuracy = rows.groupby(["family", "name", "severity"])["value"].mean().unstack()
    lost = (accuracy[0] - accuracy[5]).groupby("family").mean()
    left = (accuracy[5] / accuracy[0]).groupby("family").mean()
    points = ledger.set_index(["id", "evidence"]).estimate["minderer-vit-robust", "zoo"]
    more = lost["ViT"] - lost["ResNet"]
    assert np.isclose(more, -points, atol=0.01)
    glue_values(
        "minderer-robust",
        points=f"{more:.1f}",
        share=signed(left["ViT"] - left["ResNet"], 2),
    )
