"""A temperature for labels, or for people, where what people say is known."""

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.promises import entropy_of_people
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


def test_networks_that_are_as_unsure_as_people_are_ranked_alike(monkeypatch):
    """Of networks whose vectors are not whole there is no entropy."""
    rng = np.random.default_rng(1)
    z = rng.normal(size=(60, 3))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    whole, shares = Outputs(y, logits=z), calib.softmax(2 * z)
    one = Outputs(y, scores=np.ones((60, 1)), classes=y[:, None])
    people = [("one", one, shares), ("whole", whole, shares)]
    monkeypatch.setattr(entropy_of_people, "networks_with_people", lambda: people)
    (row,) = entropy_of_people.rows()
    of_network, theirs = (-(p * np.log(p)).sum(axis=1) for p in (whole.prob, shares))
    assert (row["source"], row["n"]) == ("whole", 60)
    assert row["network"] == pytest.approx(of_network.mean())
    assert row["people"] == pytest.approx(theirs.mean())
    ranks = [np.argsort(np.argsort(values)) for values in (of_network, theirs)]
    assert row["correlation"] == pytest.approx(np.corrcoef(ranks)[0, 1])
    assert row["low"] < row["correlation"] < row["high"]


def test_both_temperatures_are_measured_on_the_samples_that_they_did_not_see():
    """Of 41 samples 20 are for the fit; of the others the distance is by hand."""
    rng = np.random.default_rng(2)
    z = rng.normal(size=(41, 2))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    test = Outputs(y, logits=z)
    shares = calib.softmax(z / 3)
    row = temperatures(test, shares, np.random.default_rng(4))
    order = np.random.default_rng(4).permutation(41)
    fit, judged = order[:20], order[20:]
    scaling = calib.TemperatureScaling().fit(z[fit], y[fit])
    assert row["t_label"] == pytest.approx(scaling.temperature_)
    p = test.prob[judged]
    assert row["ece_label_none"] == pytest.approx(calib.ece(y[judged], p))
    distance = np.abs(p[:, 0] - shares[judged][:, 0]).mean()
    assert row["distance_none"] == pytest.approx(distance)
