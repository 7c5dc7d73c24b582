"""Each class against the rest, and what chance makes of it, by hand."""

import numpy as np
import pytest

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
