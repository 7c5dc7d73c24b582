"""Figures and numbers of the chapter *How much of the error is noise?*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from book.show.looks import MEANING, label_lines
from calib.plots import COLOURS
from evidence.derived.known_truth import KnownCurve


def draw_ece_by_sample_size(
    estimates: Mapping[str, Mapping[int, np.ndarray]],
    sizes: Sequence[int],
    worlds: Mapping[str, KnownCurve],
) -> Figure:
    """With few images the ECE of a good network is mostly chance."""
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    for (name, by_size), kind in zip(
        estimates.items(), ("before", "after", "by chance"), strict=True
    ):
        values, colour = 100 * np.array(list(by_size.values())), MEANING[kind]
        ends = np.quantile(values, [0.05, 0.95], axis=1)
        ax.fill_between(sizes, *ends, color=colour, alpha=0.25, lw=0)
        ax.semilogx(sizes, values.mean(axis=1), "o-", color=colour, label=name)
        ax.hlines(100 * worlds[name].true_ece, 100, 50_000, color=colour, ls="--", lw=1)
    ax.set(xlabel="images in the test set", ylabel="ECE, %", ylim=(-0.2, None))
    ax.set_xticks(sizes, ["100", "500", "5000", "50 000"])
    ax.minorticks_off()
    label_lines(ax)
    return fig


def draw_ece_by_bin_number(
    rng: np.random.Generator, sizes: Sequence[int], wave: KnownCurve
) -> Figure:
    """Too few bins hide error, too many add noise."""
    counts = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100)
    fig, ax = plt.subplots(figsize=(5.4, 4), layout="constrained")
    for n, colour in zip(sizes[1:], ("purple", "green", "black"), strict=True):
        # a mean over large sets scatters less: eight of them are enough
        draws = [wave.sample(n, rng) for _ in range(40 if n < 50_000 else 8)]
        mean = [np.mean([calib.ece(h, s, n_bins=m) for h, s in draws]) for m in counts]
        label = f"{n} images"
        ax.semilogx(
            counts, 100 * np.array(mean), "-o", color=COLOURS[colour], label=label
        )
    ax.hlines(100 * wave.true_ece, 0.9, 100, color="black", ls="--", lw=1)
    ax.text(1, 100 * wave.true_ece, "true ECE", va="bottom")
    ax.set(xlabel="number of bins", ylabel="mean ECE, %", ylim=(0, None))
    ax.set_xticks(counts, counts)
    ax.minorticks_off()
    label_lines(ax)
    return fig
