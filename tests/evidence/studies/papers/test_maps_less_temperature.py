"""A map less temperature scaling, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import load_results
from evidence.data import generator
from evidence.studies.papers import maps_less_temperature as study


def test_a_difference_is_of_each_map_less_temperature(monkeypatch):
    monkeypatch.setattr(study, "N_RESAMPLES", 40)
    y = np.array([0, 0, 0, 1])
    prob = {
        "none": np.tile([1.0, 0.0], (4, 1)),
        "temperature": np.tile([0.875, 0.125], (4, 1)),
    }
    rows = {row["metric"]: row for row in study.difference_rows("a", y, prob)}
    assert {*rows} == {*study.COMPARED_METRICS}
    # three of four are of the first class
    assert (rows["ece"]["calibrator"], rows["ece"]["temperature"]) == ("none", 0.125)
    assert rows["ece"]["difference"] == pytest.approx(0.25 - 0.125)
    # each class is off by as much
    assert rows["sce"]["difference"] == pytest.approx(0.25 - 0.125)
    # where all are hits the difference is -.125, the least, mirrored at .125
    assert rows["ece"]["high"] == pytest.approx(0.25 + 0.125)
    assert rows["ece"]["low"] == pytest.approx(0.125)


def test_resamples_are_drawn_by_a_generator_of_network_map_and_metric(monkeypatch):
    draws = []

    def paired_difference(function, y, first, second, *, rng, **options):
        draws.append(rng.random())
        return SimpleNamespace(value=0, low=0, high=0)

    monkeypatch.setattr(study.calib, "paired_difference", paired_difference)
    prob = dict.fromkeys(("none", "temperature"), np.full((4, 2), 0.5))
    assert len([*study.difference_rows("a", np.array([0, 0, 1, 1]), prob)]) == 4
    assert draws == [
        generator("a", "none", metric, seed=2021).random()
        for metric in study.COMPARED_METRICS
    ]


def test_the_stored_table_has_the_resamples_of_the_study():
    assert {*load_results("maps_less_temperature")["n_resamples"]} == {
        study.N_RESAMPLES
    }
