"""The calibration in order of time, with a test of trend."""

from typing import Any

import numpy as np
from scipy import stats

from calib_report.losses import HeldOut, numbered
from calib_report.measure import Number, mean_with_interval

MOST_PERIODS = 12


def times(values: np.ndarray, name: str) -> np.ndarray:
    """Return moments as numbers: what stands there as a number, or the seconds of a date.

    Examples
    --------
    >>> times(np.array(["2026-01-02", "2026-01-01"]), "day").argsort()
    array([1, 0])
    """
    for read in (lambda text: float(text), lambda text: np.datetime64(text, "s").astype(float)):
        try:
            found = np.array([read(str(value)) for value in values])
        except ValueError:
            continue
        if np.isfinite(found).all():
            return found
    raise ValueError(f"time: {name!r} holds no numbers and no dates such as 2026-11-23T14:00")


def time_table(name: str, values: np.ndarray, before: HeldOut, after: HeldOut) -> dict[str, Any]:
    """Return confidence less accuracy in each period, before and after a map, and its trend.

    Up to a dozen different moments are a period each; more are parted into a dozen of about as many
    samples.
    """
    moment = times(values, name)
    different, place = np.unique(moment, return_inverse=True)
    if len(different) > MOST_PERIODS:
        share = np.cumsum(np.bincount(place)) / len(moment)
        place = np.ceil(MOST_PERIODS * share - 1e-9)[place]
    sides = {"before": before, "after": after}
    gaps = {when: own.losses.score - own.losses.hit for when, own in sides.items()}
    periods = []
    for period in np.unique(place):
        inside = np.flatnonzero(place == period)
        of_clusters = None if before.clusters is None else numbered(before.clusters[inside])
        ends = inside[moment[inside].argmin()], inside[moment[inside].argmax()]
        row: dict[str, Any] = dict(zip(("from", "to"), map(str, values[[*ends]]), strict=True))
        row |= {"samples": len(inside), "accuracy": float(before.losses.hit[inside].mean())}
        for when, gap in gaps.items():
            row[when] = mean_with_interval(gap[inside], of_clusters)
        periods.append(row)
    trends = {f"trend_{when}": trend(moment, gap, before.clusters) for when, gap in gaps.items()}
    return {"column": name, "periods": periods, **trends}


def trend(moment: np.ndarray, gap: np.ndarray, clusters: np.ndarray | None = None) -> Number:
    """Return by how much gaps rise from the first moment to the last, by rank.

    It is the slope of the line of least squares, with an interval that allows for unequal variances
    (White 1980), of whole clusters where there are, and the p-value of no slope.

    Examples
    --------
    >>> moment = np.arange(100)
    >>> round(trend(moment, 0.2 * moment / 99 + 0.1 * (-1) ** moment)["value"], 1)
    0.2
    """
    n = len(gap)
    rank = (stats.rankdata(moment) - (n + 1) / 2) / max(n - 1, 1)
    if not rank.any():
        return {"value": 0.0, "p_value": 1.0}
    slope = float(rank @ gap / (rank @ rank))
    rest = gap - gap.mean() - slope * rank
    found = mean_with_interval(slope + n * rank * rest / (rank @ rank), clusters)
    of_slope = stats.norm if clusters is None else stats.t(max(clusters.max(), 1))
    error = (found.get("high", np.inf) - slope) / of_slope.ppf(0.975)
    p_value = 2 * of_slope.sf(abs(slope) / error) if error > 0 else float(slope == 0)
    return found | {"value": slope, "p_value": float(p_value)}
