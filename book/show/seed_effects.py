"""The effect of a setting on networks that were trained with several seeds."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy import stats

from book.show.display import signed
from calib.plots import COLOURS


def pooled_sd(settings: Collection[Sequence[float]]) -> tuple[float, int]:
    """Standard deviation over seeds, pooled over settings; degrees of freedom."""
    # a mean is taken of each setting: one degree of freedom less
    free = sum(len(e) - 1 for e in settings)
    squares = sum(np.sum((np.asarray(e) - np.mean(e)) ** 2) for e in settings)
    return float(np.sqrt(squares / free)), free


def difference_of_means(
    first: Sequence[float],
    second: Sequence[float],
    settings: Collection[Sequence[float]],
) -> tuple[float, float, float]:
    """Difference of the means of two settings, with its 95 % interval.

    The standard deviation is pooled over all `settings`.
    """
    s, free = pooled_sd(settings)
    effect = float(np.mean(second) - np.mean(first))
    per_mean = np.sqrt(1 / len(first) + 1 / len(second))
    reach = float(stats.t.ppf(0.975, free) * s * per_mean)
    return effect, effect - reach, effect + reach


def effect_in_words(
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


def draw_by_setting(
    ax: Axes,
    rows: pd.DataFrame,
    column: str,
    quantities: Sequence[str] = ("ECE", "error"),
    names: Mapping[str, str] | Mapping[float, str] | None = None,
) -> None:
    """Draw quantities of networks against a setting: a mark each, a line through the means."""
    levels = list(names) if names else sorted(rows[column].unique())
    level_numbers = rows[column].map({level: i for i, level in enumerate(levels)})
    looks = zip(
        quantities, "ox^D", ("blue", "vermillion", "green", "purple"), strict=False
    )
    for quantity, marker, colour in looks:
        style: dict[str, Any] = {"color": COLOURS[colour]}
        ax.plot(level_numbers, 100 * rows[quantity], marker, ms=5, alpha=0.8, **style)
        ax.plot(
            100 * rows.groupby(level_numbers)[quantity].mean(),
            lw=1,
            label=quantity,
            **style,
        )
    ax.set_xticks(range(len(levels)), (names or {v: f"{v:g}" for v in levels}).values())
