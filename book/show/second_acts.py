"""Interactive figures of single chapters, apart from those that several pages show."""

from __future__ import annotations

import numpy as np

from book.show import stills
from book.show.widgets import Shown, explorable, listed, packed


@explorable
def stake_curve(score: np.ndarray, hit: np.ndarray) -> Shown:
    """Stakes that you draw against the score, and what they win on these answers and on others."""
    pairs = packed(2 * np.round(32767 * np.asarray(score)) + hit, "<u2")
    gap = np.append(0, np.cumsum((np.asarray(hit) - score)[np.argsort(score)])) / len(score)
    walk = np.column_stack([np.linspace(0, 1, len(gap)), gap])[:: max(len(gap) // 500, 1)]
    still = stills.lines("share of answers, by score", "won by buying all so far", walk=walk)
    return {"pairs": pairs}, still


@explorable
def drift_gate(score: np.ndarray) -> Shown:
    """Weeks of a calm network, then a drift, and a gate that looks at each week."""
    weeks = np.arange(1, 31)
    lost = -np.maximum(0, weeks - 10) / 100
    still = stills.lines("week", "accuracy less mean confidence", drift=np.c_[weeks, lost])
    return {"scores": listed(score, 4)}, still
