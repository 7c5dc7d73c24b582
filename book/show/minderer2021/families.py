"""Are recent families of networks better calibrated? Figure 1: error and ECE of classifiers."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from book.show.display import expect, glue_values, signed
from book.show.looks import SMALL
from book.show.minderer2021.shared_looks import ERROR_LIMITS, FAMILY_LOOKS
from calib.plots import COLOURS
from evidence import claims
from evidence.claims.correlations import correlates

SOURCE_LOOKS = {  # public predictions: what their names begin with, their legend, colour and mark
    "northcutt": ("torchvision, older CNNs", "blue", "o"),
    "hollance": ("torchvision, other preparation", "sky", "s"),
    "timm": ("timm recipes", "vermillion", "^"),
    "mehul0x": ("ViT and ConvNeXt, supervised or CLIP", "green", "D"),
    "imagenetx": ("DINO, SimCLR, ViT and ResNet-50", "purple", "v"),
}
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
        points = 100 - rows["accuracy"], rows["ece"]
        ax.scatter(*points, size, facecolor=face, edgecolor="0.6", lw=0.8, zorder=1)
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
    cases = correlates(once, x="accuracy", y="ece", sign=1)
    # as in the ledger: networks by one author, or of one model, are alike
    return claims.measured_networks(cases, rows=once, named=["ImageNet"]).shown_interval


def glue_figure_1(plane: pd.DataFrame, groups: pd.DataFrame) -> None:
    """Glue what the text on Figure 1 says in numbers: of predictions, and of classifiers."""
    twice = plane[plane["model"].isin(TWICE)].groupby("model")
    apart = twice["accuracy"].max() - twice["accuracy"].min()
    agree = (twice["ece_low"].max() < twice["ece_high"].min()).all()
    timm = plane[plane.index.str.startswith("timm")]
    best = plane["ece"][plane["accuracy"].nlargest(5).index]
    once = counted_once(plane)
    rho, low, high = _correlation(once)
    expect(
        low < 0 < high,
        "the text says that the correlation of accuracy and ECE is not resolved",
    )
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
    _glue_classifiers(groups)


def _glue_classifiers(groups: pd.DataFrame) -> None:
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
