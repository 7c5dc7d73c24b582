"""Maps of other libraries: what they are given, and which are fitted to what."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import calib
from evidence.studies.arena import arena_peers as study

LOGITS = np.log([[0.75, 0.25], [0.4, 0.6]])


class Echo:
    """A map that is loud, and returns the second half of the probabilities that it is given."""

    def fit(self, p, y):
        print("fitting")
        self.fitted = p
        return self

    def transform(self, p):
        print("applying")
        return p[:, 1]


class EchoOfAll(Echo):
    def predict_proba(self, p):
        return p


@pytest.mark.parametrize("make", [Echo, EchoOfAll])
def test_a_peer_reads_and_gives_probabilities_of_all_classes(make, capsys):
    peer = study.Peer(make).fit(LOGITS, np.array([0, 1]))
    assert peer.map_.fitted == pytest.approx(calib.softmax(LOGITS))
    expected = np.array([[0.75, 0.25], [0.4, 0.6]])
    assert peer.predict_proba(LOGITS) == pytest.approx(expected)
    assert capsys.readouterr().out == ""


def test_networks_are_those_that_the_lot_drew(monkeypatch):
    lots = pd.DataFrame({"set": ["c", "a", "b"], "drawn": [True, False, True]})
    monkeypatch.setattr(study, "load_results", lambda name: lots)
    assert study.chosen_sets() == ["b", "c"]


@pytest.mark.parametrize(
    ("n_classes", "first"),
    [(10, {"fast", "netcal BBQ"}), (11, {"fast"})],
)
def test_slow_peers_need_few_classes_and_one_is_fitted_at_one_size(
    monkeypatch, n_classes, first
):
    small, middle, large = study.SIZES
    sets = [(0, small), (1, small), (0, middle), (0, 7), (0, large)]
    samples = SimpleNamespace(
        calibration_logits=np.zeros((2, n_classes)), calibration_sets=sets
    )
    peers = dict.fromkeys(("fast", "netcal BBQ", "dirichletcal"))
    monkeypatch.setattr(study, "load_set", lambda name: samples)
    monkeypatch.setattr(study, "peer_maps", lambda: peers)
    monkeypatch.setattr(
        study, "fit_to_prediction_set", lambda of_set, sets, maps: [(sets, {*maps})]
    )
    once = {"dirichletcal"} if n_classes == 10 else set()
    assert middle == study.ONCE["dirichletcal"]
    assert study.measure_set("a") == [
        ([(0, small)], first),
        ([(0, middle)], first | once),
        ([(0, large)], first),
    ]
