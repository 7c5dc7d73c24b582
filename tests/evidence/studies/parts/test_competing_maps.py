"""Which maps compete on a network."""

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.data import Predictions
from evidence.studies.parts import competing_maps as study


class Refusing:
    def fit(self, logits, y):
        raise calib.ConvergenceError("no minimum", 1.0)


class Said:
    """A map that says of each sample how many it was fitted to."""

    def fit(self, logits, y):
        self.n = len(y)
        return self

    def predict_proba(self, logits):
        prob = np.zeros(logits.shape)
        prob[:, self.n] = 1
        return prob


def network(n_classes):
    sets = (Outputs(np.zeros(n, int), logits=np.zeros((n, n_classes))) for n in (2, 4))
    return Predictions("a", "logits", *sets)


@pytest.mark.parametrize(
    ("n_classes", "names"),
    [(50, ["none", "sure", "matrix-odir"]), (51, ["none", "sure"])],
)
def test_maps_are_fitted_to_the_calibration_set_but_those_that_cannot_be(
    monkeypatch, n_classes, names
):
    maps = {"sure": Said(), "vector": Refusing(), "matrix-odir": Said()}
    monkeypatch.setattr(study, "COMPETING_MAPS", maps)
    predicted = study.predicted_by_methods(network(n_classes))
    assert [*predicted] == names
    assert predicted["sure"].pairs[0].tolist() == [1] * 4
    assert predicted["sure"].prob.argmax(axis=1).tolist() == [2] * 4
    # the network as it is
    assert predicted["none"].prob == pytest.approx(
        np.full((4, n_classes), 1 / n_classes)
    )
