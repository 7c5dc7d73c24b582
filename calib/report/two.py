"""Two models, or one before and after, on the same samples."""

from typing import Any

import numpy as np

from calib.metrics import METRICS
from calib.report.comparison import Losses
from calib.report.measurement import (
    OTHERS_OF_PAIRS,
    OTHERS_OF_VECTORS,
    mean_with_interval,
    numbered,
)
from calib.resampling import drawn_statistic

N_RESAMPLES = 200
MOST_NUMBERS = 2_000_000  # of probabilities, for errors of the whole vector
RESAMPLED = ("ece", "classwise_ece", *OTHERS_OF_PAIRS, *OTHERS_OF_VECTORS, "aurc")


def compare_two(
    first: Any, second: Any, *, seed: int = 0, progress: Any = lambda _: None
) -> dict[str, Any]:
    """Return the paired differences of two models on the same samples, second less first.

    Means of losses have the interval of a mean of paired differences; other metrics the basic
    bootstrap interval of a difference, from the same resamples, of whole clusters where there are.
    A probability of zero counts, in the NLL of both, as the smaller of their floors.

    The samples are matched by their ids where both have them, else they are in the same order. Of
    pairs, the answers of the two are right or wrong each for itself. `progress` is told what is
    being done. By metric there are ``first``, ``second``, ``difference``, ``low`` and ``high``.
    """
    second = _matched(first, second)
    clusters = numbered(first.clusters)
    floor = min(first.floor, second.floor)
    a, b = (Losses.of(o.y, o.prob, floor, task=o.task) for o in (first, second))
    found = {}
    for name, one, other in (
        ("accuracy", a.hit, b.hit),
        ("mean confidence", a.score, b.score),
        ("confidence less accuracy", a.score - a.hit, b.score - b.hit),
        ("NLL", a.nll, b.nll),
        ("Brier", a.brier, b.brier),
        ("top-1 Brier", (a.score - a.hit) ** 2, (b.score - b.hit) ** 2),
    ):
        change = mean_with_interval(other - one, clusters)
        values = {"first": float(one.mean()), "second": float(other.mean())}
        found[name] = values | {"difference": change.pop("value"), **change}
    classes = first.task == "classes"
    both = [(o.y, o.prob if classes else o.prob[:, 1]) for o in (first, second)]
    for name in RESAMPLED:
        metric = METRICS[name]
        if metric.of_pairs or (classes and both[0][1].size <= MOST_NUMBERS):
            progress(metric.title)
            rng = np.random.default_rng(seed)
            found[metric.title] = _difference(metric.function, both, clusters, rng)
    return found


def _matched(first: Any, second: Any) -> Any:
    """Return the second outputs in the order of the first."""
    if first.task != second.task or len(first) != len(second):
        raise ValueError(
            f"{len(first)} rows of {first.task} and {len(second)} of {second.task} cannot be paired"
        )
    if first.ids is not None and second.ids is not None:
        place = {str(name): row for row, name in enumerate(second.ids)}
        if len(place) < len(second) or {str(name) for name in first.ids} != set(place):
            raise ValueError("ids: the two do not hold the same samples, each once")
        second = second.take(np.array([place[str(name)] for name in first.ids]))
    if first.task != "pairs" and not np.array_equal(first.y, second.y):
        raise ValueError(
            "the labels of the two are not the same, so they cannot be paired; if the samples are, "
            "in another order, say which column names them: --ids NAME"
        )
    return second


def _difference(
    metric: Any, both: list[Any], clusters: Any, rng: np.random.Generator
) -> dict[str, Any]:
    """Return a metric of each of two, and the basic bootstrap interval of its difference."""
    values = [float(metric(y, p)) for y, p in both]
    found = {"first": values[0], "second": values[1], "difference": values[1] - values[0]}
    n = len(both[0][0])
    if clusters is None:
        one, other = (drawn_statistic(metric, y, p, {}) for y, p in both)
        draws = (rng.integers(n, size=n) for _ in range(N_RESAMPLES))
        drawn = [other(rows) - one(rows) for rows in draws]
    else:
        order = np.argsort(clusters, kind="stable")
        members = np.split(order, np.cumsum(np.bincount(clusters))[:-1])
        drawn = []
        for _ in range(N_RESAMPLES):
            chosen = rng.integers(len(members), size=len(members))
            rows = np.concatenate([members[c] for c in chosen])
            one, other = (metric(y[rows], p[rows]) for y, p in both)
            drawn.append(other - one)
    low, high = 2 * found["difference"] - np.quantile(drawn, [0.975, 0.025])
    return found | {"low": float(low), "high": float(high)}
