"""One network of two preparations, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.papers import preprocessing as study

Y = np.array([0, 0, 1, 1])
FIRST = [[0.75, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.25]]
SECOND = [[0.5, 0.5], [0.25, 0.75], [0.25, 0.75], [0.75, 0.25]]


def test_differences_are_the_second_less_the_first(monkeypatch):
    nets = {
        name: SimpleNamespace(test=Outputs(Y, "an order", probabilities=np.array(p)))
        for name, p in (("a", FIRST), ("b", SECOND))
    }
    monkeypatch.setattr(study, "load_source", nets.get)
    monkeypatch.setattr(study, "PREPROCESSED", {"net": ("a", "b")})
    monkeypatch.setattr(study, "N_RESAMPLES", 20)
    rows = {row["metric"]: row for row in study.rows()}
    # three hits, and two: the second sample is of another class
    assert [rows["accuracy"][key] for key in ("first", "second")] == [3 / 4, 2 / 4]
    assert rows["accuracy"]["difference"] == pytest.approx(-1 / 4)
    assert rows["confidence"]["difference"] == pytest.approx(-1 / 16)
    # .75 is said, and right as often; .5 once and right, .75 three times and right once
    assert rows["ece"]["difference"] == pytest.approx((0.5 + abs(1 - 2.25)) / 4)
    for row in rows.values():
        assert row["same_class"] == 3 / 4
        assert row["low"] <= row["difference"] <= row["high"]
    # drawn in pairs, no resample has a difference above 0: mirrored, none lies below -1/2
    assert rows["accuracy"]["low"] >= -1 / 2
