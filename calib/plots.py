"""The diagrams of calibration.

Every function takes the axes to draw on (a new figure without them), returns them, and leaves
matplotlib's settings as they are. Colours are those of Okabe and Ito, which readers with any form
of colour vision can tell apart; every colour is paired with a marker, a hatch or a line style.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from calib import check
from calib.bands import Band, consistency_band
from calib.bins import Binning, Bins, EqualWidth, group, l1_norm
from calib.check import Pairs
from calib.views import View, one_vs_rest, top_label, view_pairs

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

COLOURS = {
    "black": "#000000",
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
}
LINES = ("blue", "vermillion", "green", "purple", "black")  # 3:1 or more against white
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
GREY = "#6b6b6b"
PALE = "#F7DCCB"
NARROWEST = 0.012  # width of a bar, of the whole axis
PANELS = 3  # in a row of a new figure
Style = dict[str, Any]


def reliability_diagram(
    y_true: ArrayLike | Pairs | Bins,
    y_prob: ArrayLike | None = None,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    sample_weight: ArrayLike | None = None,
    band: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw accuracy in bins of confidence as bars, with the gap between the two.

    A blue bar reaches up to acc(B), a black line marks conf(B), and what lies between them, the
    gap, is hatched: above the blue bar where the model is overconfident. The strip on top shows the
    share of the samples in each bin; the number in the corner is the mean absolute gap.

    Parameters
    ----------
    y_true : array_like of int, shape (n,), or Bins
        Labels; or bins, and then neither `y_prob` nor the options that make bins are given.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    bins : callable, optional
        Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.
    band : float, optional
        Level, such as 0.95, of the range in which a calibrated model's accuracy would fall, drawn
        as whiskers around the mean confidence. See :func:`calib.consistency_band`.
    ax : matplotlib Axes, optional
        A new figure where there is none.

    Returns
    -------
    matplotlib Axes
        Its containers are labelled "accuracy" (or "frequency") and "gap"; the strip is its child.

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Guo et al. (2017), Figure 1; Vasilev & D'yakonov (2021), Figure 1 b and c; Bröcker &
    Smith (2007) for the whiskers.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = reliability_diagram([1, 0, 1], [0.9, 0.8, 0.3], ax=Figure().add_subplot())
    >>> [float(round(bar.get_height(), 2)) for bar in ax.containers[0]]
    [1.0, 0.0, 1.0]
    """
    binned, whiskers = _bins_and_band(y_true, y_prob, view, bins, sample_weight, band)
    score_name, hit_name = _names(y_prob, view)
    ax = ax or _subplots(figsize=(4.4, 5.7))[1]
    _draw_bars(ax, binned, whiskers, score_name, hit_name)
    _unit_square(ax, score_name, hit_name)
    box: Style = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2}
    corner: Style = {
        "va": "top",
        "transform": ax.transAxes,
        "bbox": box,
        "gid": "error",
    }
    ax.text(0.03, 0.97, f"ECE {l1_norm(binned.gap_sum, binned.weight):.4f}", **corner)
    below: Style = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "ncols": 2}
    ax.legend(
        handles=_handles([ax], score_name), fontsize="small", frameon=False, **below
    )
    _draw_weights(ax, binned)
    return ax


