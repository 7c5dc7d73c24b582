"""A temperature for labels, or for people, where what people say is known."""

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.promises.entropy_of_people import temperatures


def test_people_whose_shares_are_a_tempered_network_give_its_temperature():
    """People are as unsure as logits over 2; the labels are of one person each."""
    rng = np.random.default_rng(0)
    z = 3 * rng.normal(size=(4000, 3))
    shares = calib.softmax(z / 2)
    y = (shares.cumsum(axis=1) < rng.random((4000, 1))).sum(axis=1).clip(max=2)
    row = temperatures(Outputs(y, logits=z), shares, rng)
    assert row["t_people"] == pytest.approx(2, abs=1e-4)
    assert row["t_label"] == pytest.approx(2, abs=0.15)
    assert row["distance_people"] == pytest.approx(0, abs=1e-4)
    assert row["ece_people_people"] < 1e-4 < 0.1 < row["ece_people_none"]
    assert row["distance_none"] > 0.1 and row["correlation_people"] > 0.999
