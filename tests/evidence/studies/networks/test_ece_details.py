"""A gap of one class is found."""

import numpy as np

from evidence import Outputs
from evidence.studies.networks import ece_details


def test_a_gap_of_one_class_is_found():
    rng = np.random.default_rng(0)
    prob = np.tile([[0.8, 0.2], [0.2, 0.8]], (5000, 1))
    even = np.where(rng.random(10_000) < 0.8, prob.argmax(axis=1), prob.argmin(axis=1))
    uneven = np.where(prob.argmax(axis=1) == 0, 0, even)
    p = [
        ece_details.class_gap_p(Outputs(y, probabilities=prob)) for y in (even, uneven)
    ]
    assert p[0] > 0.01 and p[1] < 1e-6
