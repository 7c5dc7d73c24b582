"""Figures and numbers of the chapter *Reliability diagrams*."""

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import minimize

import calib
from book.show.display import expect, glue, glue_values, without_legend
from book.show.looks import MEANING
from calib.bins import EqualWidth
from calib.plots import COLOURS, reliability_diagram, reliability_plot
from evidence.network_outputs import Outputs


def add_error_by_chance(
    ax: Axes, score: np.ndarray, bins: EqualWidth | None = None, at: float = 0.03
) -> None:
    """Say beside the error of a diagram what a calibrated one would show on average."""
    error_text = next(text for text in ax.texts if text.get_gid() == "error")
    chance = calib.error_if_calibrated(score, bins=bins)
    # the library writes "ECE " and a fraction
    error_text.set_text(
        f"ECE {float(error_text.get_text()[4:]):.1%}\nby chance {chance:.1%}"
    )
    error_text.set(x=at, zorder=5, bbox={"fc": "white", "ec": "none", "pad": 1})


def glue_bins_and_sure_answers(
    confidence: np.ndarray, hit: np.ndarray, test: Outputs
) -> None:
    """Glue confidence and accuracy of bins, and how many of the surest answers are wrong."""
    groups = calib.equal_width(5)(confidence, hit)
    fifteen = calib.equal_width(15)(confidence, hit)
    glue_values(
        "reliability",
        fourth_conf=f"{groups.mean_score[3]:.0%}",
        fourth_acc=f"{groups.mean_hit[3]:.0%}",
        last_share=f"{groups.count[4] / groups.count.sum():.0%}",
        centre=f"{29 / 30:.1%}",
        last_mean=f"{fifteen.mean_score[-1]:.1%}",
        last_acc=f"{fifteen.mean_hit[-1]:.1%}",
        sure=f"{(confidence > 0.99).mean():.0%}",
        sure_wrong=f"{(~hit[confidence > 0.99]).sum()}",
        sure_expected=f"{(1 - confidence[confidence > 0.99]).sum():.1f}",
    )
    range15 = calib.consistency_band(confidence)
    filled = fifteen.count > 0
    expect(
        (fifteen.gap[filled] < 0).all(),
        "the text says that every bar is below its line",
    )
    expect(
        (fifteen.mean_hit[7:] < range15.low[7:]).all(),
        "the text says that bars from the eighth on are beyond chance",
    )
    middle = np.array(
        [
            calib.equal_width(10)(*calib.one_vs_rest(k)(test.y, test.prob)).count[1:-1]
            for k in range(test.prob.shape[1])
        ]
    )
    glue("reliability-middle", f"{middle.min()} to {middle.max()}", display=False)


def draw_diagrams_by_binning(test: Outputs) -> Figure:
    """Draw the reliability of one network in four binnings, with the bands of chance."""
    fig, axes = plt.subplots(2, 2, figsize=(5.4, 5.8), layout="constrained")
    drawn = [("width", 5), ("width", 15), ("width", 50), ("mass", 15)]
    for ax, (kind, m) in zip(axes.flat, drawn, strict=True):
        binning = calib.equal_width(m) if kind == "width" else calib.equal_mass(m)
        reliability_plot(test.y, test.prob, bins=binning, band=0.95, ax=ax)
        without_legend(ax)
        ax.set_title(f"{m} bins of equal {kind}")
        ax.label_outer()
    return fig


def draw_isotonic_over_bins(
    test: Outputs, isotonic: np.ndarray, ordered: np.ndarray
) -> Figure:
    """Draw the steps of isotonic regression over the points of 15 bins, with the band of chance."""
    ax = without_legend(reliability_plot(test.y, test.prob, band=0.95))
    # the bins as dots alone: joined they would look like a second map
    ax.lines[-1].set_linestyle("")
    ax.step(ordered, isotonic, where="post", color=COLOURS["green"])
    ax.text(0.215, 0.38, "15 bins\nof equal\nwidth", color=COLOURS["blue"], ha="right")
    ax.text(0.6, 0.2, "isotonic\n(CORP)", color=COLOURS["green"])
    return plt.gcf()


