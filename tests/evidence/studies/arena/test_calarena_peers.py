"""What another library's map is held to, by hand."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.arena import calarena_peers as study
from evidence.studies.parts.calarena_network import ResNetArrays

TEST_P = np.array([[0.125, 0.875]])


class Unmoved:
    """A map that leaves probabilities as they are."""

    def fit(self, p, y):
        assert p.dtype == np.float32
        return self

    def predict_proba(self, p):
        return p


def test_its_end_is_held_to_the_least_loss_on_the_calibration_set(monkeypatch):
    library = SimpleNamespace(MatrixScalingCalibrator=Unmoved)
    monkeypatch.setitem(sys.modules, "probmetrics", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "probmetrics.calibrators", library)
    # of eight equal rows: the best map says the shares of the labels
    y, test_y = np.array([0, 0, 0, 0, 0, 0, 1, 1]), np.array([1])
    arrays = ResNetArrays(np.zeros((8, 2)), y, np.log(TEST_P), test_y)
    monkeypatch.setattr(study, "resnet_arrays", lambda: arrays)
    monkeypatch.setattr(study, "difference_rows", lambda *asked: iter([asked]))
    [asked, end] = study.rows()
    assert asked[:3] == ("MS", "probmetrics itself", test_y)
    assert asked[3].dtype == float and asked[3].tolist() == TEST_P.tolist()
    least = -0.75 * np.log(0.75) - 0.25 * np.log(0.25)
    assert end.pop("metric") == "calibration nll"
    numbers = {name: end[name] for name in ("printed", "value", "difference")}
    expected = {"printed": least, "value": np.log(2), "difference": np.log(2) - least}
    assert numbers == pytest.approx(expected, rel=1e-6)
