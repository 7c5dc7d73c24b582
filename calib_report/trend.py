"""The calibration in order of time, with a test of trend."""

from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from calib_report.losses import HeldOut, numbered
from calib_report.measure import Number, mean_with_interval, ranks

MOST_PERIODS = 12


def times(values: np.ndarray, name: str) -> np.ndarray:
    """Return moments as numbers: what stands there as a number, or the seconds of a date."""
    for kind in (float, "datetime64[s]"):
        try:
            found = values.astype(str).astype(kind).astype(float)
        except ValueError:
            continue
        if np.isfinite(found).all():
            return found
    raise ValueError(f"time: {name!r} holds no numbers and no dates such as 2026-11-23T14:00")


def time_table(name: str, values: np.ndarray, before: HeldOut, after: HeldOut) -> dict[str, Any]:
    """Return confidence less accuracy in up to a dozen moments, or periods of as many samples."""
    moment = times(values, name)
    different, place = np.unique(moment, return_inverse=True)
    if len(different) > MOST_PERIODS:
        share = np.cumsum(np.bincount(place)) / len(moment)
        place = np.ceil(MOST_PERIODS * share - 1e-9)[place]
    sides, periods = {"before": before, "after": after}, []
    gaps = {when: own.losses.score - own.losses.hit for when, own in sides.items()}
    for period in np.unique(place):
        inside = np.flatnonzero(place == period)
        of_clusters = None if before.clusters is None else numbered(before.clusters[inside])
        row: dict[str, Any] = {
            "from": str(values[inside[moment[inside].argmin()]]),
            "to": str(values[inside[moment[inside].argmax()]]),
            "samples": len(inside),
            "accuracy": float(before.losses.hit[inside].mean()),
        }
        means = {w: mean_with_interval(gap[inside], of_clusters) for w, gap in gaps.items()}
        periods.append(row | means)
    trends = {f"trend_{when}": trend(moment, gap, before.clusters) for when, gap in gaps.items()}
    return {"column": name, "periods": periods, **trends}


def trend(moment: np.ndarray, gap: np.ndarray, clusters: np.ndarray | None = None) -> Number:
    """Return by how much gaps rise from the first moment to the last, by rank: least squares.

    Its interval allows for unequal variances (White 1980), of whole clusters where there are.
    """
    n = len(gap)
    rank = (ranks(moment) - (n + 1) / 2) / max(n - 1, 1)
    if not rank.any():
        return {"value": 0.0, "p_value": 1.0}
    slope = float(rank @ gap / (rank @ rank))
    rest = gap - gap.mean() - slope * rank
    found = mean_with_interval(slope + n * rank * rest / (rank @ rank), clusters)
    freedom = np.inf if clusters is None else max(clusters.max(), 1)
    error = (found.get("high", np.inf) - slope) / stdtrit(freedom, 0.975)
    p_value = 2 * stdtr(freedom, -abs(slope) / error) if error > 0 else float(slope == 0)
    return found | {"value": slope, "p_value": float(p_value)}
