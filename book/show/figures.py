"""Figures that chapters draw and the library does not."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import calib
from book.evidence import claims
from calib.plots import COLOURS

MAPS = ["Uncalibrated", "Temperature scaling", "Vector scaling", "Isotonic regression"]
MAPS += ["Histogram binning", "BBQ"]
STYLES = {
    "equal width": (calib.equal_width, "blue", "o"),
    "equal mass": (calib.equal_mass, "vermillion", "s"),
}


def ece_against_bins(y_true, y_prob, *, ax, n_bins=(2, 5, 10, 15, 20, 30, 50, 75, 100)):
    """Draw the ECE against the number of bins, of equal width and of equal mass.

    The dashed lines are the mean ECE that a calibrated model with the same scores would show, which
    is the bias of the bins (Nixon et al. 2019; Kumar et al. 2019).
    """
    score, hit = calib.top_label(y_true, y_prob)
    for name, (binning, colour, marker) in STYLES.items():
        style = {"color": COLOURS[colour], "marker": marker, "markersize": 4.5}
        found = [calib.calibration_error(hit, score, bins=binning(m)) for m in n_bins]
        ax.plot(n_bins, found, label=name, **style)
        expected = [calib.error_if_calibrated(score, bins=binning(m)) for m in n_bins]
        ax.plot(n_bins, expected, "--", label=f"{name}, if calibrated", mfc="none", **style)
    ax.set(xlabel="Number of bins", ylabel="ECE")
    ax.set_ylim(bottom=0)
    ax.legend()
    return ax


def errors_of(methods, metric="ECE"):
    """Return a metric after each method, a row for each network; seeds of a setting are averaged.

    The networks are ours, and the public ones whose logits or probabilities are at hand.
    """
    public, zoo = claims.public_metrics(), claims.zoo_metrics()
    public = public[public.known.isin(["logits", "probabilities"])]
    public = public[~public.case.str.startswith("calarena")]  # not all of the methods
    rows = pd.concat([public, zoo[zoo.label_noise == 0]]).query("metric == @metric")
    return rows.groupby(["case", "method"]).value.mean().unstack()[list(methods)].dropna()


def regret_of(errors):
    """Return the errors above those of the best map, chosen with hindsight on the test set."""
    return errors.sub(errors.drop(columns="Uncalibrated").min(axis=1), axis=0)


def draw_regret(regret, names=None):
    """Draw the regret of each method, a dot for each network, and its median."""
    rng = np.random.default_rng(0)
    figure, ax = plt.subplots(figsize=(5.4, 0.45 * len(regret.columns)), layout="constrained")
    for position, (_, values) in enumerate(regret.items()):
        jitter = position + rng.uniform(-0.25, 0.25, len(values))
        ax.scatter(values, jitter, s=10, color=COLOURS["blue"], alpha=0.5, linewidths=0)
        ax.plot([values.median()] * 2, [position - 0.35, position + 0.35], color="black")
    ax.set_yticks(range(len(regret.columns)), regret.rename(columns=names or {}).columns)
    ax.invert_yaxis()
    ax.set_xscale("symlog", linthresh=0.2)
    marks = (0, 0.2, 1, 5, 20)
    ax.set_xticks(marks, marks)
    ax.minorticks_off()
    ax.set(xlabel="ECE above the best method (points)", xlim=(-0.01, None))
    return figure
