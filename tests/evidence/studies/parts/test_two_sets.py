"""Halves of a set, and the two sets of a network."""

from types import SimpleNamespace

import numpy as np

from evidence import Outputs
from evidence.studies.parts import two_sets

THREE = Outputs([0, 1, 2, 0], probabilities=np.tile([0.5, 0.375, 0.125], (4, 1)))


def test_halves_are_each_sample_once_and_a_calibration_set_is_kept():
    many = Outputs(np.arange(5), probabilities=np.eye(5))
    first, second = two_sets.halves(many, np.random.default_rng(0))
    assert (len(first), len(second)) == (2, 3)
    assert sorted([*first.y, *second.y]) == [*range(5)]
    net = SimpleNamespace(calibration=THREE, test=many)
    assert two_sets.calibration_and_test(net) == (THREE, many)
    net.calibration = None
    again = two_sets.calibration_and_test(net)
    assert [len(part) for part in again] == [2, 3]
