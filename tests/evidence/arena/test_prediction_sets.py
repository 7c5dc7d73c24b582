"""The sets of the arena: what maps are fitted to."""

from itertools import pairwise

import numpy as np

from evidence.arena import prediction_sets as sets


def test_sizes_are_nested_and_the_whole_pool_comes_once():
    z, y = np.arange(6000.0).reshape(3000, 2), np.zeros(3000, int)
    task = sets.PredictionSet("x", "SST-2", "text", z, y, z, y)
    subsets = [
        (order, n, set(logits[:, 0])) for order, n, logits, _ in task.calibration_sets
    ]
    assert [(order, n) for order, n, _ in subsets] == [
        *((order, n) for order in (0, 1) for n in (100, 500, 2500)),
        (0, 3000),
    ]
    for (first, _, smaller), (second, _, more) in pairwise(subsets):
        assert first != second or smaller < more
    assert subsets[0][2] != subsets[3][2]
