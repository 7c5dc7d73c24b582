"""Confidence less accuracy in order of time, and its trend."""

import re
from contextlib import suppress
from datetime import datetime

import numpy as np
from scipy.special import stdtr

from calib_report.contract import NAMES, OptionError
from calib_report.limits import SIGNIFICANCE_LEVEL
from calib_report.measuring.estimates import (
    mean_with_interval,
    mean_with_standard_error,
    ranks,
)
from calib_report.measuring.outcome import Outcome
from calib_report.schema import Number, Period, TimeTable
from calib_report.values import cluster_numbers

MOST_PERIODS = 12  # of a table of time
ZONE = re.compile(r":\d\d.*(z|[+-]\d\d:?\d\d)$")  # behind a time of day


def moments_of(values: np.ndarray, name: str) -> np.ndarray:
    """Return moments as numbers: what stands there as a number, or the seconds of a date."""
    words = np.char.lower(np.char.strip(values.astype(str)))
    empty = np.isin(words, NAMES["empty"]) | (words == "nat")
    if empty.any():
        raise OptionError(
            "time",
            f"{name!r} is empty in {empty.sum()} of {len(empty)} rows, the first is row "
            f"{empty.argmax()}: --leave-out-empty {name} leaves such rows out",
        )
    no_moments = OptionError(
        "time",
        f"{name!r} holds no numbers and no dates such as 2026-11-23T14:00, with a time "
        "zone all or none",
    )
    # numpy reads these as dates, and each time as another one
    if np.isin(words, ("now", "today")).any():
        raise no_moments
    for moments_in in (_numbers, _dates, _dates_of_zones):
        with suppress(ValueError):
            return moments_in(words)
    raise no_moments


def _numbers(words: np.ndarray) -> np.ndarray:
    """Return words as finite numbers; a ValueError where one is none."""
    numbers = words.astype(float)
    if not np.isfinite(numbers).all():
        raise ValueError
    return numbers


def _dates(words: np.ndarray) -> np.ndarray:
    """Return dates, all of one unnamed zone, as seconds; a ValueError where one is none."""
    # of a zone numpy warns, and takes no account
    if any(map(ZONE.search, words.tolist())):
        raise ValueError
    return np.char.upper(words).astype("datetime64[us]").astype(float) / 1e6


def _dates_of_zones(words: np.ndarray) -> np.ndarray:
    """Return dates that all name their zone as seconds; a ValueError where one does not."""
    dates = [datetime.fromisoformat(word.upper()) for word in words.tolist()]
    if any(date.tzinfo is None for date in dates):
        raise ValueError
    return np.array([date.timestamp() for date in dates])


def time_table(
    name: str, values: np.ndarray, before: Outcome, after: Outcome
) -> TimeTable:
    """Return confidence less accuracy in up to a dozen moments, or periods of as many samples."""
    moment = moments_of(values, name)
    different, place = np.unique(moment, return_inverse=True)
    if len(different) > MOST_PERIODS:
        share = np.cumsum(np.bincount(place)) / len(moment)
        place = np.ceil(MOST_PERIODS * share - 1e-9)[place]
    periods = []
    for number in np.unique(place):
        rows = np.flatnonzero(place == number)
        first, last = rows[moment[rows].argmin()], rows[moment[rows].argmax()]
        ends = str(values[first]), str(values[last])
        periods.append(_period(ends, rows, before, after))
    return {
        "column": name,
        "periods": periods,
        "trend_before": trend(moment, before.excess, before.clusters),
        "trend_after": trend(moment, after.excess, after.clusters),
    }


def _period(
    ends: tuple[str, str], rows: np.ndarray, before: Outcome, after: Outcome
) -> Period:
    """Return the excess of the rows between two moments, as it is and on held-out samples."""
    clusters = before.clusters
    if clusters is not None:
        clusters = cluster_numbers(clusters[rows])
    return {
        "from": ends[0],
        "to": ends[1],
        "samples": len(rows),
        "accuracy": float(before.hit[rows].mean()),
        "before": mean_with_interval(before.excess[rows], clusters),
        "after": mean_with_interval(after.excess[rows], clusters),
    }


def trend(
    moment: np.ndarray, excess: np.ndarray, clusters: np.ndarray | None = None
) -> Number:
    """Return by how much it rises from the first moment to the last, by rank: least squares.

    Its interval allows for unequal variances (White 1980), of whole clusters where there are.
    """
    n = len(excess)
    rank = (ranks(moment) - (n + 1) / 2) / max(n - 1, 1)
    if not rank.any():
        return {"value": 0.0, "p_value": 1.0}
    slope = float(rank @ excess / (rank @ rank))
    residual = excess - excess.mean() - slope * rank
    influence = slope + n * rank * residual / (rank @ rank)
    number = mean_with_interval(influence, clusters)
    _, standard_error, freedom = mean_with_standard_error(influence, clusters)
    return {
        **number,
        "value": slope,
        "p_value": _p_value(slope, standard_error, freedom),
    }


def is_drift(trend: Number) -> bool:
    """Tell whether chance alone does not explain a trend."""
    return trend["p_value"] < SIGNIFICANCE_LEVEL


def _p_value(slope: float, standard_error: float, freedom: float) -> float:
    """Return how often chance alone gives a slope as far from zero, by Student's t."""
    if standard_error > 0:
        return float(2 * stdtr(freedom, -abs(slope) / standard_error))
    return float(slope == 0)
