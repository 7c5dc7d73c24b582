"""Figures and numbers of the chapter *The theory in brief*."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

import calib
from calib.plots import COLOURS
from evidence.data import Predictions
from evidence.simulate import drawn_labels


def summed_gaps(score: np.ndarray, hit: np.ndarray) -> np.ndarray:
    """Return the summed gaps after each price, beginning with zero."""
    # tickets of one price are bought together: a step for each price
    at = np.unique(score, return_inverse=True)[1]
    return np.append(0, np.cumsum(np.bincount(at, hit - score))) / len(score)


def kuiper_error(y: np.ndarray, p: np.ndarray) -> float:
    """Return the most that tickets in one interval of prices win."""
    # the interval between the lowest and the highest point of the walk wins most
    return float(np.ptp(summed_gaps(*calib.top_label(y, p))))


BETS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "one stake": lambda y, p: calib.ece(y, p, n_bins=1),
    "below a price: KS": calib.ks_error,
    "an interval: Kuiper": kuiper_error,
    "15 bins: ECE": calib.ece,
    "100 bins: ECE": lambda y, p: calib.ece(y, p, n_bins=100),
    "each score": lambda y, p: np.abs(np.subtract(*calib.top_label(y, p))).mean(),
    "smooth ECE": calib.smooth_ece,
    "sum of ten classes": lambda y, p: 10 * calib.classwise_ece(y, p),
}


def won_by_chance(
    prob: np.ndarray, n_draws: int = 1000
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each bettor wins in per cent if the network is calibrated: mean, middle 95 %."""
    rng, draws = np.random.default_rng(5), []
    for _ in range(n_draws):
        label = drawn_labels(prob, rng)
        draws.append([100 * bet(label, prob) for bet in BETS.values()])
    return np.mean(draws, axis=0), np.quantile(draws, [0.025, 0.975], axis=0)


def draw_winnings_by_bet(
    network: Predictions, scaled: np.ndarray, ends: np.ndarray, mean: np.ndarray
) -> Figure:
    """Draw what each bettor wins on real labels, and, with `ends`, if the network is calibrated."""
    real = [100 * bet(network.test.y, scaled) for bet in BETS.values()]
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    heights = np.arange(len(BETS)) + 1.3 * (np.arange(len(BETS)) > 5)  # other kinds
    ax.errorbar(mean, heights, xerr=np.abs(ends - mean), fmt="o", color=COLOURS["blue"])
    ax.plot(real, heights, "x", ms=8, mew=2, color=COLOURS["vermillion"])
    ax.text(1.15 * real[0], 0, "real labels", va="center", color=COLOURS["vermillion"])
    ax.text(mean[0], 0.7, "if calibrated", ha="right", color=COLOURS["blue"])
    for at, kind in (
        (-0.8, "finer and finer stakes:"),
        (6.4, "other kinds of stakes:"),
    ):
        ax.text(0.03, at, kind, va="center", style="italic")
    ax.set_yticks(heights, list(BETS))
    ax.set(xscale="log", xlabel="error (%)")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.set(ylim=(heights[-1] + 0.5, -1.3), xticks=[0.1, 1, 10], xlim=(0.025, 16))
    return fig
