"""Bins of networks as trained, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.parts import bins_of_networks as study

SCORE, HIT = np.array([0.2, 0.5, 0.25, 0.75]), np.array([0, 1, 0, 1])


def test_bins_hold_the_samples_of_the_test_set(monkeypatch):
    net = SimpleNamespace(test=Outputs.of_pairs(SCORE, HIT))
    monkeypatch.setattr(study, "load_source", lambda name: net)
    low, high, *more = study.as_trained("name", ["a", "b"], 2)
    # a score at an edge is in the lower bin
    assert low["bin"] == 1
    assert (low["count"], low["hit_sum"]) == (3, 1)
    assert low["score_sum"] == pytest.approx(0.95)
    assert high["bin"] == 2
    assert (high["count"], high["hit_sum"], high["score_sum"]) == (1, 1, 0.75)
    assert [row["name"] for row in (low, high, *more)] == ["a", "a", "b", "b"]
