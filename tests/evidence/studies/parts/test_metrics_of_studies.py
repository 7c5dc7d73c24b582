"""Metrics of studies: of pairs, or of vectors."""

import numpy as np
import pytest

import calib
from evidence.studies.parts import metrics_of_studies as metrics

Y = np.array([0, 2, 1, 0, 2, 1])
PROB = np.array([[0.6, 0.3, 0.1], [0.2, 0.1, 0.7], [0.5, 0.25, 0.25]] * 2)


def test_a_metric_is_of_the_top_label_or_of_vectors():
    top, full = [*metrics.TOP_METRICS], [*metrics.FULL_METRICS]
    assert sorted(top + full) == sorted(metrics.ALL_METRICS) and not {*top} & {*full}
    assert {"confidence", "ece", "top1_brier"} <= {*top}
    assert {"classwise_ece", "nll", "brier"} <= {*full}


@pytest.mark.parametrize("name", metrics.TOP_METRICS)
def test_a_metric_of_the_top_label_is_the_same_of_its_pairs(name):
    metric = metrics.TOP_METRICS[name]
    score, hit = calib.top_label(Y, PROB)
    assert metric(hit, score) == pytest.approx(metric(Y, PROB))


def test_confidence_is_the_mean_of_the_top_scores():
    assert metrics.confidence(Y, PROB) == pytest.approx((0.6 + 0.7 + 0.5) / 3)
    weights = np.array([1, 0, 0, 3, 0, 0])
    assert metrics.confidence(Y, PROB, weights) == pytest.approx(0.6)


def test_names_say_how_many_bins_there_are():
    rng = np.random.default_rng(0)
    score = rng.random(200)
    hit = rng.random(200) < score**2
    ece_25 = calib.calibration_error(hit, score, bins=calib.equal_width(25))
    ece_mass = calib.calibration_error(hit, score, bins=calib.equal_mass(15))
    assert metrics.ALL_METRICS["ece_25"](hit, score) == pytest.approx(ece_25)
    assert metrics.ALL_METRICS["ece_mass"](hit, score) == pytest.approx(ece_mass)
