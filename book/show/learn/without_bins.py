"""Figures and numbers of the chapter *Without bins*."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from book.show.looks import MEANING
from calib.plots import COLOURS
from evidence.constants import ROUNDED_95
from evidence.derived.metrics_by_chance import ks_error_by_chance


def draw_sums_of_gaps(p: np.ndarray, scaled: np.ndarray, y: np.ndarray) -> Figure:
    """Draw sums of gaps from unsure to sure, before and after scaling, upon the range of chance."""
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    ax.axhline(0, color="0.5", lw=1)
    for when, q in {"before": p, "after": scaled}.items():
        s, h = calib.top_label(y, q)
        order = np.argsort(s)
        share = 100 * np.arange(1, len(s) + 1) / len(s)
        walk = 100 * np.cumsum((h - s)[order]) / len(s)
        # of the sum so far, if calibrated, in per cent
        error = np.sqrt(np.cumsum((s * (1 - s))[order]))
        band = 100 * ROUNDED_95 * error / len(s)
        ax.fill_between(share, -band, band, color="0.85")
        at = np.argmax(np.abs(walk))
        ax.plot(share, walk, "-o", color=MEANING[when], markevery=[at])
        chance = 100 * ks_error_by_chance((s * (1 - s)).mean(), len(s))
        label = f"{when} scaling: KS {abs(walk[at]):.1f} % (by chance {chance:.1f} %)"
        ax.text(99, walk[at] - 0.4, label, color=MEANING[when], ha="right", va="top")
    ax.text(
        99,
        0.9,
        "range of chance",
        color=MEANING["by chance"],
        ha="right",
        va="bottom",
    )
    ax.set(xlabel="images so far, from unsure to sure, %", ylim=(-11, 2))
    ax.set_ylabel("right answers − confidence, %")
    return fig


def draw_errors_by_width(scaled: np.ndarray, y: np.ndarray) -> Figure:
    """Draw smooth ECE and KDE-ECE against the kernel's width, a mark at each one's own."""
    widths = np.geomspace(1e-4, 1, 40)
    smooth = [100 * calib.smooth_ece(y, scaled, width=w) for w in widths]
    kde = [100 * calib.kde_ece(y, scaled, bandwidth=w) for w in widths]
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    ax.loglog(100 * widths, 100 * widths, color="0.7")
    ax.loglog(100 * widths, smooth, color=COLOURS["green"])
    ax.loglog(100 * widths, kde, "--", color=COLOURS["black"])
    chosen = 100 * calib.smooth_ece(y, scaled)
    ax.plot(chosen, chosen, "o", color=COLOURS["green"])
    s, h = calib.top_label(y, scaled)
    rule = 100 * s[h].std() * (2 * len(s)) ** -0.2
    ax.plot(rule, 100 * calib.kde_ece(y, scaled), "s", color=COLOURS["black"])
    ax.set(xlabel="width of the kernel, points", ylabel="error, points", ylim=(0.5, 30))
    ax.set_yticks([1, 3, 10], ["1", "3", "10"])
    ax.xaxis.set_major_formatter("{x:g}")
    ax.text(100, 2.4, "smooth ECE", color=COLOURS["green"], ha="right")
    ax.text(7, 15, "KDE-ECE", color=COLOURS["black"], ha="right")
    ax.text(1.4, 0.62, "error as large as the width", color="0.4")
    return fig
