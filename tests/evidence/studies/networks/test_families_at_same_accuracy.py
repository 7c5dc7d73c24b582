"""Classifiers of two families beside each other."""

import numpy as np
import pandas as pd
import pytest
from helpers import ROOT, need_shared
from imagenet_rows import table

from evidence.rows import table_bytes
from evidence.studies.networks import families_at_same_accuracy


def test_a_classifier_stands_beside_the_nearest_in_accuracy_within_a_point():
    first = table(4, accuracy=[70.0, 75.0, 80.0, 81.0])
    second = table(3, accuracy=[70.4, 69.8, 80.9])
    left, right = families_at_same_accuracy.nearest_in_accuracy(first, second)
    assert left["accuracy"].tolist() == [70, 80, 81]
    assert right["accuracy"].tolist() == [69.8, 80.9, 80.9]


def test_a_kind_is_of_some_families_and_of_one_training():
    rows = table(4).assign(
        family=["VGG", "ViT", "VGG", "ResNet"],
        training=["supervised", "supervised", "distilled", "supervised"],
    )
    kind = families_at_same_accuracy.of_kind(rows, ["VGG", "ResNet"], "supervised")
    assert kind.index.tolist() == [0, 3]


@pytest.mark.parametrize(("n", "n_others"), [(3, 3), (2, 3), (3, 2)])
def test_pairs_of_at_least_three_of_each_kind_are_counted(monkeypatch, n, n_others):
    """Of the first the ECE is lower by one, lower by three, and higher by one."""
    first = table(n, accuracy=[70.0, 75.0, 80.0][:n]).assign(
        model=[*"abc"][:n], ece=[1.0, 2.0, 6.0][:n], ece_after=[1.0, np.nan, 1.0][:n]
    )
    second = table(n_others, accuracy=[70.0, 75.0, 80.0][:n_others]).assign(
        model=[*"def"][:n_others], ece=[2.0, 5.0, 5.0][:n_others], ece_after=0.0
    )
    first["family"], second["family"] = "new", "old"
    rows = pd.concat([first, second]).assign(training="supervised")
    kinds = {"pair": ((["new"], "supervised"), (["old"], "supervised"))}
    study = families_at_same_accuracy
    monkeypatch.setattr(study, "PAIRS", kinds)
    monkeypatch.setattr(study, "read_source", lambda name: b"")
    monkeypatch.setattr(study.hierarchical_selective, "classifiers", lambda _: rows)
    expected = {"pair": "pair", "n": 3, "others": 3}
    expected |= {"ece_n": 3, "ece_lower": 2, "ece_difference": "-1"}
    expected |= {"ece_after_n": 2, "ece_after_lower": 0, "ece_after_difference": "1"}
    assert [*study.rows()] == ([expected] if min(n, n_others) == 3 else [])


@pytest.mark.shared
def test_the_stored_table_is_that_of_the_file(monkeypatch):
    content = need_shared("unsealed/originals/models_comparison_full.csv").read_bytes()
    monkeypatch.setattr(families_at_same_accuracy, "read_source", lambda name: content)
    stored = ROOT / "data/results/networks/families_at_same_accuracy.csv"
    found = table_bytes(
        list(families_at_same_accuracy.rows()), families_at_same_accuracy.DIGITS
    )
    assert found == stored.read_bytes()
