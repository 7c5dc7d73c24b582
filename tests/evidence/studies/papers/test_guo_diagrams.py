"""Which networks have twenty bins."""

from types import SimpleNamespace

import numpy as np

from evidence import Outputs, source_names
from evidence.studies.papers import guo_diagrams as study
from evidence.studies.parts import bins_of_networks


def test_bins_are_a_twentieth_wide(monkeypatch):
    outputs = Outputs.of_pairs(np.array([0.74, 0.76, 0.79]), np.array([1, 0, 1]))
    net = SimpleNamespace(test=outputs)
    monkeypatch.setattr(bins_of_networks, "load_source", lambda name: net)
    monkeypatch.setattr(study, "SIBLINGS", ["a"])
    rows = [row for row in study.rows() if row["count"]]
    assert [(row["source"], row["bin"]) for row in rows] == [("a", 15), ("a", 16)]
    assert [row["count"] for row in rows] == [1, 2]


def test_each_network_can_be_read():
    assert {*study.SIBLINGS} <= {*source_names()}
