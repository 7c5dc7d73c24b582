"""Metrics over random halves, as a paper computes them."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence import Outputs
from evidence.studies.parts import random_halves as study


def test_a_probability_of_zero_counts_as_the_least_of_scikit_learn():
    split = Outputs([0, 1], probabilities=[[0.0, 1.0], [0.5, 0.5]])
    assert study.vasilev_full(split)["NLL"] == pytest.approx(
        (-np.log(1e-15) + np.log(2)) / 2
    )


def test_bins_are_closed_on_the_left():
    """Two scores on an edge, of 15 bins at .8: with what is above it they are one bin."""
    p = np.array([[0.8, 0.2], [0.85, 0.15], [0.79, 0.21]])
    split = Outputs([0, 1, 0], probabilities=p)
    summary = study.vasilev_top(split)
    assert summary["ECE"] == pytest.approx((abs(0.8 + 0.85 - 1) + 0.21) / 3)


P = np.array([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.3, 0.5, 0.2], [0.7, 0.2, 0.1]])
Y = np.array([0, 0, 0, 1])
WHOLE = Outputs(Y, probabilities=P)
ALONE = Outputs(Y, scores=P.max(axis=1)[:, None], classes=P.argmax(axis=1)[:, None])


def test_of_first_choices_alone_there_is_no_view_of_the_second():
    assert {*study.gupta(WHOLE)} - {*study.gupta(ALONE)} == {
        "KS top-2",
        "KS within-top-2",
    }


def test_metrics_of_gupta_are_those_of_first_and_second_choices():
    """Said .5, .5, .5, .7 of which the first is right; of the second choices two are."""
    values = study.gupta(WHOLE)
    assert values["Accuracy"] == 1 / 4
    assert values["KS"] == pytest.approx((2.2 - 1) / 4)
    brier = (0.5**2 + 0.5**2 + 0.5**2 + 0.7**2) / 4
    assert values["Top-1 Brier"] == pytest.approx(brier)
    # second choices .3, .3, .3, .2: hits 0, 0, 1, 1 as their scores rise from .2
    order = np.argsort([0.3, 0.3, 0.3, 0.2], kind="stable")
    gaps = (np.array([0.3, 0.3, 0.3, 0.2]) - np.array([0, 0, 1, 1]))[order]
    assert values["KS top-2"] == pytest.approx(np.abs(np.cumsum(gaps)).max() / 4)


def test_eces_of_gupta_have_25_bins_and_15():
    """Scores .61 and .65 share one of fifteen bins, and none of 25: their gaps cancel or not."""
    p = np.array([[0.61, 0.39], [0.65, 0.35]])
    values = study.gupta(Outputs([1, 0], probabilities=p))
    assert values["ECE, 15 bins"] == pytest.approx((0.61 - 0.35) / 2)
    assert values["ECE"] == pytest.approx((0.61 + 0.35) / 2)


def test_histograms_of_vasilev_have_twenty_bins_and_no_floor():
    maps = study.vasilev_methods()
    histogram = maps["Histogram binning"].calibrator
    assert (histogram.n_bins, histogram.floor) == (20, 0)
    assert maps["Isotonic regression"].calibrator.floor == 0
    assert not maps["Vector scaling (no bias)"].bias and maps["Vector scaling"].bias


def test_methods_are_of_whole_vectors_and_one_temperature_of_five_parts(monkeypatch):
    monkeypatch.setattr(study, "vasilev_methods", lambda: {"map": None})
    monkeypatch.setattr(study, "calibrated", lambda map_, own, test: test)
    rng = np.random.default_rng(0)
    p = -np.sort(-rng.dirichlet(np.ones(10), size=50))
    y = (p.cumsum(axis=1) < rng.random((50, 1))).sum(axis=1)
    whole = Outputs(y, probabilities=p)
    five = Outputs(y, scores=p[:, :5], classes=np.tile(np.arange(5), (50, 1)))
    found = {
        name: {
            method: {*metrics} for method, metrics in study.one_half(name, part, part)
        }
        for name, part in (
            (study.GROUP_2[0], whole),
            ("northcutt-cifar10-vgg", five),
            (study.IMAGENET[0], five),
        )
    }
    top, full = {*study.vasilev_top(whole)}, {*study.vasilev_full(whole)}
    of_two = {*study.gupta(whole)}
    assert [*found.values()] == [
        {"map": full, "Uncalibrated": full},
        {"Temperature scaling": top, "Uncalibrated": top},
        {"Temperature scaling": of_two, "Uncalibrated": of_two},
    ]


def test_values_of_all_halves_stand_in_one_row_a_method_and_metric(monkeypatch):
    samples = Outputs(np.zeros(10, int), probabilities=np.tile([0.75, 0.25], (10, 1)))
    net = SimpleNamespace(test=samples)
    monkeypatch.setattr(study, "load_source", lambda name: net)
    monkeypatch.setattr(
        study, "one_half", lambda name, *parts: [("none", {"n": sum(map(len, parts))})]
    )
    assert study.half_values("a", n_halves=3) == [
        {"source": "a", "method": "none", "metric": "n", "values": [10.0, 10.0, 10.0]}
    ]
