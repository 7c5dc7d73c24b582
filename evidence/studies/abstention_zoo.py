"""Compute abstention_zoo.csv: AURC of the zoo's networks before and after temperature scaling."""

from collections.abc import Callable, Iterable

import numpy as np

import calib
from evidence import load_zoo
from evidence.studies.pieces import Row
from evidence.studies.zoo import supported

METRICS: dict[str, Callable[..., float]] = {
    "accuracy": calib.accuracy,
    "ece": calib.ece,
    "aurc": calib.aurc,
    "excess": calib.excess_aurc,
}


def of_the_zoo(name: str) -> list[Row]:
    net = load_zoo(name)
    scaling = calib.TemperatureScaling().fit(net.to_fit.as_logits(), net.to_fit.y)
    scaled = scaling.predict_proba(net.test.as_logits())
    return [
        {"name": name, "calibrator": key} | {m: f(net.test.y, p) for m, f in METRICS.items()}
        for key, p in (("none", np.asarray(net.test.prob, float)), ("temperature", scaled))
    ]


def rows() -> Iterable[Row]:
    return [row for name in supported() for row in of_the_zoo(name)]
