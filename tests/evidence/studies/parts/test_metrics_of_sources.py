"""Metrics of public networks: what a source allows, and as stored."""

import numpy as np
import pytest
from stored_rows import same_of_source

import calib
from evidence import Outputs
from evidence.data import Predictions
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


THREE = Outputs([0, 1, 2, 0], probabilities=np.tile([0.5, 0.375, 0.125], (4, 1)))


def test_tasks_are_what_a_source_allows():
    """Of whole vectors all; of five classes their temperature; of one class no view."""
    rng = np.random.default_rng(1)
    p = np.sort(rng.dirichlet(np.ones(6), size=40))[:, ::-1]
    y = rng.integers(6, size=40)
    whole = Outputs(y, probabilities=p)
    five = Outputs(y, scores=p[:, :5], classes=np.tile(np.arange(5), (40, 1)))
    one = Outputs(y, scores=p[:, :1], classes=np.zeros((40, 1), int))
    about = {"dataset": "CIFAR-10"}
    tasks = {
        known: [
            *metrics_of_sources.tasks_of(Predictions("net", known, part, part, about))
        ]
        for known, part in (("probabilities", whole), ("top5", five), ("top1", one))
    }
    # 3 of the first choice, 2 of each of 8 views, and 1 of vectors or 1 + 8 of the five
    assert [len(found) for found in tasks.values()] == [3 + 16 + 1, 3 + 16 + 9, 3]
    for found in tasks.values():
        assert [task.samples for task in found[:3]] == ["all", "held out", "held out"]
        assert found[0].calibration is found[1].calibration is None
        assert found[2].calibration is not None and "none" not in found[2].maps
        assert "sweep_ece" in found[0].metrics and "sweep_ece" not in found[2].metrics
    vectors = tasks["probabilities"][-1]
    assert {"temperature", "vector"} <= set(vectors.maps)
    assert {"nll", "ece", "ks_top_2"} <= set(vectors.metrics)
    assert "nll" in tasks["probabilities"][0].metrics
    assert "nll" not in tasks["top5"][0].metrics
    briers = [task for task in tasks["top5"] if "top2_brier" in task.metrics]
    assert len(briers) == 2 and {"ks_top_2"} == {*briers[0].metrics} - {"top2_brier"}
    assert all([*task.maps] == ["temperature-top5"] for task in tasks["top5"][-9:])


def test_rows_stand_by_map_then_samples_then_metric():
    rows = [
        {"calibrator": calibrator, "samples": samples, "metric": metric}
        for calibrator in ("none", "top-spline", "temperature")
        for samples in ("all", "held out")
        for metric in ("accuracy", "sweep_ece", "ks_top_1", "top2_brier", "nll")
    ]
    assert sorted(rows[::-1], key=metrics_of_sources.in_order) == rows


def test_a_map_that_fails_is_an_error_or_has_no_row():
    maps = {"none": None, "bad": calib.BetaCalibration}  # a class, and no map
    task = ("net", "held out", THREE, THREE, maps, {"accuracy": calib.accuracy})
    (row,) = metrics_of_sources.rows_of_task(*task, may_fail=True)
    assert (row["source"], row["samples"], row["n"]) == ("net", "held out", 4)
    assert (row["calibrator"], row["metric"], row["value"]) == ("none", "accuracy", 0.5)
    with pytest.raises(ValueError, match="net: "):
        metrics_of_sources.rows_of_task(*task)
