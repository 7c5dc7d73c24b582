"""Every metric with its interval; the ranges of confidence and the classes that are worst."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from calib import errors
from calib.bins import equal_width
from calib.metrics import METRICS
from calib.report.comparison import NORMAL_95
from calib.report.progress import with_progress
from calib.resampling import bootstrap
from calib.views import top_label

NOT_REPORTED = {"calibration_error", "classwise_psce", "aurc", "excess_aurc"}
REPORTED = [metric for name, metric in METRICS.items() if name not in NOT_REPORTED]
NUMBERS_IN_RESAMPLES = 2_000_000  # how many numbers the resamples of one metric may hold together
FEWEST_FOR_QUANTILES = 100  # resamples; below, the interval is normal, from their spread
LARGEST_RESAMPLE = 5_000_000  # numbers in one resample; where there are more, it is a part of them


def measure(outputs: Any, *, seed: int = 0, progress: Any = False) -> Any:
    """Return every metric with its bootstrap interval.

    The more samples and classes, the fewer resamples; below a hundred the interval is the normal
    one. In large files a resample draws m of the n samples, and its standard error is scaled by
    the square root of m/n. An interval ends where the range of its metric ends: the metric of the
    population lies in that range, so the cut takes nothing from the coverage.

    Returns
    -------
    dict of str to dict
        For each metric ``value``, ``low``, ``high`` and ``method``.

    References
    ----------
    Efron & Tibshirani (1993); Bickel, Götze & van Zwet (1997), for m of n samples.
    """
    y, p = outputs.y, outputs.prob
    score, hit = top_label(y, p)
    tasks = [
        (metric.title, metric, *((hit, score) if metric.of_pairs else (y, p)))
        for metric in REPORTED
    ]
    names, *columns = zip(*tasks, strict=True)
    rngs = [np.random.default_rng(own) for own in np.random.SeedSequence(seed).spawn(len(tasks))]
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(_measured, *columns, rngs)
        rows = list(with_progress(found, "measuring", progress, total=len(tasks)))
    return {"mean confidence": {"value": float(score.mean())}} | dict(zip(names, rows, strict=True))


def _measured(metric: Any, y: Any, p: Any, rng: np.random.Generator) -> Any:
    value = metric.function(y, p)
    if not np.isfinite(value):
        return _interval(metric, value, value, value, "infinite, as the loss of a sample is")
    n_resamples = int(np.clip(NUMBERS_IN_RESAMPLES // p.size, 12, 300))
    if p.size > LARGEST_RESAMPLE and p.ndim == 2:
        return _measured_in_parts(metric, y, p, n_resamples, rng)
    estimate = bootstrap(metric.function, y, p, n_resamples=n_resamples, rng=rng)
    if n_resamples < FEWEST_FOR_QUANTILES:
        method = f"normal, standard error of {n_resamples} bootstrap resamples"
        return _normal(metric, estimate.value, estimate.standard_error, method)
    method = f"{estimate.method}, {n_resamples} resamples"
    return _interval(metric, estimate.value, estimate.low, estimate.high, method)


def _measured_in_parts(
    metric: Any, y: Any, p: Any, n_resamples: int, rng: np.random.Generator
) -> Any:
    m = LARGEST_RESAMPLE // p.shape[1]
    drawn = (rng.integers(len(y), size=m) for _ in range(n_resamples))
    spread = np.std([metric.function(y[i], p[i]) for i in drawn], ddof=1)
    method = f"normal, standard error of {n_resamples} resamples of {m} samples, scaled to all"
    return _normal(metric, metric.function(y, p), spread * (m / len(y)) ** 0.5, method)


def _normal(metric: Any, value: Any, standard_error: Any, method: str) -> Any:
    half = NORMAL_95 * float(standard_error)
    return _interval(metric, value, value - half, value + half, method)


def _interval(metric: Any, value: Any, low: Any, high: Any, method: str) -> Any:
    """Return an interval, cut at the ends of the metric's range."""
    low, high = np.clip([low, high], 0, metric.largest).tolist()
    return {"value": float(value), "low": low, "high": high, "method": method}


def worst_ranges(outputs: Any) -> Any:
    """Return the ranges of confidence, worst first by their part of the ECE."""
    score, hit = top_label(outputs.y, outputs.prob)
    bins = equal_width(15)(score, hit)
    order = np.argsort(-np.abs(bins.gap_sum), kind="stable")
    return [
        {
            "from": float(bins.edges[m]),
            "to": float(bins.edges[m + 1]),
            "samples": int(bins.count[m]),
            "confidence": float(bins.mean_score[m]),
            "accuracy": float(bins.mean_hit[m]),
            "part of the ECE": float(abs(bins.gap_sum[m]) / bins.weight.sum()),
        }
        for m in order
        if bins.count[m]
    ]


def worst_classes(outputs: Any) -> Any:
    """Return each class's frequency, mean probability and error, worst error first."""
    p, table = outputs.prob, []
    for k, name in enumerate(outputs.class_names or map(str, range(outputs.n_classes))):
        score, hit = p[:, k].astype(float), outputs.y == k
        bins = equal_width(15)(score, hit)
        table.append(
            {
                "class": name,
                "samples": int(hit.sum()),
                "frequency": float(hit.mean()),
                "mean probability": float(score.mean()),
                "one-vs-rest ECE": errors.l1_norm(bins),
            }
        )
    return sorted(table, key=lambda row: -row["one-vs-rest ECE"])
