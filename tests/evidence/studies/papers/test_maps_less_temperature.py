"""A map less temperature scaling, by hand."""

import numpy as np
import pytest

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
