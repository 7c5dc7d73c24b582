"""Each class against the rest, and what chance makes of it, by hand."""

import numpy as np
import pytest

import calib
from evidence.data import generator
from evidence.studies.networks import error_of_each_class as study


def test_of_sure_scores_chance_makes_nothing():
    prob = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    first, second = study.class_rows("a", "none", np.array([0, 1, 1, 1]), prob)
    # one of four is said to be of the other class
    assert first["error"] == second["error"] == pytest.approx(1 / 4)
    assert (first["class"], first["n"], second["class"], second["n"]) == (0, 1, 1, 3)
    assert first["calibrated"] == first["calibrated_high"] == 0


def test_of_two_even_scores_chance_makes_a_half_in_every_second_draw():
    prob = np.full((2, 2), 0.5)
    row = next(study.class_rows("a", "none", np.array([0, 1]), prob))
    assert row["error"] == 0
    # the mean of 200 draws of 0 or 1/2 is off by .018
    assert row["calibrated"] == pytest.approx(1 / 4, abs=0.08)
    assert row["calibrated_high"] == 1 / 2


def test_chance_is_drawn_by_a_generator_of_the_network_and_its_map():
    prob = np.array([[0.75, 0.25], [0.5, 0.5], [0.25, 0.75]])
    row = next(study.class_rows("a", "none", np.array([0, 1, 1]), prob))
    rng = generator("a", "none", seed=2021)
    errors = []
    for hits in rng.random((200, 3)) < prob[:, 0]:
        errors.append(calib.ece(hits.astype(int), prob[:, 0]))
    assert row["calibrated"] == pytest.approx(np.mean(errors))
    assert row["calibrated_high"] == pytest.approx(np.sort(errors)[-2], abs=0.05)


def test_each_network_is_judged_as_it_is_and_after_one_temperature(monkeypatch):
    prob = {"none": np.eye(2), "temperature": np.full((2, 2), 0.5), "vector": None}
    labels = np.array([0, 1])
    monkeypatch.setattr(study, "SOURCES", ["a"])
    monkeypatch.setattr(study, "predicted_by_maps", lambda source: (labels, prob))
    found = [(row["calibrator"], row["class"]) for row in study.rows()]
    assert found == [(m, k) for m in ("none", "temperature") for k in (0, 1)]
