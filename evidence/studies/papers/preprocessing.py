"""Compute preprocessing.csv: the same weights and images, prepared by two people."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import calib
from evidence import Outputs, check_paired, load_source
from evidence.rows import Row

N_RESAMPLES = 1000
SEED = 7
PREPROCESSED = {
    "DenseNet-161": ("northcutt-imagenet-densenet161", "hollance-imagenet-densenet161"),
    "ResNet-101": ("northcutt-imagenet-resnet101", "hollance-imagenet-resnet101"),
}
PAIR_METRICS: dict[str, Callable[..., float]] = {
    "accuracy": lambda y_true, y_prob: y_true.mean(),
    "confidence": lambda y_true, y_prob: y_prob.mean(),
    "ece": calib.ece,
    "ks": calib.ks_error,
    "top1_brier": calib.top1_brier,
}


def rows() -> Iterator[Row]:
    """Yield the metrics of the same weights and images prepared twice: second less first."""
    for model, names in PREPROCESSED.items():
        first, second = (load_source(name).test for name in names)
        check_paired(first, second)
        same = float((first.ranked[1][:, 0] == second.ranked[1][:, 0]).mean())
        for metric, function in PAIR_METRICS.items():
            head = {"model": model, "metric": metric}
            numbers = second_less_first(function, first, second)
            yield head | numbers | {"n_resamples": N_RESAMPLES, "same_class": same}


def second_less_first(
    metric: Callable[..., float], first: Outputs, second: Outputs
) -> Row:
    """Return a metric of both, and its difference with an interval, their samples in pairs."""

    def difference(_: np.ndarray, of_both: np.ndarray) -> float:
        score_a, hit_a, score_b, hit_b = of_both.T
        return metric(hit_b, score_b) - metric(hit_a, score_a)

    of_both = np.column_stack([*first.pairs, *second.pairs])
    rng = np.random.default_rng(SEED)
    options: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": rng}
    estimate = calib.bootstrap(difference, first.y, of_both, **options)
    values = [float(metric(hit, score)) for score, hit in (first.pairs, second.pairs)]
    ends = {"low": estimate.low, "high": estimate.high}
    row = {"first": values[0], "second": values[1], "difference": estimate.value}
    return row | ends
