"""Figures and numbers of the chapter *Frequencies instead of scores*."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import calib
from book.show.display import expect, glue_values, typeset
from book.show.looks import label_lines, look
from calib import BBQ, HistogramBinning, IsotonicCalibration, SplineCalibration
from calib.maps.base import ScoreCalibrator
from calib.plots import COLOURS
from evidence.mean_intervals import half_width
from evidence.network_outputs import Outputs


def glue_samples_near_one_score(score: np.ndarray, hit: np.ndarray) -> None:
    """Glue how many scores lie between .90 and .95, and how often these are right."""
    near = (score > 0.9) & (score < 0.95)
    glue_values("binning-near", n=f"{near.sum()}", right=f"{hit[near].mean():.0%}")


def draw_sums_of_hits_and_maps(score: np.ndarray, hit: np.ndarray) -> Figure:
    """Draw hits so far of 24 answers, from unsure to sure, and the sums of three fitted maps."""
    some = np.flatnonzero(score < 0.9)[:24]
    some = some[np.argsort(score[some])]
    chords = HistogramBinning(4, strategy="mass")
    lines = {
        "chords: histogram binning": ("green", chords, 15.5, 11.6),
        "taut string: isotonic regression": ("blue", IsotonicCalibration(), 24, 3.5),
        "smooth curve: spline": ("vermillion", SplineCalibration(), 8.5, 7.6),
    }
    fig, ax = plt.subplots(figsize=(5.4, 4), layout="constrained")
    ax.plot(np.append(0, np.cumsum(hit[some])), ".", color="0.4", ms=8)
    for name, (colour, repair, x, y) in lines.items():
        # what a map says is the slope of its line, so that the line is a sum
        slope = repair.fit(score[some], hit[some]).predict(score[some])
        ax.plot(np.append(0, np.cumsum(slope)), color=COLOURS[colour])
        ax.text(x, y, name, color=COLOURS[colour], ha="right")
    ax.set(xlabel="answers so far, from unsure to sure", ylabel="hits so far")
    ax.set_yticks(range(0, 20, 5))
    return fig


def draw_error_by_bin_number(
    squared_error: np.ndarray,
    bin_numbers: np.ndarray,
    theory: np.ndarray,
) -> Figure:
    """Draw the error of a map of bins by their number: calibration sets (rows), and a formula."""
    fig, ax = plt.subplots(figsize=(5.4, 3.6), layout="constrained")
    half = half_width(squared_error)
    ax.plot(bin_numbers, theory, color="0.5")
    means, colour = squared_error.mean(axis=0), look("histogram")["color"]
    ax.errorbar(bin_numbers, means, half, fmt="o", ms=4, color=colour)
    ax.set(xscale="log", yscale="log", xlabel="number of bins M")
    ax.set_ylabel("mean squared error of the map")
    ax.text(3.6, 0.013, "too few: steps too wide")
    ax.text(100, 0.011, "too many: noise", ha="right")
    ax.set_xticks([3, 10, 30, 100], ["3", "10", "30", "100"])
    ax.set_yticks([0.002, 0.005, 0.01, 0.02], ["0.002", "0.005", "0.01", "0.02"])
    ax.minorticks_off()
    return fig


def draw_fitted_maps(
    hit: np.ndarray,
    score: np.ndarray,
    isotonic: IsotonicCalibration,
    repairs: Mapping[str, ScoreCalibrator],
) -> Figure:
    """Draw repaired score against confidence: a panel a map, and the confidences in the last."""
    fitted: dict[str, ScoreCalibrator]
    fitted = {f"equal {kind}": repairs[kind] for kind in ("width", "mass")}
    fitted |= {"isotonic": isotonic, "BBQ": BBQ().fit(score, hit)}
    fitted["spline"] = repairs["spline"]
    grid = np.linspace(0.4, 1, 2000)
    fig, axes = plt.subplots(3, 2, figsize=(5.4, 6), sharex=True, layout="constrained")
    *panels, last = axes.flat
    for ax, (name, repair) in zip(panels, fitted.items(), strict=True):
        style = look("histogram" if name.startswith("equal") else name)
        ax.plot([40, 100], [40, 100], "--", color="0.5", lw=1)
        ax.plot(100 * grid, 100 * repair.predict(grid), **style)
        ax.set(xlim=(40, 100), ylim=(0, 102), title=name)
    last.hist(100 * score, bins=np.linspace(40, 100, 16), color="0.6")
    last.set(title="answers with this confidence")
    fig.supxlabel("confidence, %", fontsize="medium")
    fig.supylabel("repaired score, %", fontsize="medium")
    return fig


def glue_nll_above_temperature(
    probability: Mapping[str, np.ndarray], table: pd.DataFrame, test: Outputs
) -> None:
    """Glue by how much the NLL of each map of bins lies above one temperature's, with intervals."""
    rng = np.random.default_rng(11)
    for name in ("histogram", "isotonic", "BBQ"):
        pair = probability[name], probability["temperature"]
        of_nll: dict[str, Any] = {"rng": rng, "n_resamples": 300}
        worse = calib.paired_difference(calib.nll, test.y, *pair, **of_nll)
        expect(table.loc[name, "changed"] > 0, "the text says that answers change")
        expect(
            (worse.low > 0) == (name != "isotonic"), "the text says whose NLL is worse"
        )
        text = f"{worse.value:.3f} ({worse.low:.3f} to {worse.high:.3f})"
        glue_values("binning", **{f"{name.lower()}_nll": typeset(text)})


def draw_loss_by_sample_size(
    draws: int,
    loss: Mapping[str, np.ndarray],
    sizes: Sequence[int],
    level: Sequence[float],
) -> Figure:
    """Draw NLL against the number of calibration images: a line a map, a dot each of its draws."""
    fig, ax = plt.subplots(figsize=(5.4, 3.8), layout="constrained")
    for name in loss:
        ax.plot(sizes, loss[name].mean(1), label=name, **look(name))
        dots = {"marker": ".", "ls": "", "color": look(name)["color"], "alpha": 0.6}
        ax.plot(np.repeat(sizes, draws), loss[name].ravel(), **dots)
    ax.plot(sizes, level, "--", color="0.5", lw=1, label="as it is")
    ax.set(xscale="log", xlabel="calibration images n", ylabel="NLL on the test images")
    ax.set_xticks(sizes, list(map(str, sizes)))
    ax.minorticks_off()
    label_lines(ax)
    return fig
