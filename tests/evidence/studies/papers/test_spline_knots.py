"""Errors after splines of one set, on the other."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.papers import spline_knots as study

FIT = Outputs(np.array([0]), probabilities=np.array([[0.9, 0.1]]))
TEST = Outputs(np.array([0, 1]), probabilities=np.array([[0.75, 0.25], [0.5, 0.5]]))


class Spline:
    """A spline that gives half of the score, and knows how it was made."""

    def __init__(self, n_knots, runout, target, floor):
        MADE.append((n_knots, runout, target, floor))

    def fit(self, score, hit):
        assert (score.tolist(), hit.tolist()) in ([[0.9], [1]], ([0.9], [1]))
        return self

    def predict(self, score):
        return score / 2


MADE = []


def test_each_number_of_knots_is_fitted_to_one_set_and_judged_on_the_other(monkeypatch):
    net = SimpleNamespace(to_fit=FIT, test=TEST)
    views = {"top-1": (lambda y, p: (p[:, 0], (y == 0).astype(int)), 6)}
    monkeypatch.setattr(study, "load_source", lambda name: net)
    monkeypatch.setattr(study, "VIEWS", views)
    monkeypatch.setattr(study, "ks_interval", lambda score, hit: {"ks": sum(score)})
    monkeypatch.setattr(study.calib, "SplineCalibration", Spline)
    rows = [*study.rows()]
    assert len(rows) == 2 * 3 * 16
    assert [(row["n_knots"], row["runout"], row["target"], 0) for row in rows] == MADE
    assert {row["n_knots"] for row in rows} == {*range(5, 21)}
    # after it .375 and right, .25 and wrong
    assert all(row["ks"] == 0.625 for row in rows)
    assert rows[0]["ece_25"] == pytest.approx((0.625 + 0.25) / 2)
