"""Intervals of metrics: which are made, and how they lie about the value."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.data import generator
from evidence.studies.networks import metric_intervals as study

HEAD = {"source": "a", "calibrator": "none", "samples": "all"}
SURE = Outputs(np.array([0, 1]), probabilities=np.array([[1.0, 0.0], [1.0, 0.0]]))


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch):
    monkeypatch.setattr(study, "N_RESAMPLES", 40)


def test_a_basic_interval_mirrors_the_quantiles_at_the_value():
    hit, score = np.array([1, 1, 1, 0]), np.full(4, 0.5)
    row = study.interval_row(HEAD, lambda y, p: y.mean(), (hit, score))
    rng = generator("a/none/all", seed=study.SEED)
    again = [hit[rng.integers(4, size=4)].mean() for _ in range(40)]
    high, low = 2 * 0.75 - np.quantile(again, [0.025, 0.975])
    assert [row[key] for key in ("value", "low", "high")] == pytest.approx(
        [0.75, low, high]
    )
    assert row["standard_error"] == pytest.approx(np.std(again, ddof=1))


def test_a_metric_that_is_infinite_has_no_interval():
    """Both are said to be of the first class; one is not."""
    metrics = {"nll": calib.nll, "accuracy": calib.accuracy}
    rows = [*study.of_metrics(HEAD, metrics, SURE)]
    assert [(row["metric"], row["value"]) for row in rows] == [("accuracy", 0.5)]


def test_the_smooth_error_is_told_of_networks_as_they_are_alone(monkeypatch):
    metrics = {"smooth_ece": calib.smooth_ece, "ece": calib.ece, "mce": calib.mce}
    maps = {"none": None, "temperature": "a map"}
    task = "held out", SURE, SURE, maps, metrics
    one = Outputs(np.array([0]), probabilities=np.array([[0.75, 0.25]]))
    monkeypatch.setattr(study, "load_source", lambda name: SimpleNamespace())
    monkeypatch.setattr(study, "tasks_of", lambda net: [task])
    monkeypatch.setattr(
        study, "calibrated", lambda rule, fit, test: one if rule else test
    )
    rows = study.intervals("a")
    assert [(row["calibrator"], row["metric"]) for row in rows] == [
        ("none", "ece"),
        ("none", "smooth_ece"),
        ("temperature", "ece"),
    ]
    assert [rows[i]["value"] for i in (0, 2)] == [0.5, 0.25]
