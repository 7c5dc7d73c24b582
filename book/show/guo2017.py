"""Plots of many axes of the notebook on Guo et al. (2017), and what they compare."""

import matplotlib.pyplot as plt
import pandas as pd

from book.show import audit
from calib.plots import COLOURS

FACTORS = {  # data set and factor: the block of the zoo, and what is compared
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
BEGINS = {"Fashion-MNIST": "fashion", "20 Newsgroups": "20news"}  # else with "c"


def column_of(factor):
    """Return the column of a table of networks that a factor stands in."""
    return factor.replace(" ", "_")


def parts_of(networks):
    """Return the networks of each of the `FACTORS`."""
    parts = {}
    for (data, factor), (block, *_) in FACTORS.items():
        part = audit.in_block(networks, block)
        parts[data, factor] = part[part["dataset"].str.startswith(BEGINS.get(data, "c"))]
    return parts


def draw_causes(parts):
    """Draw ECE and error against one factor at a time, a panel each of the `parts_of` networks."""
    figure, axes = plt.subplots(7, 2, figsize=(6.4, 17), layout="constrained")
    for ax, ((data, factor), part) in zip(axes.flat, parts.items(), strict=True):
        column, names = column_of(factor), None
        if factor == "batch norm":
            names = {False: "without", True: "with"}
        if factor == "weight decay":
            names = {v: f"{1e4 * v:g}" for v in sorted(part[column].unique())}
            ax.set_xlabel("in $10^{-4}$")
        audit.against(ax, part, column, names=names)
        ax.set(title=f"{data}: {factor}", ylim=(0, None), ylabel="%")
    axes[0, 0].legend(frameon=False)
    return figure


def changes(parts):
    """Return what each factor changes, in points, with 95 % intervals from the spread of seeds."""
    rows = {}
    for (data, factor), (_, first, last) in FACTORS.items():
        part, column = parts[data, factor], column_of(factor)
        effects = {}
        for quantity in ("ECE", "error"):
            levels = {v: rows.to_numpy() for v, rows in part.groupby(column)[quantity]}
            effect = audit.difference(levels[first], levels[last], levels.values())
            effects[quantity] = audit.in_words(*effect)
        fit = 100 * part.groupby(column)["train_accuracy"].mean()
        rows[data, factor] = {
            "step": "no → yes" if factor == "batch norm" else f"{first:g} → {last:g}",
            "ECE": effects["ECE"]["effect"],
            "the ECE": effects["ECE"]["verdict"],
            "error": effects["error"]["effect"],
            "right in training (%)": f"{fit[first]:.1f} → {fit[last]:.1f}",
        }
    return pd.DataFrame(rows).T.rename_axis(["data set", "what changes"])


def draw_curves(nll, error, log, names):
    """Draw NLL (full) and error (dashed) during training: of the log, and of settings by name."""
    figure, axes = plt.subplots(len(names) + 1, 1, figsize=(5.6, 12), layout="constrained")
    smooth = log.rolling(10, center=True).mean()
    right = axes[0].twinx()
    for ax, rows, colour in ((axes[0], "loss", "blue"), (right, "error", "vermillion")):
        look = {"color": COLOURS[colour], "ls": "-" if ax is axes[0] else "--"}
        ax.plot(log[rows], lw=0.6, alpha=0.5, **look)
        ax.plot(smooth[rows], lw=2, label=f"{rows}, mean of ten", **look)
    axes[0].set(title="CIFAR-100, a log of others", xlabel="epoch")
    axes[0].set(ylabel="loss of four exits, full", ylim=(4, 9))
    right.set(ylabel="error (%), dashed", ylim=(25, 60))
    for ax, (setting, title) in zip(axes[1:], names.items(), strict=True):
        right = ax.twinx()
        for place, rows, colour in ((ax, nll, "blue"), (right, error, "vermillion")):
            part = rows.filter(regex=rf"^{setting}-s\d$").dropna(how="all")
            look = {"color": COLOURS[colour], "ls": "-" if rows is nll else "--"}
            place.plot(part, lw=0.7, alpha=0.6, **look)
            place.plot(part.mean(axis=1), lw=2, **look)
        ax.set(xlabel="step", ylabel="NLL (nats), full", title=title)
        right.set_ylabel("error (%), dashed")
    return figure
