"""Bins of one half after maps of the other, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.papers import vasilev_diagrams as study

LOGITS = np.log([[0.75, 0.25], [0.25, 0.75], [0.75, 0.25]])
NET = Outputs(np.array([0, 0, 1]), logits=LOGITS)


class Shifted:
    """A map that adds the number of samples that it was fitted to."""

    def fit(self, x, y):
        self.n = len(x)
        return self

    def predict(self, score):
        return score + self.n / 100

    def predict_proba(self, logits):
        return np.tile([self.n / 100, 1 - self.n / 100], (len(logits), 1))


def test_bins_are_closed_on_the_left(monkeypatch):
    monkeypatch.setattr(study, "load_source", lambda name: SimpleNamespace(test=NET))

    def outcomes(calibration, test):
        assert (len(calibration), len(test)) == (1, 2)
        yield "a map", np.array([0.5, 0.55, 0.9]), np.array([1, 0, 1])

    rows = [*study.bins("a", outcomes)]
    assert [row["bin"] for row in rows if row["count"]] == [6, 10]
    assert (rows[5]["count"], rows[5]["hit_sum"]) == (2, 1)
    assert rows[5]["score_sum"] == pytest.approx(1.05)
    # of fifteen bins each score has its own
    assert rows[0]["ece"] == pytest.approx((0.5 + 0.55 + 0.1) / 3)


def test_of_confidences_each_map_is_fitted_to_the_other_half(monkeypatch):
    monkeypatch.setattr(study, "TOP_MAPS", {"a map": Shifted()})
    none, after = study.outcomes_of_confidences(NET.take(np.array([0])), NET)
    assert (none[0], after[0]) == ("Uncalibrated", "a map")
    assert none[1] == pytest.approx(np.full(3, 0.75))
    assert after[1] == pytest.approx(np.full(3, 0.76))
    assert none[2].tolist() == after[2].tolist() == [1, 0, 0]


def test_of_vectors_the_class_is_that_after_the_map_and_no_matrix_is_drawn(monkeypatch):
    maps = {"Vector scaling": Shifted(), "Matrix scaling": Shifted()}
    monkeypatch.setattr(study, "vasilev_methods", lambda: maps)
    none, after = study.outcomes_of_vectors(NET.take(np.array([0, 1])), NET)
    assert (none[0], after[0]) == ("Uncalibrated", "Vector scaling")
    assert after[1] == pytest.approx(np.full(3, 0.98))
    # the second class is said of all, and one is of it
    assert after[2].tolist() == [0, 0, 1]
