"""Figures and numbers of the chapter *The theory in brief*."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from calib.plots import COLOURS


def luck(BETS: Any, network: Any, scaled: Any, ends: Any, mean: Any) -> Figure:
    """What bettors win from 5000 images of one scaled network."""
    real = [100 * bet(network.test.y, scaled) for bet in BETS.values()]
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    place = np.arange(len(BETS)) + 1.3 * (np.arange(len(BETS)) > 5)  # other kinds
    ax.errorbar(mean, place, xerr=np.abs(ends - mean), fmt="o", color=COLOURS["blue"])
    ax.plot(real, place, "x", ms=8, mew=2, color=COLOURS["vermillion"])
    ax.text(1.15 * real[0], 0, "real labels", va="center", color=COLOURS["vermillion"])
    ax.text(mean[0], 0.7, "if calibrated", ha="right", color=COLOURS["blue"])
    for at, kind in (
        (-0.8, "finer and finer stakes:"),
        (6.4, "other kinds of stakes:"),
    ):
        ax.text(0.03, at, kind, va="center", style="italic")
    ax.set_yticks(place, list(BETS))
    ax.set(xscale="log", xlabel="error (%)")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set(ylim=(place[-1] + 0.5, -1.3), xticks=[0.1, 1, 10], xlim=(0.025, 16))
    return fig
