"""A temperature of vectors that are known in part."""

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.parts import partial_temperature


def test_a_partial_temperature_of_nearly_whole_vectors_is_the_ordinary_one():
    """With all but one class known nothing is missing, so both fits are the same."""
    rng = np.random.default_rng(0)
    true = rng.dirichlet(np.full(5, 0.5), size=20_000) + 1e-3
    y = (np.log(true) + rng.gumbel(size=true.shape)).argmax(axis=1)
    split = Outputs(y, order="drawn", probabilities=calib.softmax(2 * np.log(true)))
    scores, classes = (array[:, :4] for array in split.ranked)
    head = Outputs(y, order="drawn", scores=scores, classes=classes)
    partial = partial_temperature.PartialTemperature(5, floor=1e-12).fit(head)
    whole = calib.TemperatureScaling().fit(np.log(split.prob), y)
    assert partial.temperature_ == pytest.approx(whole.temperature_, rel=1e-6)
    assert whole.temperature_ == pytest.approx(2, abs=0.1)
    calibrated = whole.predict_proba(np.log(split.prob)).max(axis=1)
    assert np.allclose(partial.predict(head).pairs[0], calibrated, atol=1e-6)


def test_the_temperature_of_known_classes_makes_their_nll_least():
    """Of five classes two are known; the other three share what is missing alike."""
    known = np.array([[0.6, 0.2], [0.7, 0.1], [0.5, 0.4], [0.4, 0.3]])
    y = np.array([0, 4, 1, 2])
    head = Outputs(y, scores=known, classes=np.tile([0, 1], (4, 1)))
    missing = (1 - known.sum(axis=1)) / 3
    missing[2] = 0.1 / 3
    whole = np.c_[known, missing, missing, missing]

    def tempered(temperature):
        p = whole ** (1 / temperature)
        return p / p.sum(axis=1, keepdims=True)

    def nll(temperature):
        return -np.mean([np.log(tempered(temperature)[i, y[i]]) for i in range(4)])

    found = partial_temperature.PartialTemperature(5).fit(head)
    least = nll(found.temperature_)
    assert least < nll(0.99 * found.temperature_)
    assert least < nll(1.01 * found.temperature_)
    after = tempered(found.temperature_)[:, :2]
    assert found.predict(head).scores == pytest.approx(after)


def test_known_probabilities_beyond_one_leave_the_floor():
    head = Outputs([0], scores=[[0.9, 0.2]], classes=[[0, 1]])
    map_ = partial_temperature.PartialTemperature(4, floor=0.05)
    map_.temperature_ = 1
    assert map_.predict(head).scores == pytest.approx(np.array([[0.9, 0.2]]) / 1.2)
