"""Compute maps_on_six_networks.csv: calibrators on six networks of the zoo.

A row is a network and method: its NLL on held-out parts of the calibration set and on the test set,
and what it saves there against one temperature, with a 95 % interval over the test samples.
"""

import warnings
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

import calib
from evidence import load_zoo
from evidence.rows import Row, format_number
from evidence.studies.parts.tried_maps import methods

NETWORKS = (
    "sst2-dan3-w100-s1 reuters-r8-dan3-w100-s1 cifar10-resnet56 fashion-resnet14-w16-s1 "
    "20news-dan3-w100-s1 reuters-r52-dan3-w100-s1"
).split()
N_FOLDS, SEED = 5, 20_261_128
Prob: TypeAlias = np.ndarray | None


def on_network(name: str) -> Iterator[Row]:
    """Rows of a network: each method on held-out parts of the calibration set, and on the test."""
    net = load_zoo(name)
    z, y = net.to_fit.as_logits(), net.to_fit.y
    key = {"network": name, "classes": z.shape[1], "n": len(y)}
    tried = methods() | {"structured matrix": calib.StructuredMatrixScaling()}
    temperature = fitted_prob(tried["temperature"], (z, y), net.test.as_logits())
    for label in ("none", *tried):
        held_out: float = np.nan
        prob: Prob = net.test.prob
        if label != "none":
            held_out = held_out_nll(tried[label], z, y)
            prob = fitted_prob(tried[label], (z, y), net.test.as_logits())
        numbers = {"held_out_nll": held_out, "test_nll": nll_of(prob, net.test.y)}
        numbers |= saved(net.test.y, temperature, prob)
        texts = {k: format_number(v, ".6f") for k, v in numbers.items()}
        yield key | {"method": label} | texts


def saved(y: np.ndarray, temperature: Prob, prob: Prob) -> dict[str, float]:
    """What a map saves of the NLL of one temperature, on the same samples."""
    if temperature is None or prob is None:
        return dict.fromkeys(("saved", "saved_low", "saved_high"), np.nan)
    found = calib.paired_difference(calib.nll, y, temperature, prob, rng=SEED)
    return {"saved": found.value, "saved_low": found.low, "saved_high": found.high}


def held_out_nll(method: Any, z: np.ndarray, y: np.ndarray) -> float:
    """Mean NLL of a method over the samples, each left out of the fit once."""
    # folds by lot, whose sizes differ by one at most
    fold = np.random.default_rng(0).permutation(len(y)) % N_FOLDS
    in_fold = [fold == f for f in range(N_FOLDS)]
    losses = [
        nll_of(fitted_prob(method, (z[~out], y[~out]), z[out]), y[out])
        for out in in_fold
    ]
    return float(np.average(losses, weights=[out.sum() for out in in_fold]))


def nll_of(prob: Prob, y: np.ndarray) -> float:
    return np.nan if prob is None else calib.nll(y, prob)


def fitted_prob(
    method: Any, calibration: tuple[np.ndarray, np.ndarray], logits: np.ndarray
) -> Prob:
    """Probabilities by a method fitted to a calibration set; None without a finite optimum."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no calibration sample is of class")
        try:
            fitted = method.fit(*calibration)
        except (calib.ConvergenceError, ValueError):
            return None
    return np.asarray(fitted.predict_proba(logits))


def rows() -> Iterator[Row]:
    for name in NETWORKS:
        yield from on_network(name)
