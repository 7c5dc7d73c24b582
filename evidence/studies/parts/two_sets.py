"""The two sets of a network: one that maps are fitted to, and one that they are measured on."""

import numpy as np

from evidence import Outputs
from evidence.data import Predictions

SEED = 2021


def halves(outputs: Outputs, rng: np.random.Generator) -> tuple[Outputs, Outputs]:
    order = rng.permutation(len(outputs))
    middle = len(order) // 2
    return outputs.take(order[:middle]), outputs.take(order[middle:])


def calibration_and_test(net: Predictions) -> tuple[Outputs, Outputs]:
    """The two sets that come with a network, or random halves of the only one."""
    if net.calibration is not None:
        return net.calibration, net.test
    return halves(net.test, np.random.default_rng(SEED))
