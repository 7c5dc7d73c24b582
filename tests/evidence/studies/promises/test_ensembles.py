"""Members, their mean, and the two orders of pooling and calibrating."""

from types import SimpleNamespace

import numpy as np
import pytest
from stored_rows import same

import calib
from evidence import Outputs
from evidence.studies.promises import ensembles


def test_an_ensemble_is_computed_again():
    same(ensembles.ensemble("20news-dan1-w100"), "ensembles")


P = np.array([[0.5, 0.5], [0.25, 0.75]])
Q = np.array([[0.25, 0.75], [0.5, 0.5]])
Y = np.array([0, 1])


def test_losses_are_means_over_members_sample_by_sample():
    means = ensembles.losses(Y, [P, Q])
    assert means == pytest.approx(
        [(np.log(2) + np.log(4)) / 2, (np.log(4 / 3) + np.log(2)) / 2]
    )


def test_differences_are_less_the_reference_and_of_the_rows_that_are_drawn():
    nll = ensembles.difference_of_nll(Y, [P], [Q])
    assert nll(np.array([0])) == pytest.approx(np.log(2) - np.log(4))
    assert nll(np.array([1, 1])) == pytest.approx(np.log(4 / 3) - np.log(2))
    ece = ensembles.difference_of_ece(Y, [P], [Q])
    rows = np.array([0])  # P says .5 and is right, Q says .75 and is wrong
    assert ece(rows) == pytest.approx(0.5 - 0.75)


def test_members_of_a_setting_differ_in_the_seed_alone():
    for stem, names in ensembles.seeds_by_setting().items():
        assert names == [f"{stem}-s{seed}" for seed in (1, 2, 3)]


def member(seed, y):
    rng = np.random.default_rng(seed)
    z = 2 * (np.eye(3)[y] + rng.normal(size=(len(y), 3)))
    outputs = Outputs(y, logits=z)
    return SimpleNamespace(to_fit=outputs, test=outputs)


def test_probabilities_are_pooled_before_or_after_a_temperature_each():
    members = [member(seed, np.arange(300) % 3) for seed in (1, 2)]
    ways = ensembles.probabilities(members)
    first, second = ways["members"]
    np.testing.assert_allclose(first, members[0].test.prob)
    np.testing.assert_allclose(ways["pooled"][0], (first + second) / 2)
    logits = [net.test.as_logits() for net in members]
    y = members[0].test.y
    scaled = [calib.TemperatureScaling().fit(z, y).predict_proba(z) for z in logits]
    np.testing.assert_allclose(ways["members, calibrated"], scaled)
    np.testing.assert_allclose(ways["calibrated, then pooled"][0], np.mean(scaled, 0))
    pool = np.log((first + second) / 2)
    after = calib.TemperatureScaling().fit(pool, y).predict_proba(pool)
    np.testing.assert_allclose(ways["pooled, then calibrated"][0], after, atol=1e-6)


def test_a_gap_is_the_confidence_less_the_accuracy(monkeypatch):
    """Members that say .75 and .5 of the first class, which is right in half of the samples."""
    said = [np.tile([0.75, 0.25], (2, 1)), np.tile([0.5, 0.5], (2, 1))]
    net = SimpleNamespace(test=SimpleNamespace(y=Y))
    monkeypatch.setattr(ensembles, "seeds_by_setting", lambda: {"a": ["a-s1", "a-s2"]})
    monkeypatch.setattr(ensembles, "load_zoo", lambda name: net)
    ways = {"members": said, "pooled": [np.mean(said, axis=0)]}
    monkeypatch.setattr(ensembles, "probabilities", lambda members: ways)
    monkeypatch.setattr(ensembles, "paired_interval", lambda metric, *_: (-1, metric))
    members, pooled = ensembles.ensemble("a")
    assert (members["n"], members["n_members"], members["way"]) == (2, 2, "members")
    assert members["accuracy"] == pooled["accuracy"] == 0.5
    assert members["gap"] == pooled["gap"] == pytest.approx(0.125)
    assert members["nll_low"] == "" and pooled["nll_low"] == -1
    assert (pooled["nll_high"], pooled["ece_high"]) == ("nll", "ece")
