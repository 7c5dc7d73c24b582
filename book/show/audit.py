"""What several chapters of evidence show: printed tables, effects of settings, diagrams, marks."""

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy import stats

import calib
from book.show.display import one_legend, signed, typeset
from calib.bins import Bins
from calib.plots import COLOURS
from evidence import claims

ERRORS = {
    "ece": "ECE",
    "tace": "TACE",
    "classwise_ece": "SCE",
    "ace": "ACE",
    "nll": "NLL",
}


def marked(
    table: pd.DataFrame, digits: int = 2, *, highest: bool = False, axis: int = 1
) -> Any:
    """Return a printed table, the lowest of each row (or column) underlined."""
    style = table.style.format(f"{{:.{digits}f}}", na_rep="–")
    mark = style.highlight_max if highest else style.highlight_min
    return mark(axis=axis, props="font-weight: bold; text-decoration: underline")


def networks(index: pd.DataFrame, results: pd.DataFrame) -> pd.DataFrame:
    """Return our networks that were measured: `zoo_index` beside the results "metrics_of_zoo"."""
    wide = results.pivot_table(
        index=["name", "calibrator"], columns="metric", values="value"
    )
    errors = wide.xs("none", level="calibrator").rename(columns=ERRORS)
    errors["scaled"] = wide["ece"].xs("temperature", level="calibrator")
    errors["error"] = 1 - errors["accuracy"]
    setting = index["name"].str.replace(r"-s\d+$", "", regex=True)
    return index.assign(setting=setting).join(errors, on="name", how="inner")


def in_block(rows: pd.DataFrame, block: str) -> pd.DataFrame:
    """Return the networks of a block of the zoo."""
    return rows[rows["block"].str.split().map(lambda names: block in names)]


def of_seeds(values: Any, scale: float = 100, digits: int = 1) -> str:
    """Return mean and standard deviation as text."""
    shown = f"{scale * values.mean():.{digits}f}"
    return (
        f"{shown}\u00a0±\u00a0{scale * values.std():.{digits}f}"
        if len(values) > 1
        else shown
    )


def share(won: Any) -> str:
    """Return how many of some networks, and the interval of the share of new networks.

    The index of `won` names the networks, or has their ``dataset`` and ``model``; the interval is
    the ledger's, by its model.
    """
    low, high = claims.share_of(won).quantiles()
    of_new = f"of new ones {low:.0%}\u00a0to\u00a0{high:.0%}"
    return f"{won.sum()} of {len(won)} ({of_new})"


def spread(settings: Any) -> tuple[float, int]:
    """Standard deviation over seeds, pooled over settings; degrees of freedom."""
    # a mean is taken of each setting: one degree of freedom less
    free = sum(len(e) - 1 for e in settings)
    squares = sum(np.sum((np.asarray(e) - np.mean(e)) ** 2) for e in settings)
    return np.sqrt(squares / free), free


def difference(first: pd.Series, second: pd.Series, block: pd.DataFrame) -> Any:
    """Difference of the means of two settings of a block, with its 95 % interval."""
    s, free = spread(block)
    effect = np.mean(second) - np.mean(first)
    reach = stats.t.ppf(0.975, free) * s * np.sqrt(1 / len(first) + 1 / len(second))
    return effect, effect - reach, effect + reach


def in_words(
    effect: float, low: float, high: float, *, scale: float = 100, digits: int = 1
) -> dict[str, str]:
    """Return an effect with its interval, and whether it rises or falls.

    Without a second seed there is no interval, and nothing is resolved.
    """
    if np.isnan(low):
        return {"effect": signed(scale * effect, digits), "verdict": "not resolved"}
    shown = [signed(scale * x, digits) for x in (effect, low, high)]
    verdict = "not resolved" if low <= 0 <= high else "rises" if effect > 0 else "falls"
    return {"effect": f"{shown[0]} [{shown[1]},\u00a0{shown[2]}]", "verdict": verdict}


def against(
    ax: Axes,
    rows: pd.DataFrame,
    column: str,
    quantities: Sequence[str] = ("ECE", "error"),
    names: Any = None,
) -> None:
    """Draw quantities of networks against a setting: a mark each, a line through the means."""
    levels = list(names) if names else sorted(rows[column].unique())
    place = rows[column].map({level: i for i, level in enumerate(levels)})
    looks = zip(
        quantities, "ox^D", ("blue", "vermillion", "green", "purple"), strict=False
    )
    for quantity, marker, colour in looks:
        style = {"color": COLOURS[colour]}
        ax.plot(place, 100 * rows[quantity], marker, ms=5, alpha=0.8, **style)
        ax.plot(
            100 * rows.groupby(place)[quantity].mean(), lw=1, label=quantity, **style
        )
    ax.set_xticks(range(len(levels)), (names or {v: f"{v:g}" for v in levels}).values())


def bins_of(
    rows: pd.DataFrame, *, closed: str = "left", per_bin: int = 1
) -> calib.Bins:
    """Return the bins that a table holds, from zero to one, some of its rows to a bin."""
    sums = [
        rows[column].to_numpy().reshape(-1, per_bin).sum(axis=1)
        for column in ("count", "score_sum", "hit_sum")
    ]
    edges = np.arange(len(sums[0]) + 1) / len(sums[0])
    return Bins(edges, closed, sums[0], sums[0].astype(float), *sums[1:])


def diagrams(binned: Mapping[str, calib.Bins], columns: int = 2) -> Any:
    """Draw reliability diagrams beside each other, of bins by what stands below each."""
    lines = -(-len(binned) // columns)
    size = min(2.2 * columns, 5.6), 3.1 * lines + 0.4  # inches: a phone shows it whole
    figure, axes = plt.subplots(
        lines, columns, figsize=size, layout="constrained", squeeze=False
    )
    for ax, (name, bins) in zip(axes.flat, binned.items(), strict=True):
        calib.reliability_diagram(bins, ax=ax)
        ax.set(
            xlabel=f"Confidence\n{name}", ylabel="Accuracy" if ax in axes[:, 0] else ""
        )
        strip = ax.child_axes[0]
        top = strip.get_yticks()[-1]
        strip.set_yticks([top], [f"{top:.2f}"], fontsize="small")
        if ax not in axes[:, 0]:
            strip.set_ylabel("")
    one_legend(axes.flat)
    return figure


def inside(rows: pd.DataFrame) -> str:
    """Return how many printed numbers lie within the range of recomputed ones."""
    return f"{rows['printed'].between(rows['low'], rows['high']).sum()} of {len(rows)}"


def with_range(value: float, low: float, high: float, digits: int = 2) -> str:
    """Return a value with its interval as text."""
    return typeset(f"{value:.{digits}f} ({low:.{digits}f} to {high:.{digits}f})")
