"""The five largest parts of whole vectors."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.papers import temperature_of_top_five as study
from evidence.studies.papers.temperature_of_top_five import top_five


def test_five_parts_are_kept_in_order_and_rounded_to_their_type():
    p = np.array([[0.03, 0.3, 0.07, 0.2, 0.1, 0.25, 0.05]])
    few = top_five(Outputs([3], order="some", probabilities=p), np.float16)
    assert few.classes.tolist() == [[1, 5, 3, 4, 2]] and few.order == "some"
    expected = np.float16([0.3, 0.25, 0.2, 0.1, 0.07]).astype(float)
    assert few.scores[0].tolist() == expected.tolist()
    assert few.top_r_pairs(3)[1].tolist() == [1]


def test_of_six_classes_five_parts_tell_the_sixth(monkeypatch):
    rng = np.random.default_rng(7)
    z = rng.normal(size=(400, 6))
    y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
    halves = [Outputs(y[i], logits=2 * z[i]) for i in (slice(200), slice(200, 400))]

    def source(known, dataset):
        return SimpleNamespace(known=known, about={"dataset": dataset})

    nets = {
        "kept": source("logits", "CIFAR-10"),
        "of words": source("probabilities", "20 Newsgroups"),
        "of top labels": source("top label", "CIFAR-10"),
    }
    monkeypatch.setattr(study, "source_names", lambda: [*nets])
    monkeypatch.setattr(study, "load_source", nets.get)
    monkeypatch.setattr(study, "calibration_and_test", lambda net: halves)
    whole, five, rounded = study.rows()
    assert {row["source"] for row in (whole, five, rounded)} == {"kept"}
    assert [row["known"] for row in (whole, five, rounded)] == [
        "whole",
        "top5",
        "top5 in float16",
    ]
    scaling = calib.TemperatureScaling().fit(halves[0].as_logits(), halves[0].y)
    score, hit = calib.top_label(y[200:], scaling.predict_proba(2 * z[200:]))
    assert whole["temperature"] == scaling.temperature_
    assert whole["ece"] == pytest.approx(calib.ece(hit, score))
    assert whole["ks"] == pytest.approx(calib.ks_error(hit, score))
    for key in ("temperature", "ece", "ks"):
        assert five[key] == pytest.approx(whole[key], abs=1e-4)
        assert rounded[key] == pytest.approx(whole[key], abs=0.02)
