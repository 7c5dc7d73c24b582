"""What the maps make of a network of these tables."""

import numpy as np
import pytest

from evidence import Outputs
from evidence.data import Predictions
from evidence.studies.parts import nixon_networks as study


def test_maps_are_fitted_to_one_set_and_applied_to_the_other(monkeypatch):
    fit = Outputs(np.array([0, 1]), logits=np.zeros((2, 2)))
    test = Outputs(np.array([1, 0, 1]), logits=np.log([[0.75, 0.25]] * 3))
    net = Predictions("a", "logits", fit, test)
    calls = []

    def calibrated(rule, calibration, outputs):
        calls.append((calibration, outputs))
        return Outputs(outputs.y, probabilities=np.full((3, 2), 0.5))

    monkeypatch.setattr(study, "load_source", lambda name: net)
    monkeypatch.setattr(study, "calibrated", calibrated)
    y, prob = study.predicted_by_maps.__wrapped__("a")
    assert y.tolist() == [1, 0, 1] and calls == [(fit, test)] * 3
    assert prob["none"] == pytest.approx(np.array([[0.75, 0.25]] * 3))
    assert all(prob[name].tolist() == [[0.5, 0.5]] * 3 for name in study.METHODS)
