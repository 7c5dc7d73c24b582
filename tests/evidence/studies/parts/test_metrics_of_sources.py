"""Metrics of public networks: as stored, and a temperature of vectors known in part."""

from types import SimpleNamespace

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

    found = metrics_of_sources.PartialTemperature(5).fit(head)
    least = nll(found.temperature_)
    assert least < nll(0.99 * found.temperature_)
    assert least < nll(1.01 * found.temperature_)
    after = tempered(found.temperature_)[:, :2]
    assert found.predict(head).scores == pytest.approx(after)


def test_known_probabilities_beyond_one_leave_the_floor():
    head = Outputs([0], scores=[[0.9, 0.2]], classes=[[0, 1]])
    map_ = metrics_of_sources.PartialTemperature(4, floor=0.05)
    map_.temperature_ = 1
    assert map_.predict(head).scores == pytest.approx(np.array([[0.9, 0.2]]) / 1.2)


THREE = Outputs([0, 1, 2, 0], probabilities=np.tile([0.5, 0.375, 0.125], (4, 1)))
TWO = Outputs([0, 1], scores=[[0.5, 0.25]] * 2, classes=[[0, 1]] * 2)


@pytest.mark.parametrize(
    ("outputs", "names"),
    [(THREE, "top_2 top_3 within_2 within_3"), (TWO, "top_2 within_2")],
)
def test_views_go_as_far_as_classes_are_known(outputs, names):
    assert [*metrics_of_sources.views(outputs)] == names.split()


def test_a_view_of_outputs_is_the_pairs_of_one_rank():
    pick = metrics_of_sources.views(THREE)["top_2"]
    score, hit = metrics_of_sources.of_view(pick, THREE).pairs
    assert (score.tolist(), hit.tolist()) == ([0.375] * 4, [0, 1, 0, 0])
    ks = metrics_of_sources.ks_of(metrics_of_sources.views(THREE)["within_2"])
    # .875 said of four samples, of which the third is none of the two first classes
    assert ks(THREE.y, THREE.prob) == pytest.approx(abs(0.875 - 0.75))


def test_halves_are_each_sample_once_and_a_calibration_set_is_kept():
    many = Outputs(np.arange(5), probabilities=np.eye(5))
    first, second = metrics_of_sources.halves(many, np.random.default_rng(0))
    assert (len(first), len(second)) == (2, 3)
    assert sorted([*first.y, *second.y]) == [*range(5)]
    net = SimpleNamespace(calibration=THREE, test=many)
    assert metrics_of_sources.calibration_and_test(net) == (THREE, many)
    net.calibration = None
    again = metrics_of_sources.calibration_and_test(net)
    assert [len(part) for part in again] == [2, 3]


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
