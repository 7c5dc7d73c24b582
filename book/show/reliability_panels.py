"""Reliability diagrams beside each other, of bins that a table of sums holds."""

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import calib
from book.show.display import one_legend
from calib.bins import Bins


def bins_of_sums(
    rows: pd.DataFrame, *, closed: str = "left", per_bin: int = 1
) -> calib.Bins:
    """Return the bins that a table holds, from zero to one, some of its rows to a bin."""
    sums = [
        rows[column].to_numpy().reshape(-1, per_bin).sum(axis=1)
        for column in ("count", "score_sum", "hit_sum")
    ]
    edges = np.arange(len(sums[0]) + 1) / len(sums[0])
    return Bins(edges, closed, sums[0], sums[0].astype(float), *sums[1:])


def draw_panels(binned: Mapping[str, calib.Bins], columns: int = 2) -> Any:
    """Draw reliability diagrams beside each other, of bins by what stands below each."""
    lines = -(-len(binned) // columns)
    size = min(2.2 * columns, 5.6), 3.1 * lines + 0.4  # inches: a phone shows it whole
    figure, axes = plt.subplots(
        lines, columns, figsize=size, layout="constrained", squeeze=False
    )
    for ax, (name, bins) in zip(axes.flat, binned.items(), strict=True):
        calib.reliability_diagram(bins, ax=ax)
        ax.set(
            xlabel=f"Confidence\n{name}", ylabel="Accuracy" if ax in axes[:, 0] else ""
        )
        strip = ax.child_axes[0]
        top = strip.get_yticks()[-1]
        strip.set_yticks([top], [f"{top:.2f}"], fontsize="small")
        if ax not in axes[:, 0]:
            strip.set_ylabel("")
    one_legend(axes.flat)
    return figure
