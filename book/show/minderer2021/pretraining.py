"""Do more data before the training change the calibration error?"""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from book.show.looks import SMALL
from calib.plots import COLOURS


def draw_errors_by_pretraining(pairs: pd.DataFrame, medians: pd.DataFrame) -> Figure:
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
        point = medians[name, "supervised"], medians[name, "pretrained"]
        axes[1].plot(*point, "o", color=COLOURS[colour], ms=4.5, label=title)
    for family, (name, at) in {
        "ViT": ("RegNet, ViT", (6, -4)),
        "Swin": ("Swin", (-10, 6)),
    }.items():
        point = medians.loc[family, [("ece", "supervised"), ("ece", "pretrained")]]
        axes[1].annotate(name, point, at, textcoords="offset points", fontsize=SMALL)
    axes[1].set(
        xlabel="ECE (%), supervised", ylabel="pretrained", xlim=(0, 20), ylim=(0, 20)
    )
    axes[1].legend(frameon=False)
    return figure