def draw_diagrams_of_classes(
    classes: Sequence[str], shown: Sequence[int], ten: EqualWidth, test: Outputs
) -> Figure:
    """Draw a reliability diagram for each of the `shown` classes against the rest."""
    fig, axes = plt.subplots(2, 2, figsize=(5.4, 6.2), layout="constrained")
    for ax, k in zip(axes.flat, shown, strict=True):
        drawn = {"view": calib.one_vs_rest(k), "bins": ten, "band": 0.95, "ax": ax}
        without_legend(reliability_diagram(test.y, test.prob, **drawn))
        add_error_by_chance(ax, test.prob[:, k], ten)
        ax.set_xlabel(f"score, {classes[k]}")
    return fig


def check_confused_classes(
    shown: Sequence[int], ten: EqualWidth, test: Outputs, classes: Sequence[str]
) -> None:
    """Assert what the text says: confused classes are off most, a bag's bars are too low."""
    of_class = [
        calib.calibration_error(test.y, test.prob, view=calib.one_vs_rest(k), bins=ten)
        for k in shown
    ]
    expect(
        min(of_class[:2]) > 3 * max(of_class[2:]),
        "the text says that the two classes that are confused are off most",
    )
    too_low = {}
    for k in shown:
        s, chance = test.prob[:, k], calib.consistency_band(test.prob[:, k], bins=ten)
        too_low[classes[k]] = np.sum(ten(s, test.y == k).mean_hit < chance.low)
    expect(
        too_low["trousers"] == 0 and too_low["bag"] > 2,
        "the text says that bars of bag are too low, and none of trousers",
    )


def parted_clouds(
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return points of two clouds, whether each is of the upper one, and a line between them.

    The line is that of a support vector machine with a squared hinge loss, fitted on other points.
    """

    def two_clouds(n: int) -> tuple[np.ndarray, np.ndarray]:
        label = rng.integers(0, 2, n)
        side = np.where(label[:, None] == 1, 0.8, -0.8)
        return rng.normal(size=(n, 2)) + side * [1.0, 0.6], label

    x, label = two_clouds(500)
    sign = 2 * label - 1

    def loss(w: np.ndarray) -> float:
        short = np.clip(1 - sign * (x @ w[:2] + w[2]), 0, None)
        return 0.5 * w[:2] @ w[:2] / len(x) + (short**2).mean()

    line = minimize(loss, np.zeros(3)).x
    return *two_clouds(4000), line


def draw_plot_and_diagrams(
    positive: np.ndarray,
    x: np.ndarray,
    w: np.ndarray,
    ten: EqualWidth,
    score: np.ndarray,
    both: np.ndarray,
) -> Figure:
    """Draw two classes of points, and three drawings of the reliability of one model of them."""
    fig, axes = plt.subplots(2, 2, figsize=(5.4, 6.2), layout="constrained")
    (data, plot), (diagram, predicted) = axes
    line = np.array([-3.5, 3.5])
    for k, name, marker in ((0, "wrong", "x"), (1, "right", "o")):
        cloud = x[:600][positive[:600] == k]
        data.plot(*cloud.T, marker, ms=3, color=MEANING[name], label=f"class {k}")
        data.text(
            6 * k - 3, 2.9 - 6 * k, f"class {k}", color=MEANING[name], ha="center"
        )
    # where w0 x1 + w1 x2 + w2 = 0
    data.plot(line, -(w[2] + w[0] * line) / w[1], color="black", label="hyperplane")
    data.set(xlim=line, ylim=line, aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    style: dict[str, Any] = {"bins": ten, "band": 0.95}
    without_legend(reliability_plot(positive, score, **style, ax=plot))
    for ax, drawn, s in (diagram, score, score), (predicted, both, both.max(axis=1)):
        without_legend(reliability_diagram(positive, drawn, **style, ax=ax))
        add_error_by_chance(ax, s, ten)
    plot.set_xlabel("(a) score, class 1")
    diagram.set_xlabel("(b) score, class 1")
    predicted.set_xlabel("(c) confidence")
    return fig
