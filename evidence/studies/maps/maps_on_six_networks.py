"""Compute maps_on_six_networks.csv: calibrators on six networks of the zoo.

A row is a network and method: its NLL on held-out parts of the calibration set and on the test set.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import calib
from evidence import load_zoo
from evidence.pieces import Row, format_number
from evidence.studies.maps.maps_on_simulated_networks import methods

NETWORKS = (
    "sst2-dan3-w100-s1 reuters-r8-dan3-w100-s1 cifar10-resnet56 fashion-resnet14-w16-s1 "
    "20news-dan3-w100-s1 reuters-r52-dan3-w100-s1"
).split()
N_FOLDS = 5


def on_network(name: str) -> Iterator[Row]:
    """Rows of a network: each method on held-out parts of the calibration set, and on the test."""
    net = load_zoo(name)
    z, y = net.to_fit.as_logits(), net.to_fit.y
    key = {"network": name, "classes": z.shape[1], "n": len(y)}
    before = format_number(calib.nll(net.test.y, net.test.prob), ".6f")
    yield key | {"method": "none", "held_out_nll": "", "test_nll": before}
    tried = methods() | {"structured matrix": calib.StructuredMatrixScaling()}
    for label, method in tried.items():
        held_out = format_number(held_out_nll(method, z, y), ".6f")
        test = fitted_nll(method, (z, y), (net.test.as_logits(), net.test.y))
        yield key | {
            "method": label,
            "held_out_nll": held_out,
            "test_nll": format_number(test, ".6f"),
        }


def held_out_nll(method: Any, z: np.ndarray, y: np.ndarray) -> float:
    """Mean NLL of a method over the samples, each left out of the fit once."""
    # folds by lot, whose sizes differ by one at most
    fold = np.random.default_rng(0).permutation(len(y)) % N_FOLDS
    in_fold = [fold == f for f in range(N_FOLDS)]
    losses = [
        fitted_nll(method, (z[~out], y[~out]), (z[out], y[out])) for out in in_fold
    ]
    return float(np.average(losses, weights=[out.sum() for out in in_fold]))


def fitted_nll(
    method: Any,
    calibration: tuple[np.ndarray, np.ndarray],
    test: tuple[np.ndarray, np.ndarray],
) -> float:
    """NLL on a test set of a method fitted to a calibration set; nan without a finite optimum."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no calibration sample is of class")
        try:
            fitted = method.fit(*calibration)
        except (calib.ConvergenceError, ValueError):
            return np.nan
    z, y = test
    return calib.nll(y, fitted.predict_proba(z))


def rows() -> Iterator[Row]:
    for name in NETWORKS:
        yield from on_network(name)
