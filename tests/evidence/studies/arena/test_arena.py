"""Which maps are fitted to a prediction set of the arena."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.arena import arena as study


@pytest.mark.parametrize("more", [0, 1])
def test_slow_maps_are_left_out_beyond_a_number_of_classes(monkeypatch, more):
    logits = np.zeros((2, study.MOST_CLASSES + more))
    samples = SimpleNamespace(calibration_logits=logits, calibration_sets=["sets"])
    monkeypatch.setattr(study, "load_set", lambda name: samples)
    monkeypatch.setattr(study, "fit_to_prediction_set", lambda *call: call)
    of_set, sets, maps = study.measure_set("a")
    assert (of_set, sets) == (samples, ["sets"])
    assert study.SLOW and {*study.ARENA_MAPS} - {*maps} == (
        {*study.SLOW} if more else set()
    )
