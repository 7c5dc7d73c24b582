"""Calibration within each group, by hand."""

import numpy as np
import pytest

from evidence.studies.parts.samples_in_groups import MappedHalf
from evidence.studies.promises import group_gaps as study

GROUP = np.array(["b", "a", "a", "b", "b", "a"])
TEST = np.array([True, False, True, True, True, True])
HIT = np.array([1, 1, 0, 0, 1])
SCORE = np.array([0.9, 0.75, 0.6, 0.5, 0.25])


def test_each_group_of_the_half_has_its_means(monkeypatch):
    half = MappedHalf(TEST, HIT, "none", SCORE)
    monkeypatch.setattr(study, "after_maps", lambda *_: [half])
    first, second = study.group_rows("x", None, None, GROUP, None)
    # of the half, a has its scores .75 and .25, both right
    assert (first["group"], first["n"], first["accuracy"]) == ("a", 2, 1)
    assert first["confidence"] == first["score_if_right"] == 0.5
    assert first["score_if_wrong"] == ""
    assert first["gap"] == pytest.approx(1 - 0.5)
    assert (second["group"], second["n"]) == ("b", 3)
    assert second["accuracy"] == pytest.approx(1 / 3)
    assert second["confidence"] == pytest.approx(2 / 3)
    assert second["score_if_right"] == 0.9
    assert second["score_if_wrong"] == pytest.approx(0.55)
    assert second["gap"] == pytest.approx(1 / 3 - 2 / 3)
