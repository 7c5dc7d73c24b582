"""The diagrams of calibration.

Every function takes the axes to draw on (a new figure without them), returns them, and leaves
matplotlib's settings as they are. Colours are those of Okabe and Ito, which readers with any form
of colour vision can tell apart; every colour is paired with a marker, a hatch or a line style.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calib.bands import consistency_band, error_if_calibrated
from calib.bins import Binning, Bins, check_binning, equal_mass, equal_width
from calib.calibrators.spline import SplineCalibration
from calib.checks import as_array, check_count, check_probabilities
from calib.docs import documented
from calib.errors import l1_norm, rising_scores
from calib.extras import need
from calib.views import View, one_vs_rest, top_label, view_pairs

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
CUMULATED = {  # the two curves of the KS error, in every figure
    "scores": {"color": COLOURS["blue"], "linestyle": "--"},
    "hits": {"color": COLOURS["vermillion"], "linestyle": "-"},
}
GREY = "#6b6b6b"
PALE = "#F7DCCB"


def reliability_diagram(
    y_true: ArrayLike,
    y_prob: ArrayLike | None = None,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    sample_weight: ArrayLike | None = None,
    band: float | None = None,
    weights: bool = True,
    ax: Any = None,
) -> Any:
    """Draw accuracy in bins of confidence as bars, with the gap between the two.

    A blue bar reaches up to acc(B), a black line marks conf(B), and what lies between them, the
    gap, is hatched: above the blue bar where the model is overconfident. A bin without samples has
    no bar. The strip on top shows the share of the samples in each bin; the number in the corner is
    the calibration error, the mean absolute gap.

    Parameters
    ----------
    y_true : array_like of int, shape (n,), or Bins
        Labels; or bins, and then neither `y_prob` nor the options that make bins are given.
    y_prob : array_like, shape (n, K) or (n,)
        Probabilities, or scores where `y_true` holds hits.
    view : callable
        Which score and which event, see :mod:`calib.views`.
    bins : callable, optional
        Binning, see :mod:`calib.bins`; ``equal_width(15)`` by default.
    sample_weight : array_like of float, shape (n,), optional
    band : float, optional
        Level, such as 0.95, of the range in which a calibrated model's accuracy would fall, drawn
        as whiskers around the mean confidence. See :func:`calib.consistency_band`.
    weights : bool
        Whether to draw the strip of bin weights.
    ax : matplotlib Axes, optional
        A new figure where there is none.

    Returns
    -------
    matplotlib Axes
        Its containers are labelled "accuracy" (or "frequency") and "gap"; the strip is its child.

    Raises
    ------
    ValueError
        Where the data are not what they should be, or a band is asked for of bins alone or of
        weighted samples.

    References
    ----------
    Guo et al. (2017), Figure 1; Vasilev & D'yakonov (2021), Figure 1 b and c; Bröcker & Smith
    (2007) for the whiskers.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = reliability_diagram([1, 0, 1], [0.9, 0.8, 0.3], ax=Figure().add_subplot())
    >>> [float(round(bar.get_height(), 2)) for bar in ax.containers[0]]
    [1.0, 0.0, 1.0]
    """
    binned, whiskers = _bins_and_band(y_true, y_prob, view, bins, sample_weight, band)
    score_name, hit_name = _names(y_prob, view)
    ax = _axes(ax, (4.4, 5.7 if weights else 4.8))
    _draw_bars(ax, binned, whiskers, score_name, hit_name)
    _unit_square(ax, score_name, hit_name)
    _tell_error(ax, binned)
    below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "ncols": 2}
    ax.legend(handles=_handles([ax], score_name), fontsize="small", frameon=False, **below)
    if weights:
        _draw_weights(ax, binned)
    return ax


@documented
def reliability_plot(
    y_true: ArrayLike,
    y_prob: ArrayLike | None = None,
    *,
    view: View = top_label,
    bins: Binning | None = None,
    sample_weight: ArrayLike | None = None,
    band: float | None = None,
    label: str | None = None,
    ax: Any = None,
) -> Any:
    """Draw accuracy against confidence, one point per bin that holds samples, joined by a line.

    Call it again on the same axes to compare models: each curve gets the next colour and marker.

    Parameters
    ----------
    y_true, y_prob, view, bins, sample_weight
        As in :func:`reliability_diagram`.
    band : float, optional
        Level of the shaded range in which a calibrated model's accuracy would fall.
    label : str, optional
        Name of the curve in the legend.
    %(axes)s

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
    ax = _axes(ax, (4.4, 4.4))
    colour, marker = _next_style(ax)
    if not any(line.get_gid() == "diagonal" for line in ax.lines):
        _unit_square(ax, *_names(y_prob, view))
    full = binned.weight > 0
    if whiskers is not None:
        low, high = whiskers.low[full], whiskers.high[full]
        ax.fill_between(
            binned.mean_score[full],
            low,
            high,
            color=colour,
            alpha=0.2,
            linewidth=0,
            label=f"{band:.0%} range if calibrated",
        )
    ax.plot(
        binned.mean_score[full],
        binned.mean_hit[full],
        color=colour,
        marker=marker,
        markersize=5,
        linewidth=1.5,
        label=label,
        gid="curve",
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
    band: Any = None,
    n_columns: int = 3,
    axes: Any = None,
) -> np.ndarray:
    """Draw a reliability diagram for each class against the rest.

    The title of a panel is the class and its calibration error; the mean of these errors over
    all classes is the classwise ECE.

    Parameters
    ----------
    y_true : array_like of int, shape (n,)
    y_prob : array_like, shape (n, K)
    classes : sequence of int, optional
        Classes to draw; all K by default.
    names : sequence of str, length K, optional
        Names of the classes.
    bins, sample_weight, band
        As in :func:`reliability_diagram`.
    n_columns : int
        Panels in a row of a new figure.
    axes : sequence of matplotlib Axes, optional
        One per class drawn; a new figure where there are none.

    Returns
    -------
    ndarray of matplotlib Axes
        One per class drawn.

    Raises
    ------
    ValueError
        Where the data are not what they should be, or axes or names and classes differ in number.

    References
    ----------
    Kull et al. (2019); Vasilev & D'yakonov (2021), section 3.1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> panels = Figure().subplots(1, 2)
    >>> axes = classwise_diagrams([0, 1], [[0.7, 0.3], [0.8, 0.2]], axes=panels)
    >>> [ax.get_title() for ax in axes]
    ['class 0 · 0.550', 'class 1 · 0.550']
    """
    n_classes = check_probabilities(y_prob).shape[1]
    classes = list(range(n_classes) if classes is None else classes)
    if not classes:
        raise ValueError("classes: none, expected at least one class to draw")
    if names is not None and len(names) != n_classes:
        raise ValueError(f"names: {len(names)} names, expected {n_classes}")
    check_count(n_columns, "n_columns")
    wide = min(n_columns, len(classes))
    size = (1.7 * wide + 0.4, 1.95 * -(-len(classes) // wide) + 0.8)
    given, axes = axes, _grid(axes, len(classes), wide, figsize=size, sharex=True, sharey=True)
    for ax, k in zip(axes, classes, strict=True):
        binned, whiskers = _bins_and_band(y_true, y_prob, one_vs_rest(k), bins, sample_weight, band)
        _draw_bars(ax, binned, whiskers, "score", "frequency")
        _unit_square(ax, "", "")
        name = f"class {k}" if names is None else names[k]
        ax.set_title(f"{name} · {l1_norm(binned):.3f}", fontsize="medium")
    if given is None:
        for ax in axes[::n_columns]:
            ax.set_ylabel("Frequency")
        for ax in axes[-n_columns:]:
            ax.set_xlabel("Score")
            ax.tick_params(labelbottom=True)
        legend = {"loc": "outside lower center", "ncols": 2, "fontsize": "small"}
        axes[0].figure.legend(handles=_handles(axes, "score"), frameon=False, **legend)
    return axes


def ks_graph(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    n_knots: int = 6,
    axes: Any = None,
) -> np.ndarray:
    """Draw the four graphs behind the KS error: cumulative and not, by fractile and by score.

    (a) Cumulative scores and cumulative hits, divided by n, against the fractile, the share of
    samples up to a score. A black line marks their largest distance, the KS error. (b) The same
    against the cumulative score, which straightens the scores. (c) Score and frequency of hits
    against the fractile, and (d) the same against the score: the frequency is the slope of a spline
    through the cumulative hits, see :class:`calib.SplineCalibration`. Tied scores move together.

    Parameters
    ----------
    y_true, y_prob, view
        As in :func:`calib.reliability_diagram`.
    n_knots : int
        Knots of the spline in (c) and (d).
    axes : sequence of four matplotlib Axes, optional
        A new figure where there are none.

    Returns
    -------
    ndarray of four matplotlib Axes

    Raises
    ------
    ValueError
        Where the data are not what they should be, or the axes are not four.

    References
    ----------
    Gupta et al. (2021), Figure 1 and equations 11 and 12.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> y_true, y_prob = [0, 0, 1, 1], [0.4, 0.6, 0.8, 0.9]
    >>> axes = ks_graph(y_true, y_prob, axes=Figure().subplots(2, 2))
    >>> axes[0].get_legend().get_title().get_text()
    'KS 0.2500'
    """
    score, hit, _ = view_pairs(y_true, y_prob, view)
    fractile, score_sum, hit_sum = _cumulative(score, hit)
    spline = SplineCalibration(n_knots=n_knots).fit(score, hit)
    ordered = np.sort(score)
    rank = (np.arange(len(score)) + 0.5) / len(score)
    score_name, hit_name = _names(y_prob, view)
    axes = _grid(axes, 4, 2, figsize=(5.4, 5.2))
    a, b, c, d = axes
    for ax, x, curves in (
        (a, fractile, (score_sum, hit_sum)),
        (b, score_sum, (score_sum, hit_sum)),
        (c, rank, (ordered, spline.predict(ordered))),
        (d, ordered, (ordered, spline.predict(ordered))),
    ):
        names = {"scores": score_name, "hits": hit_name}
        for y, (kind, name) in zip(curves, names.items(), strict=True):
            ax.plot(x, y, label=name.capitalize(), gid="curve", linewidth=1.8, **CUMULATED[kind])
        _despine(ax)
    widest = np.argmax(np.abs(hit_sum - score_sum))
    for ax, x in ((a, fractile), (b, score_sum)):
        low, high = sorted((score_sum[widest], hit_sum[widest]))
        ax.vlines(x[widest], low, high, color=COLOURS["black"], linewidth=2.2, label="KS error")
    a.set(xlabel="Fractile", ylabel="Cumulative", title="(a)")
    b.set(xlabel=f"Cumulative {score_name}", ylabel="Cumulative", title="(b)")
    c.set(xlabel="Fractile", ylabel=f"{score_name} and {hit_name}".capitalize(), title="(c)")
    d.set(xlabel=score_name.capitalize(), ylabel=c.get_ylabel(), title="(d)")
    error = abs(hit_sum[widest] - score_sum[widest])
    a.legend(title=f"KS {error:.4f}", fontsize="small", frameon=False, alignment="left")
    return axes


@documented
def ece_against_bins(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    view: View = top_label,
    n_bins: Sequence[int] = (2, 5, 10, 15, 20, 30, 50, 75, 100),
    binnings: Any = None,
    calibrated: bool = True,
    ax: Any = None,
) -> Any:
    """Draw the ECE against the number of bins, for equal-width and equal-mass bins.

    Parameters
    ----------
    y_true, y_prob, view
        As in :func:`reliability_diagram`.
    n_bins : sequence of int
        Numbers of bins.
    binnings : dict of str to callable, optional
        Name of a scheme -> function of the number of bins that returns a binning.
    calibrated : bool
        Whether to draw, dashed, the mean ECE that a calibrated model with the same scores would
        show: the bias that the bins alone bring. See :func:`calib.error_if_calibrated`.
    %(axes)s

    References
    ----------
    Nixon et al. (2019) and Kumar et al. (2019) on the bias of bins.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = ece_against_bins([1, 0], [0.9, 0.6], n_bins=[1, 2], ax=Figure().add_subplot())
    >>> ax.lines[0].get_ydata().round(2)
    array([0.25, 0.25])
    """
    if as_array(n_bins, "n_bins").ndim != 1 or not len(n_bins):
        raise ValueError(f"n_bins: {n_bins!r}, expected numbers of bins such as [5, 10, 20]")
    score, hit, _ = view_pairs(y_true, y_prob, view)
    if binnings is not None and not isinstance(binnings, dict):
        raise ValueError(f"binnings: {binnings!r}, expected a scheme of bins by name")
    binnings = binnings or {"equal width": equal_width, "equal mass": equal_mass}
    ax = _axes(ax, (5.0, 3.6))
    for name, binning in binnings.items():
        colour, marker = _next_style(ax)
        grouped = [binning(m) for m in n_bins]
        found = [l1_norm(bins(score, hit)) for bins in grouped]
        style = {"color": colour, "marker": marker, "markersize": 4.5}
        ax.plot(n_bins, found, label=name, gid="curve", **style)
        if calibrated:
            expected = [error_if_calibrated(score, bins=bins) for bins in grouped]
            ax.plot(n_bins, expected, "--", label=f"{name}, if calibrated", mfc="none", **style)
    ax.set_xlabel("Number of bins")
    ax.set_ylabel("ECE")
    ax.set_ylim(bottom=0)
    _despine(ax)
    ax.legend(fontsize="small", frameon=False)
    return ax


@documented
def error_against_accuracy(
    accuracy: Any,
    error: Any,
    *,
    family: Sequence[str] | None = None,
    interval: ArrayLike | None = None,
    pareto: bool = False,
    label: str = "ECE",
    ax: Any = None,
) -> Any:
    """Draw each model's calibration error against its accuracy.

    Parameters
    ----------
    accuracy, error : array_like of float, shape (m,)
        One of each per model, as fractions.
    family : sequence of str, length m, optional
        Family of each model: families differ in colour and marker.
    interval : array_like of float, shape (m, 2), optional
        Low and high end of each error, drawn as a bar.
    pareto : bool
        Whether to draw the front: the models than which none is both more accurate and better
        calibrated.
    label : str
        Name of the error.
    %(axes)s

    References
    ----------
    Minderer et al. (2021), Figure 1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> points = [0.7, 0.8, 0.75], [0.02, 0.05, 0.06]
    >>> ax = error_against_accuracy(*points, pareto=True, ax=Figure().add_subplot())
    >>> ax.lines[-1].get_xydata()
    array([[0.7 , 0.02],
           [0.8 , 0.05]])
    """
    accuracy, error, ends = _same_length(accuracy, error, interval)
    families = (
        np.full(len(accuracy), "") if family is None else np.array([str(name) for name in family])
    )
    if len(families) != len(accuracy):
        raise ValueError(f"family: {len(families)} names, expected {len(accuracy)}")
    ax = _axes(ax, (5.0, 3.8))
    for name in dict.fromkeys(families.tolist()):
        member = families == name
        colour, marker = _next_style(ax)
        if ends is not None:
            ax.vlines(accuracy[member], *ends[member].T, color=colour, linewidth=1.2)
        ax.plot(
            accuracy[member],
            error[member],
            color=colour,
            marker=marker,
            linestyle="",
            label=name or None,
            gid="curve",
        )
    if pareto:
        front = _pareto_front(accuracy, error)
        style = {"color": GREY, "linestyle": "--", "linewidth": 1.2, "zorder": 1}
        ax.plot(accuracy[front], error[front], label="Pareto front", **style)
    ax.set_xlabel("Accuracy")
    ax.set_ylabel(label)
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    _despine(ax)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(fontsize="small", frameon=False)
    return ax


def _bins_and_band(
    y_true: Any, y_prob: Any, view: View, bins: Any, sample_weight: Any, band: float | None
) -> tuple[Any, Any]:
    if isinstance(y_true, Bins):
        if band is not None or any(given is not None for given in (y_prob, bins, sample_weight)):
            raise ValueError("y_true: bins, expected no y_prob, bins, sample_weight or band")
        return y_true, None
    if y_prob is None:
        raise ValueError("y_prob: None, expected probabilities (or bins as the first argument)")
    score, hit, weight = view_pairs(y_true, y_prob, view, sample_weight)
    binning = check_binning(bins, equal_width(15))
    binned = binning(score, hit, weight)
    if band is None:
        return binned, None
    if sample_weight is not None:
        raise ValueError("band: not defined for weighted samples, expected no sample_weight")
    return binned, consistency_band(score, bins=binning, confidence_level=band)


def _draw_bars(ax: Any, bins: Bins, whiskers: Any, score_name: str, hit_name: str) -> None:
    full = bins.weight > 0
    left, width = bins.edges[:-1][full], np.diff(bins.edges)[full]
    score, hit = bins.mean_score[full], bins.mean_hit[full]
    place = {"x": left, "width": width, "align": "edge"}
    ax.bar(
        height=hit,
        color=COLOURS["blue"],
        edgecolor="white",
        linewidth=0.8,
        label=hit_name.capitalize(),
        **place,
    )
    over = score >= hit
    ax.bar(
        height=score - hit,
        bottom=hit,
        facecolor=np.where(over, PALE, "none"),
        edgecolor=np.where(over, COLOURS["vermillion"], PALE),
        hatch="////",
        linewidth=0.8,
        label="Gap",
        **place,
    )
    ax.hlines(
        score, left, left + width, color=COLOURS["black"], linewidth=1.6, label=f"Mean {score_name}"
    )
    if whiskers is not None:
        low, high = whiskers.low[full], whiskers.high[full]
        ax.errorbar(
            left + width / 2,
            (low + high) / 2,
            yerr=(high - low) / 2,
            linestyle="",
            color=COLOURS["black"],
            linewidth=1.2,
            capsize=2.5,
            label=f"{whiskers.confidence_level:.0%} range if calibrated",
        )


def _handles(axes: Any, score_name: str) -> list[Any]:
    """Return what the legend of diagrams explains: the two kinds of gap where they occur."""
    from matplotlib.patches import Patch

    first = axes[0].get_legend_handles_labels()[0]
    explained = [artist for artist in first if artist.get_label() != "Gap"]
    gaps = [bar for ax in axes for c in ax.containers if c.get_label() == "Gap" for bar in c]
    over, under = ("overconfident", "underconfident")
    if score_name != "confidence":
        over, under = (f"{score_name} too high", f"{score_name} too low")
    hatched: Any = {"hatch": "////", "linewidth": 0.8}
    if any(bar.get_height() > 0 for bar in gaps):
        style: Any = {"facecolor": PALE, "edgecolor": COLOURS["vermillion"]}
        explained.append(Patch(label=f"Gap: {over}", **style, **hatched))
    if any(bar.get_height() < 0 for bar in gaps):
        style = {"facecolor": COLOURS["blue"], "edgecolor": PALE}
        explained.append(Patch(label=f"Gap: {under}", **style, **hatched))
    return explained


def _tell_error(ax: Any, bins: Bins) -> None:
    note = f"ECE {l1_norm(bins):.4f}"
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 2}
    ax.text(0.03, 0.97, note, va="top", transform=ax.transAxes, bbox=box, gid="error")


def _draw_weights(ax: Any, bins: Bins) -> None:
    strip = ax.inset_axes([0, 1.04, 1, 0.16], sharex=ax)
    full = bins.weight > 0
    share = bins.weight[full] / bins.weight.sum()
    left, width = bins.edges[:-1][full], np.diff(bins.edges)[full]
    strip.bar(left, share, width, align="edge", color=GREY, edgecolor="white", label="share")
    strip.tick_params(labelbottom=False)
    strip.set_yticks([0, share.max()], ["0", f"{share.max():.2f}"], fontsize="small")
    strip.set_ylabel("Share", fontsize="small")
    _despine(strip)


def _cumulative(score: np.ndarray, hit: np.ndarray) -> list[np.ndarray]:
    """Return fractile, cumulative scores and cumulative hits at zero and at each distinct score."""
    order, last_of_ties = rising_scores(score)
    sums = [np.cumsum(values[order])[last_of_ties] for values in (np.ones(len(score)), score, hit)]
    return [np.append(0, total) / len(score) for total in sums]


def _unit_square(ax: Any, score_name: str, hit_name: str) -> None:
    line = {"color": GREY, "linestyle": (0, (4, 3)), "linewidth": 1, "zorder": 0.5}
    ax.plot([0, 1], [0, 1], gid="diagonal", **line)
    ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    ax.set_xlabel(score_name.capitalize())
    ax.set_ylabel(hit_name.capitalize())
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "", "0.5", "", "1"])
    _despine(ax)


