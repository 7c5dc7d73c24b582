"""Scores judged against what many people say, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

import calib
from evidence import Outputs
from evidence.studies.parts import human_labels


def test_a_share_of_people_is_as_many_hits_and_misses():
    """Of four people three, and of four one: the same as eight labels."""
    score, share = np.array([0.9, 0.4]), np.array([0.75, 0.25])
    metrics = human_labels.metrics_against_shares(score, share)
    hit = np.array([1, 1, 1, 0, 1, 0, 0, 0])
    each = np.repeat(score, 4)
    assert metrics == pytest.approx(
        {
            "confidence": 0.65,
            "share": 0.5,
            "ece": calib.ece(hit, each),
            "ks": calib.ks_error(hit, each),
            "top1_brier": calib.top1_brier(hit, each),
        }
    )
    assert metrics["ece"] == pytest.approx((0.15 + 0.15) / 2)


def test_the_gap_has_an_interval_around_it():
    score, truth = np.linspace(0.5, 1, 50), np.linspace(0.5, 0.9, 50)
    row = human_labels.judged_row({"source": "a"}, score, truth)
    assert row["source"] == "a" and row["n"] == 50
    assert row["gap"] == pytest.approx(0.05)
    assert 0.03 < row["low"] < row["gap"] < row["high"] < 0.07


def test_who_agree_are_those_who_name_the_predicted_class():
    test = Outputs([0, 1], probabilities=[[0.75, 0.25], [0.75, 0.25]])
    shares = np.array([[0.6, 0.4], [0.1, 0.9]])
    assert human_labels.share_who_agree(test, shares).tolist() == [0.6, 0.1]


def test_networks_on_images_that_people_labelled_have_their_shares(monkeypatch):
    """CIFAR-10H is of all networks on its images, other counts are of their own file."""
    counts, own = np.array([[1, 3]]), np.array([[1, 1]])

    def source(order, **about):
        return SimpleNamespace(test=SimpleNamespace(order=order), about=about)

    networks = {
        "kerrigan-cifar10-resnet110": source("cifar10-test", human_counts=counts),
        "kull-cifar10-resnet110-top1": source("cifar10-test"),
        "kull-cifar10": source("cifar10-test"),
        "kull-svhn": source("svhn"),
        "baan": source("snli", human_counts=own),
    }
    lists = {(): [*networks][:4], ("sources-promises",): ["baan"]}
    monkeypatch.setattr(human_labels, "load_source", networks.get)
    monkeypatch.setattr(human_labels, "source_names", lambda *part: lists[part])
    found = {
        name: shares.tolist() for name, _, shares in human_labels.networks_with_people()
    }
    assert found == {
        "kerrigan-cifar10-resnet110": [[0.25, 0.75]],
        "kull-cifar10": [[0.25, 0.75]],
        "baan": [[0.5, 0.5]],
    }
    (kull,) = human_labels.networks_with_people("kull")
    assert kull[0] == "kull-cifar10"


def test_answers_to_life_tables_that_state_no_probability_are_left_out(monkeypatch):
    columns = {
        "model": np.array([*"abaaa"]),
        "stated_confidence": np.array([0.0, 0.5, 1.0, -1.0, 1.5]),
        "prob": np.array([0.1, 0.2, 0.3, 0.4, 0.5]),
    }
    monkeypatch.setattr(human_labels, "load_stated_lives", lambda: columns)
    found = {name: (s.tolist(), t.tolist()) for name, s, t in human_labels.life_eval()}
    assert found == {
        "lifeeval a": ([0, 1], [0.1, 0.3]),
        "lifeeval b": ([0.5], [0.2]),
    }
