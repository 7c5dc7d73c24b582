"""Sets of labels: how their size changes."""

from types import SimpleNamespace

import numpy as np

import calib
from book.show.explorables.label_sets import size_change
from evidence import Outputs


def test_a_change_of_sets_is_told_with_an_interval_that_holds_it():
    """Two halves of the same world: of 40 intervals at least 34 hold the change without chance."""
    rng = np.random.default_rng(5)

    def split(n):
        logits = rng.normal(scale=3, size=(n, 4))
        y = np.array([rng.choice(4, p=p) for p in calib.softmax(logits / 2)])
        return Outputs(y, "test", logits=logits)

    def change(n_calibration, n_test):
        network = SimpleNamespace(calibration=split(n_calibration), test=split(n_test))
        return size_change(network, "lac", 0.9, temperatures=(1, 2), rng=rng)

    truth = change(20_000, 20_000)[0]
    covered = [
        low <= truth <= high for _, low, high in (change(300, 300) for _ in range(40))
    ]
    assert sum(covered) >= 34
