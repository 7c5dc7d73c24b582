"""The views that Gupta et al. (2021) draw, and the KS error with its interval.

`low` to `high` is the 95 % basic bootstrap interval, a spline held fixed. Near calibration it holds
the truth less often than it says: a small error may be smaller.
"""

import numpy as np

import calib
from calib.views import View, top_label, top_r, within_top_r

VIEWS: dict[str, tuple[View, int]] = {  # and the knots of its spline
    "top-1": (top_label, 6),
    "top-2": (top_r(2), 6),
    "top-3": (top_r(3), 6),
    "within-top-2": (within_top_r(2), 14),
    "within-top-3": (within_top_r(3), 14),
}


def ks_interval(score: np.ndarray, hit: np.ndarray) -> dict[str, float]:
    estimate = calib.bootstrap(
        calib.ks_error,
        hit.astype(int),
        score,
        method="basic",
        rng=np.random.default_rng(0),
    )
    return {"ks": estimate.value, "low": estimate.low, "high": estimate.high}
