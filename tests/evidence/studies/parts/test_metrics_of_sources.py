"""Metrics of public networks: as stored, and a temperature of vectors known in part."""

import numpy as np
import pytest
from stored_rows import same_of_source

import calib
from evidence import Outputs
from evidence.studies.parts import metrics_of_sources

SOURCES = (
    "kull-cifar10-resnet110",
    "northcutt-imagenet-resnet152",
    "mehul0x-imagenet-vit-clip",
    "cleanlab-20news",
)


@pytest.mark.shared
@pytest.mark.parametrize("source", SOURCES)
def test_a_network_is_measured_again(source, monkeypatch):
    stored = "metrics_of_public_networks"
    same_of_source(metrics_of_sources.measure_source, source, stored, monkeypatch)


def test_a_partial_temperature_of_nearly_whole_vectors_is_the_ordinary_one():
    """With all but one class known nothing is missing, so both fits are the same."""
    rng = np.random.default_rng(0)
    true = rng.dirichlet(np.full(5, 0.5), size=20_000) + 1e-3
    y = (np.log(true) + rng.gumbel(size=true.shape)).argmax(axis=1)
    split = Outputs(y, order="drawn", probabilities=calib.softmax(2 * np.log(true)))
    scores, classes = (array[:, :4] for array in split.ranked)
    head = Outputs(y, order="drawn", scores=scores, classes=classes)
    partial = metrics_of_sources.PartialTemperature(5, floor=1e-12).fit(head)
    whole = calib.TemperatureScaling().fit(np.log(split.prob), y)
    assert partial.temperature_ == pytest.approx(whole.temperature_, rel=1e-6)
    assert whole.temperature_ == pytest.approx(2, abs=0.1)
    calibrated = whole.predict_proba(np.log(split.prob)).max(axis=1)
    assert np.allclose(partial.predict(head).pairs[0], calibrated, atol=1e-6)
