"""Compute abstention_zoo.csv: AURC of the zoo's networks before and after temperature scaling."""

import numpy as np

import calib
from evidence import load_zoo
from evidence.studies.zoo import supported

METRICS = {
    "accuracy": calib.accuracy,
    "ece": calib.ece,
    "aurc": calib.aurc,
    "excess": calib.excess_aurc,
}


def of_the_zoo(name):
    net = load_zoo(name)
    scaling = calib.TemperatureScaling().fit(net.calibration.logits, net.calibration.y)
    scaled = scaling.predict_proba(net.test.logits)
    return [
        {"name": name, "calibrator": key} | {m: f(net.test.y, p) for m, f in METRICS.items()}
        for key, p in (("none", np.asarray(net.test.prob, float)), ("temperature", scaled))
    ]


def rows():
    return [row for name in supported() for row in of_the_zoo(name)]
