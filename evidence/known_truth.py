"""Worlds in which the true error of a network is known, as the chapters on noise use them."""

import numpy as np

import calib
from evidence import load_zoo


class World:
    """Samples whose score comes from a list, with the true frequency of hits, `curve`, at each."""

    def __init__(self, score, curve):
        self.score, self.curve = score, curve
        self.true_ece = np.abs(curve - score).mean()

    def sample(self, n, rng):
        """Return hits and scores of n samples."""
        i = rng.integers(len(self.score), size=n)
        return rng.random(n) < self.curve[i], self.score[i]


def modelled_on(y_true, y_prob):
    """Return the world whose truth is a smooth curve fitted to the outcomes of a network."""
    score, hit = calib.top_label(y_true, y_prob)
    return World(score, calib.BetaCalibration().fit(score, hit).predict(score))


def scaled_network(name="cifar10-resnet56"):
    """Return the test set of a network and its probabilities after temperature scaling."""
    network = load_zoo(name)
    scaling = calib.TemperatureScaling().fit(network.calibration.logits, network.calibration.y)
    return network.test, scaling.predict_proba(network.test.logits)
