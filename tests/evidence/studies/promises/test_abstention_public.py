"""Public networks that abstain: of four answers by hand, and as stored."""

import numpy as np
import pytest
from stored_rows import same_of_source

import calib
from evidence import Outputs
from evidence.studies.promises import abstention_public


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-pneumonia-resnet50"
    same_of_source(
        abstention_public.abstention, source, "abstention_public", monkeypatch
    )


Y = np.array([0, 0, 1, 0])
P = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]])


def test_hits_and_scores_are_measured_as_labels_and_vectors_are():
    vectors = abstention_public.measured(Y, P)
    assert vectors == pytest.approx(abstention_public.measured(1 - Y, P[:, 0]))
    assert vectors["accuracy"] == 3 / 4
    # of the surest four fifths three answers and a fifth of the last, one is wrong
    assert vectors["risk_80"] == pytest.approx(1 / 3.2, abs=0.03)
    assert vectors["ece"] == pytest.approx((0.1 + 0.2 + 0.7 + 0.4) / 4)


def test_a_difference_is_less_that_of_the_network_as_it_is():
    """A map that puts the error last gains what the order loses."""
    test = Outputs(Y, probabilities=P)
    sorted_score = np.array([0.9, 0.8, 0.5, 0.6])
    options = {"n_resamples": 20, "rng": np.random.default_rng(0)}
    found = abstention_public.difference(1 - Y, sorted_score, test, options)
    before, after = (calib.aurc(1 - Y, score) for score in (P[:, 0], sorted_score))
    assert found["difference"] == pytest.approx(after - before) and after < before
    assert found["low"] <= found["difference"] <= found["high"]


def test_of_vectors_the_hits_may_change_too():
    test = Outputs(Y, probabilities=P)
    options = {"n_resamples": 20, "rng": np.random.default_rng(0)}
    found = abstention_public.difference(Y, P[:, ::-1], test, options)
    before, after = calib.aurc(1 - Y, P[:, 0]), calib.aurc(Y, P[:, 0])
    assert found["difference"] == pytest.approx(after - before)


def test_maps_are_fitted_to_the_one_set_and_a_sigmoid_keeps_the_order(monkeypatch):
    rng = np.random.default_rng(1)
    z = rng.normal(size=(200, 2))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    own, test = (
        Outputs(y[half], logits=3 * z[half]) for half in (slice(100), slice(100, 200))
    )
    scaling = calib.TemperatureScaling()
    monkeypatch.setattr(abstention_public, "MAPS", {"temperature": scaling})
    predicted = abstention_public.predictions(own, test)
    assert [*predicted] == ["none", "temperature", "top-platt"]
    labels, p = predicted["temperature"]
    fitted = calib.TemperatureScaling().fit(3 * z[:100], y[:100])
    np.testing.assert_allclose(p, fitted.predict_proba(3 * z[100:]))
    assert (labels == y[100:]).all()
    score, hit = test.pairs
    hits, platt = predicted["top-platt"]
    assert (hits == hit).all()
    assert (np.diff(platt[np.argsort(score)]) >= 0).all()
