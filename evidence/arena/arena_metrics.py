"""What the arena measures of a map on a prediction set, and a row for each fit."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from calib.bands import error_if_calibrated
from calib.metrics import accuracy, brier, classwise_ece, ece, nll
from evidence.fit_and_measure import SECONDS


def on_half(y_true: np.ndarray, y_prob: np.ndarray, *, metric: Any, half: int) -> float:
    """Return a score of the first or of the second half of the samples."""
    n = len(y_true) // 2
    rows = slice(n) if half == 1 else slice(n, None)
    return metric(y_true[rows], y_prob[rows])


def top_label_chance(y_true: np.ndarray, y_prob: np.ndarray) -> float:
    """Return the ECE of the top label that a calibrated model would show."""
    return error_if_calibrated(np.max(y_prob, axis=1))


ARENA_METRICS: dict[str, Callable[..., float]] = {
    **{f"nll_{half}": partial(on_half, metric=nll, half=half) for half in (1, 2)},
    **{f"brier_{half}": partial(on_half, metric=brier, half=half) for half in (1, 2)},
    "ece": ece,
    "ece_chance": top_label_chance,
    "classwise_ece": classwise_ece,
    "accuracy": accuracy,
}


def as_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row a fit of the `ARENA_METRICS`, as `measure_maps` returns it.

    It has `set`, `n` and `map`; the metrics; the processor seconds where the table tells them; and
    `failure`, empty where there is none: an error, or a probability of zero for a label.
    """
    keys = ["prediction", "n", "calibrator"]
    rows = table.pivot(index=keys, columns="metric", values="value")
    fits = table.groupby(keys)
    rows["failure"] = fits["note"].first()
    rows = rows.join(
        fits[[name for name in SECONDS if name in table]].first()
    ).reset_index()
    # an infinite NLL is a probability of zero for a label that occurs
    zero = ~np.isfinite(rows["nll_1"] + rows["nll_2"]) & (rows["failure"] == "")
    rows.loc[zero, "failure"] = "probability of zero"
    return rows.rename(columns={"prediction": "set", "calibrator": "map"})
