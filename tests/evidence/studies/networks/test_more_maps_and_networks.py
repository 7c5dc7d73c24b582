"""Which maps are added to which networks."""

import numpy as np
import pytest

from evidence import Outputs
from evidence.data import Predictions
from evidence.studies.networks import more_maps_and_networks as study


@pytest.mark.parametrize(("n_classes", "has_matrix"), [(50, True), (51, False)])
def test_a_matrix_is_fitted_up_to_fifty_classes(monkeypatch, n_classes, has_matrix):
    fit, test = (
        Outputs(np.zeros(n, int), logits=np.zeros((n, n_classes))) for n in (2, 3)
    )
    net = Predictions("a", "logits", fit, test)
    monkeypatch.setattr(study, "load_source", lambda name: net)
    monkeypatch.setattr(study, "measure_source", lambda name: ["measured"])
    options = []
    monkeypatch.setattr(
        study, "rows_of_task", lambda *task, **named: options.append(named) or [task]
    )
    [task] = study.rows_of_source("a")
    assert task[:4] == ("a", "held out", fit, test)
    assert ("matrix" in task[4]) == has_matrix and "vector-no-bias" in task[4]
    assert options == [{"may_fail": True}]
    assert {"ks_top_2", "ks_within_5", "ece", "nll"} <= {*task[5]}
    # of other networks all that the table of metrics would have comes first
    assert study.rows_of_source(study.OTHERS[0])[0] == "measured"


def test_vector_scaling_is_without_a_bias_and_a_matrix_without_a_penalty():
    maps = study.MORE_MAPS
    assert not maps["vector-no-bias"].bias
    assert maps["matrix"].lam == maps["matrix"].mu == 0


def test_all_networks_with_whole_vectors_and_five_others_are_computed(monkeypatch):
    monkeypatch.setattr(study, "sources_of_vectors", lambda: ["a", "b"])
    monkeypatch.setattr(study, "compute_pieces", lambda *pieces: pieces)
    name, function, sources = study.rows()
    assert (name, function) == ("more_maps_and_networks", study.rows_of_source)
    assert sources == ["a", "b", *study.OTHERS] and len(study.OTHERS) == 5
