"""KS and ECE over samples of a model whose truth is known, by hand."""

from itertools import islice

import numpy as np
import pytest

from evidence.studies.metrics import ks_against_ece as study


class Model:
    """A model that is always right, and says .8 and .6 by turns."""

    def __init__(self):
        self.n_drawn = 0

    def calibrated(self):
        return self

    def true_ks(self):
        return 7

    def true_ece(self):
        return 8

    def sample(self, n, rng):
        self.n_drawn += 1
        return np.ones(n), np.full(n, 0.8 if self.n_drawn % 2 else 0.6)


def test_each_measure_has_its_mean_and_spread_beside_its_own_truth(monkeypatch):
    monkeypatch.setattr(study, "BetaDistorted", Model)
    rows = [*islice(study.rows(), 3)]
    assert [row["truth"] for row in rows] == [7, 8, 8]
    for row in rows:
        # errors of .2 and .4, each in 100 of 200 samples
        assert (row["model"], row["n"]) == ("calibrated", 500)
        assert row["mean"] == pytest.approx(0.3)
        assert row["sd"] == pytest.approx(0.1 * np.sqrt(200 / 199))
