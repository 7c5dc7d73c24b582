"""Worlds in which the true error of a network is known, as the chapters on noise use them."""

import numpy as np
from numpy.typing import ArrayLike

import calib
from evidence import load_zoo
from evidence.network_outputs import Outputs
from evidence.simulate import Sample


class KnownCurve:
    """Samples whose score comes from a list, with the true frequency of hits, `curve`, at each."""

    def __init__(self, score: np.ndarray, curve: np.ndarray) -> None:
        self.score, self.curve = score, curve
        self.true_ece = np.abs(curve - score).mean()

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Return hits and scores of n samples."""
        i = rng.integers(len(self.score), size=n)
        return rng.random(n) < self.curve[i], self.score[i]


def modelled_on(y_true: ArrayLike, y_prob: ArrayLike) -> KnownCurve:
    """Return the world whose truth is a smooth curve fitted to the outcomes of a network."""
    score, hit = calib.top_label(y_true, y_prob)
    return KnownCurve(score, calib.BetaCalibration().fit(score, hit).predict(score))


def scaled_network(name: str = "cifar10-resnet56") -> tuple[Outputs, np.ndarray]:
    """Return the test set of a network and its probabilities after temperature scaling."""
    network = load_zoo(name)
    calibration = network.calibration or network.test
    scaling = calib.TemperatureScaling().fit(calibration.as_logits(), calibration.y)
    return network.test, scaling.predict_proba(network.test.as_logits())