def _names(y_prob: Any, view: View) -> tuple[str, str]:
    """Return the names of score and hit rate."""
    if view is top_label and np.ndim(y_prob) == 2:
        return "confidence", "accuracy"
    return "score", "frequency"


def _next_style(ax: Any) -> tuple[str, str]:
    drawn = sum(line.get_gid() == "curve" for line in ax.lines)
    return COLOURS[LINES[drawn % len(LINES)]], MARKERS[drawn % len(MARKERS)]


def _despine(ax: Any) -> None:
    ax.spines[["top", "right"]].set_visible(False)


def _subplots(*shape: int, **options: Any) -> Any:
    need("plots")
    from matplotlib import pyplot as plt

    return plt.subplots(*shape, **options, layout="constrained")


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    return _subplots(figsize=size)[1]


def _grid(axes: Any, n_panels: int, n_columns: int, **options: Any) -> np.ndarray:
    if axes is not None:
        axes = np.ravel(axes)
        if len(axes) != n_panels:
            raise ValueError(f"axes: {len(axes)} axes, expected {n_panels}")
        return axes
    _, grid = _subplots(-(-n_panels // n_columns), n_columns, **options)
    for spare in np.ravel(grid)[n_panels:]:
        spare.remove()
    return np.ravel(grid)[:n_panels]


def _same_length(accuracy: Any, error: Any, interval: Any) -> tuple[Any, ...]:
    accuracy, error = as_array(accuracy, "accuracy"), as_array(error, "error")
    if accuracy.ndim != 1 or error.shape != accuracy.shape:
        raise ValueError(f"error: shape {error.shape}, expected accuracy's {accuracy.shape}")
    if interval is not None:
        interval = as_array(interval, "interval")
        if interval.shape != (len(accuracy), 2):
            raise ValueError(f"interval: shape {interval.shape}, expected ({len(accuracy)}, 2)")
    return accuracy.astype(float), error.astype(float), interval


def _pareto_front(accuracy: np.ndarray, error: np.ndarray) -> np.ndarray:
    """Return the models than which none is more accurate and better calibrated, by accuracy."""
    order = np.lexsort((error, -accuracy))
    best = np.minimum.accumulate(error[order])
    new = np.append(True, best[1:] < best[:-1])
    return order[new][::-1]