def reliability_plot(
    y_true: ArrayLike | Pairs | Bins,
    y_prob: ArrayLike | None = None,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    sample_weight: ArrayLike | None = None,
    band: float | None = None,
    label: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw accuracy against confidence, one point per bin that holds samples, joined by a line.

    Call it again on the same axes to compare models: each curve gets the next colour and marker.

    Parameters
    ----------
    y_true : array_like of int, shape (n,), or Bins
        Labels; or bins, and then neither `y_prob` nor the options that make bins are given.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, of which the top label is judged, or the scores of pairs, which are judged as
        they stand: ``y_prob[:, 1]`` of two classes takes labels for hits and gives another number.
    view : callable
        Turns labels and probabilities into scores and hits, see :mod:`calib.views`.
    bins : callable, optional
        Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.
    band : float, optional
        Level of the shaded range in which a calibrated model's accuracy would fall.
    label : str, optional
        Name of the curve in the legend.
    ax : matplotlib Axes, optional
        A new figure where there is none.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Vasilev & D'yakonov (2021), Figure 1 a.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = reliability_plot([1, 0, 1], [0.9, 0.8, 0.3], ax=Figure().add_subplot())
    >>> ax.lines[-1].get_xydata()
    array([[0.3, 1. ],
           [0.8, 0. ],
           [0.9, 1. ]])
    """
    binned, whiskers = _bins_and_band(y_true, y_prob, view, bins, sample_weight, band)
    ax = ax or _subplots(figsize=(4.4, 4.4))[1]
    n_curves = sum(line.get_gid() == "curve" for line in ax.lines)
    colour = COLOURS[LINES[n_curves % len(LINES)]]
    marker = MARKERS[n_curves % len(MARKERS)]
    # axes that hold a curve already have their square and diagonal
    if not any(line.get_gid() == "diagonal" for line in ax.lines):
        _unit_square(ax, *_names(y_prob, view))
    full = binned.weight > 0
    if whiskers is not None:
        low, high = whiskers.low[full], whiskers.high[full]
        style: Style = {"color": colour, "alpha": 0.2, "linewidth": 0}
        name = f"{band:.0%} range if calibrated"
        ax.fill_between(binned.mean_score[full], low, high, label=name, **style)
    style = {"color": colour, "marker": marker, "markersize": 5, "linewidth": 1.5}
    ax.plot(
        binned.mean_score[full],
        binned.mean_hit[full],
        label=label,
        gid="curve",
        **style,
    )
    if ax.get_legend_handles_labels()[0]:
        ax.legend(fontsize="small", framealpha=0.85, edgecolor="none")
    return ax


def classwise_diagrams(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    bins: Binning | None = None,
    sample_weight: ArrayLike | None = None,
    band: float | None = None,
) -> np.ndarray:
    """Draw a reliability diagram for each class against the rest.

    The title of a panel is the class and its calibration error; the mean of these errors over
    all classes is the classwise ECE.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
        Labels.
    y_prob : array_like, shape (n, K)
        Probabilities; rows sum to one.
    classes : sequence of int, optional
        Classes to draw; all K by default.
    names : sequence of str, length K, optional
    bins : callable, optional
        Groups the scores, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    sample_weight : array_like of float, shape (n,), optional
        Weights, of which only the ratios matter.
    band : float, optional
        Level of the range in which a calibrated model's frequency would fall.

    Returns
    -------
    ndarray of matplotlib Axes

    Raises
    ------
    ValueError, TypeError
        Where an argument is not as described; it names the value and the row.

    References
    ----------
    Kull et al. (2019); Vasilev & D'yakonov (2021), section 3.1.

    Examples
    --------
    >>> axes = classwise_diagrams([0, 1], [[0.7, 0.3], [0.8, 0.2]])
    >>> [ax.get_title() for ax in axes]
    ['class 0 · 0.550', 'class 1 · 0.550']
    """
    n_classes = check.probabilities(y_prob).shape[1]
    classes = list(range(n_classes) if classes is None else classes)
    if not classes:
        raise ValueError("classes: none, expected at least one class to draw")
    if names is not None and len(names) != n_classes:
        raise ValueError(f"names: {len(names)} names, expected {n_classes}")
    panels = _panels(len(classes))
    for ax, k in zip(panels, classes, strict=True):
        binned, whiskers = _bins_and_band(
            y_true, y_prob, one_vs_rest(k), bins, sample_weight, band
        )
        _draw_bars(ax, binned, whiskers, "score", "frequency")
        _unit_square(ax, "", "")
        name = f"class {k}" if names is None else names[k]
        error = l1_norm(binned.gap_sum, binned.weight)
        ax.set_title(f"{name} · {error:.3f}", fontsize="medium")
    for ax in panels[::PANELS]:
        ax.set_ylabel("Frequency")
    for ax in panels[-PANELS:]:
        ax.set_xlabel("Score")
        ax.tick_params(labelbottom=True)
    legend: Style = {"loc": "outside lower center", "ncols": 2, "fontsize": "small"}
    panels[0].figure.legend(handles=_handles(panels, "score"), frameon=False, **legend)
    return panels


def _panels(n: int) -> np.ndarray:
    """Return n axes of a new figure, row by row."""
    n_columns = min(PANELS, n)
    n_rows = -(-n // n_columns)
    size = (1.7 * n_columns + 0.4, 1.95 * n_rows + 0.8)
    _, grid = _subplots(n_rows, n_columns, figsize=size, sharex=True, sharey=True)
    axes = np.ravel(grid)
    for spare in axes[n:]:
        spare.remove()
    return axes[:n]


def _bins_and_band(
    y_true: ArrayLike | Pairs | Bins,
    y_prob: ArrayLike | None,
    view: View,
    bins: Binning | None,
    sample_weight: ArrayLike | None,
    band: float | None,
) -> tuple[Bins, Band | None]:
    """Return the bins to draw, and the band of each where there is a level."""
    if isinstance(y_true, Bins):
        others = (y_prob, bins, sample_weight, band)
        if any(argument is not None for argument in others):
            raise ValueError(
                "y_true: bins, expected no y_prob, bins, sample_weight or band"
            )
        return y_true, None
    if y_prob is None:
        raise ValueError(
            "y_prob: None, expected probabilities (or bins as the first argument)"
        )
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    binned = group(bins, EqualWidth(), Pairs(score, hit, weight))
    if band is None:
        return binned, None
    if weight is not None:
        raise ValueError(
            "band: not defined for weighted samples, expected no sample_weight"
        )
    return binned, consistency_band(score, bins=bins, confidence_level=band)


def _bars(bins: Bins) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the bins with samples, the narrow ones last, where they begin, and their widths.

    A bin of one score, such as exactly 0, has no width of its own, and would not be seen.
    """
    full = np.flatnonzero(bins.weight > 0)
    width = np.diff(bins.edges)[full]
    narrow = width < NARROWEST
    if narrow.any():
        order = np.argsort(narrow, kind="stable")
        full, width = full[order], np.maximum(width, NARROWEST)[order]
    return full, np.minimum(bins.edges[:-1][full], 1 - width), width


def _draw_bars(
    ax: Axes, bins: Bins, whiskers: Band | None, score_name: str, hit_name: str
) -> None:
    full, left, width = _bars(bins)
    score, hit = bins.mean_score[full], bins.mean_hit[full]
    bar: Style = {"x": left, "width": width, "align": "edge", "linewidth": 0.8}
    accuracy: Style = {"color": COLOURS["blue"], "edgecolor": "white"}
    ax.bar(height=hit, label=hit_name.capitalize(), **accuracy, **bar)
    over = score >= hit
    gap: Style = {
        "facecolor": np.where(over, PALE, "none"),
        "edgecolor": np.where(over, COLOURS["vermillion"], PALE),
        "hatch": "////",
        "label": "Gap",
    }
    ax.bar(height=score - hit, bottom=hit, **gap, **bar)
    mean: Style = {
        "color": COLOURS["black"],
        "linewidth": 2,
        "label": f"Mean {score_name}",
    }
    ax.hlines(score, left, left + width, **mean)
    if whiskers is not None:
        low, high = whiskers.low[full], whiskers.high[full]
        middle, half = (low + high) / 2, (high - low) / 2
        style: Style = {"linestyle": "", "color": COLOURS["black"], "linewidth": 0.8}
        label = f"{whiskers.confidence_level:.0%} range if calibrated"
        ax.errorbar(
            left + width / 2, middle, yerr=half, capsize=2.5, label=label, **style
        )


def _handles(axes: np.ndarray | list[Axes], score_name: str) -> list[Artist]:
    """Return what the legend of diagrams explains: the two kinds of gap where they occur."""
    from matplotlib.patches import Patch

    first = axes[0].get_legend_handles_labels()[0]
    explained = [artist for artist in first if artist.get_label() != "Gap"]
    gaps = [
        bar for ax in axes for c in ax.containers if c.get_label() == "Gap" for bar in c
    ]
    over, under = ("overconfident", "underconfident")
    if score_name != "confidence":
        over, under = (f"{score_name} too high", f"{score_name} too low")
    heights = [bar.get_height() for bar in gaps]
    style: Style = {"hatch": "////", "linewidth": 0.8}
    if max(heights, default=0) > 0:
        style |= {"facecolor": PALE, "edgecolor": COLOURS["vermillion"]}
        explained.append(Patch(label=f"Gap: {over}", **style))
    if min(heights, default=0) < 0:
        style |= {"facecolor": COLOURS["blue"], "edgecolor": PALE}
        explained.append(Patch(label=f"Gap: {under}", **style))
    return explained


def _draw_weights(ax: Axes, bins: Bins) -> None:
    strip = ax.inset_axes((0, 1.04, 1, 0.16), sharex=ax)
    full, left, width = _bars(bins)
    share = bins.weight[full] / bins.weight.sum()
    strip.bar(
        left, share, width, align="edge", color=GREY, edgecolor="white", label="share"
    )
    strip.tick_params(labelbottom=False)
    strip.set_yticks([0, share.max()], ["0", f"{share.max():.2f}"], fontsize="small")
    strip.set_ylabel("Share", fontsize="small")
    _despine(strip)


def _unit_square(ax: Axes, score_name: str, hit_name: str) -> None:
    line: Style = {
        "color": GREY,
        "linestyle": (0, (4, 3)),
        "linewidth": 1,
        "zorder": 0.5,
    }
    ax.plot([0, 1], [0, 1], gid="diagonal", **line)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.set(xlabel=score_name.capitalize(), ylabel=hit_name.capitalize())
    for set_ticks in (ax.set_xticks, ax.set_yticks):
        set_ticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])
    _despine(ax)


def _names(y_prob: ArrayLike | None, view: View) -> tuple[str, str]:
    """Return the names of score and hit rate."""
    if view is top_label and y_prob is not None and np.ndim(y_prob) == 2:
        return "confidence", "accuracy"
    return "score", "frequency"


def _despine(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)


def _subplots(*shape: int, **options: Any) -> Any:
    try:
        from matplotlib import pyplot as plt
    except ModuleNotFoundError as error:
        message = f"{error}; the extra 'plots' brings it: pip install 'neural-calibration[plots]'"
        raise ModuleNotFoundError(message, name=error.name) from None

    return plt.subplots(*shape, **options, layout="constrained")
