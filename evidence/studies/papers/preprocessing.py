"""Compute preprocessing.csv: the same weights and images, prepared by two people."""

from collections.abc import Callable
from typing import Any

import numpy as np

import calib
from evidence import check_paired, load_source
from evidence.rows import Row

N_RESAMPLES = 1000
SEED = 7
PREPROCESSED = {
    "DenseNet-161": ("northcutt-imagenet-densenet161", "hollance-imagenet-densenet161"),
    "ResNet-101": ("northcutt-imagenet-resnet101", "hollance-imagenet-resnet101"),
}


def rows() -> list[Row]:
    """The same weights and images, prepared by two people: differences, second less first."""
    table = []
    for model, names in PREPROCESSED.items():
        first, second = (load_source(name).test for name in names)
        check_paired(first, second)
        same = float((first.ranked[1][:, 0] == second.ranked[1][:, 0]).mean())
        columns = np.column_stack([*first.pairs, *second.pairs])
        for metric, function in PAIR_METRICS.items():

            def difference(
                _: np.ndarray,
                of_both: np.ndarray,
                function: Callable[..., float] = function,
            ) -> float:
                score_a, hit_a, score_b, hit_b = of_both.T
                return function(hit_b, score_b) - function(hit_a, score_a)

            options: dict[str, Any] = {
                "n_resamples": N_RESAMPLES,
                "rng": np.random.default_rng(SEED),
            }
            estimate = calib.bootstrap(difference, first.y, columns, **options)
            a, b = (
                float(function(hit, score))
                for score, hit in (first.pairs, second.pairs)
            )
            row = {"model": model, "metric": metric, "first": a, "second": b}
            row |= {
                "difference": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
            }
            table.append(row | {"n_resamples": N_RESAMPLES, "same_class": same})
    return table


PAIR_METRICS: dict[str, Callable[..., float]] = {
    "accuracy": lambda y_true, y_prob: y_true.mean(),
    "confidence": lambda y_true, y_prob: y_prob.mean(),
    "ece": calib.ece,
    "ks": calib.ks_error,
    "top1_brier": calib.top1_brier,
}
