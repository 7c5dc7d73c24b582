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
    monkeypatch.setattr(study, "rows_of_task", lambda *task, **_: [task])
    [task] = study.rows_of_source("a")
    assert task[:4] == ("a", "held out", fit, test)
    assert ("matrix" in task[4]) == has_matrix and "vector-no-bias" in task[4]
    assert {"ks_top_2", "ks_within_5", "ece", "nll"} <= {*task[5]}
    # of other networks all that the table of metrics would have comes first
    assert study.rows_of_source(study.OTHERS[0])[0] == "measured"
