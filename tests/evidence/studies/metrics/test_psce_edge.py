"""How far a curve misses at its edges, by hand."""

import numpy as np
import pytest

import calib
from evidence.studies.metrics import psce_edge as study


def test_misses_are_means_over_a_twentieth_at_each_edge(monkeypatch):
    grid = np.array([0, 0.04, 0.06, 0.94, 0.96, 0.98, 1])
    curve = grid + np.array([0.01, 0.03, 0.5, 0.5, -0.02, -0.06, np.nan])
    monkeypatch.setattr(calib, "psce_curve", lambda hit, score: (grid, curve))
    biases = study.biases(np.array([0.5]), np.random.default_rng(0))
    assert biases["low"] == pytest.approx(0.02)
    assert biases["high"] == pytest.approx(-0.04)
    # towards the middle: up at the low edge, down at the high one
    assert biases["both"] == pytest.approx(0.03)


def test_hits_are_drawn_from_the_scores(monkeypatch):
    monkeypatch.setattr(calib, "psce_curve", lambda hit, score: (score, 1.0 * hit))
    biases = study.biases(np.array([0.0, 1.0]), np.random.default_rng(0))
    assert biases == {"low": 0, "high": 0, "both": 0}


def test_each_repetition_tells_how_much_more_sharp_scores_miss(monkeypatch):
    monkeypatch.setattr(study, "N_REPETITIONS", 1)
    biases = iter([{"low": 0.1, "both": 0.2}, {"low": 0.4, "both": 0.1}])
    monkeypatch.setattr(study, "biases", lambda score, rng: next(biases))
    differences = {
        row["edge"]: row["bias"]
        for row in study.rows()
        if row["scores"] == "sharp less even"
    }
    assert differences == pytest.approx({"low": 0.3, "both": -0.1})
