"""Two models, or one before and after, on the same samples."""

from typing import Any

import numpy as np

from calib.metrics import METRICS
from calib.report.comparison import unchanged
from calib.report.measurement import mean_with_interval, numbered
from calib.resampling import paired_difference

N_RESAMPLES = 300
MOST_NUMBERS = 2_000_000  # of probabilities, for errors of the whole vector
RESAMPLED = ("ece", "debiased_ece", "ks_error", "mce", "classwise_ece", "smooth_ece")


def compare_two(first: Any, second: Any, *, seed: int = 0) -> Any:
    """Return the paired differences of two models on the same samples, second less first.

    Means of losses have the interval of a mean of paired differences; calibration errors the basic
    bootstrap interval of a difference, from the same resamples, of whole clusters where there are.

    Parameters
    ----------
    first, second : ModelOutputs
        With the same labels in the same order.
    seed : int

    Returns
    -------
    dict of str to dict
        By metric: ``first``, ``second``, ``difference``, ``low``, ``high``.

    Raises
    ------
    ValueError
        Where the labels are not the same.
    """
    if not np.array_equal(first.y, second.y) or first.task != second.task:
        raise ValueError("the labels of the two are not the same, so they cannot be paired")
    clusters = numbered(first.clusters)
    a, b = unchanged(first).losses, unchanged(second).losses
    found = {}
    for name, one, other in (
        ("accuracy", a.hit, b.hit),
        ("mean confidence", a.score, b.score),
        ("NLL", a.nll, b.nll),
        ("Brier", a.brier, b.brier),
    ):
        change = mean_with_interval(other - one, clusters)
        values = {"first": float(one.mean()), "second": float(other.mean())}
        found[name] = values | {"difference": change.pop("value"), **change}
    classes = first.task == "classes"
    both = [outputs.prob if classes else outputs.prob[:, 1] for outputs in (first, second)]
    for name in RESAMPLED:
        metric = METRICS[name]
        if metric.of_pairs or (classes and both[0].size <= MOST_NUMBERS):
            rng = np.random.default_rng(seed)
            found[metric.title] = _difference(metric.function, first.y, both, clusters, rng)
    return found


def _difference(metric: Any, y: Any, both: Any, clusters: Any, rng: np.random.Generator) -> Any:
    """Return a metric of each of two, and the basic bootstrap interval of its difference."""
    values = [float(metric(y, p)) for p in both]
    found = {"first": values[0], "second": values[1], "difference": values[1] - values[0]}
    if clusters is None:
        change = paired_difference(metric, y, both[1], both[0], n_resamples=N_RESAMPLES, rng=rng)
        return found | {"low": change.low, "high": change.high}
    order = np.argsort(clusters, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(clusters))[:-1])
    drawn = []
    for _ in range(N_RESAMPLES):
        rows = np.concatenate([members[c] for c in rng.integers(len(members), size=len(members))])
        drawn.append(metric(y[rows], both[1][rows]) - metric(y[rows], both[0][rows]))
    low, high = 2 * found["difference"] - np.quantile(drawn, [0.975, 0.025])
    return found | {"low": float(low), "high": float(high)}
