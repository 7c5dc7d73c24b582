"""Figures and numbers of the chapter *How much of the error is noise?*."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from book.show.looks import MEANING, label_lines
from calib.plots import COLOURS
from evidence.derived.known_truth import KnownCurve

BIN_NUMBERS = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100)


def draw_ece_by_sample_size(
    estimates: Mapping[str, Mapping[int, np.ndarray]],
    sizes: Sequence[int],
    worlds: Mapping[str, KnownCurve],
) -> Figure:
    """Draw the ECE's mean and 90 % range against the size of a test set: a line a world."""
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


def mean_ece_by_bin_number(
    wave: KnownCurve, sizes: Sequence[int], rng: np.random.Generator
) -> dict[int, list[float]]:
    """Return the mean ECE over test sets of each size, one for each of `BIN_NUMBERS`."""
    means = {}
    for n in sizes:
        # a mean over large sets scatters less: eight of them are enough
        draws = [wave.sample(n, rng) for _ in range(40 if n < 50_000 else 8)]
        means[n] = [
            float(np.mean([calib.ece(h, s, n_bins=m) for h, s in draws]))
            for m in BIN_NUMBERS
        ]
    return means


def draw_ece_by_bin_number(
    means: Mapping[int, Sequence[float]], true_ece: float
) -> Figure:
    """Draw mean ECE against the number of bins, dashed the true one: a line a number of images."""
    fig, ax = plt.subplots(figsize=(5.4, 4), layout="constrained")
    colours = ("purple", "green", "black")
    for (n, mean), colour in zip(means.items(), colours, strict=True):
        look = {"color": COLOURS[colour], "label": f"{n} images"}
        ax.semilogx(BIN_NUMBERS, 100 * np.array(mean), "-o", **look)
    ax.hlines(100 * true_ece, 0.9, 100, color="black", ls="--", lw=1)
    ax.text(1, 100 * true_ece, "true ECE", va="bottom")
    ax.set(xlabel="number of bins", ylabel="mean ECE, %", ylim=(0, None))
    ax.set_xticks(BIN_NUMBERS, list(map(str, BIN_NUMBERS)))
    ax.minorticks_off()
    label_lines(ax)
    return fig
