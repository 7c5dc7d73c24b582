"""The network of CalArena that is in this book's sources too, and what CalArena prints of it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

import calib
from evidence import csv_frame, load_source, read_declared
from evidence.rows import Row
from evidence.sources import RESNET

EXPERIMENT = {"benchmark": "cv-multiclass", "dataset": "c10", "model": "resnet110"}
# what CalArena counts a probability of zero as
LEAST = float(np.finfo(np.float32).tiny)
AUDITED_METRICS: dict[str, Callable[..., float]] = {
    "brier": calib.brier,
    "nll": calib.nll,
    "ece": calib.ece,
}


class ResNetArrays(NamedTuple):
    """Logits and labels of both sets of ResNet-110."""

    logits: np.ndarray
    y: np.ndarray
    test_logits: np.ndarray
    test_y: np.ndarray


def resnet_arrays() -> ResNetArrays:
    net = load_source(RESNET)
    fit, test = net.to_fit, net.test
    return ResNetArrays(fit.as_logits(), fit.y, test.as_logits(), test.y)


def difference_rows(
    name: str, ours: str, y: np.ndarray, prob: np.ndarray
) -> Iterator[Row]:
    table = csv_frame(read_declared("tables/calarena_maps.csv")).set_index(
        list(EXPERIMENT)
    )
    printed = table.loc[tuple(EXPERIMENT.values())]
    for metric, function in AUDITED_METRICS.items():
        value = float(function(y, np.maximum(prob, LEAST)))
        there = float(printed[f"{metric} {name}"])
        head = {"map": name, "ours": ours, "metric": metric}
        yield head | {"printed": there, "value": value, "difference": value - there}
