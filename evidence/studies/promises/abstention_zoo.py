"""Compute abstention_zoo.csv: AURC of the zoo's networks before and after temperature scaling."""

from collections.abc import Callable, Iterator

import numpy as np

import calib
from evidence import load_zoo
from evidence.rows import Row
from evidence.studies.parts.networks_of_zoo import networks_with_all_seeds

SELECTIVE_METRICS: dict[str, Callable[..., float]] = {
    "accuracy": calib.accuracy,
    "ece": calib.ece,
    "aurc": calib.aurc,
    "excess": calib.excess_aurc,
}


def of_the_zoo(name: str) -> list[Row]:
    net = load_zoo(name)
    scaling = calib.TemperatureScaling().fit(net.to_fit.as_logits(), net.to_fit.y)
    scaled = scaling.predict_proba(net.test.as_logits())
    rows = []
    for key, p in (("none", np.asarray(net.test.prob, float)), ("temperature", scaled)):
        row: Row = {"name": name, "calibrator": key}
        for metric, function in SELECTIVE_METRICS.items():
            row[metric] = function(net.test.y, p)
        rows.append(row)
    return rows


def rows() -> Iterator[Row]:
    for name in networks_with_all_seeds():
        yield from of_the_zoo(name)
