"""Classifiers of two families beside each other."""

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


@pytest.mark.shared
def test_the_stored_table_is_that_of_the_file(monkeypatch):
    content = need_shared("unsealed/originals/models_comparison_full.csv").read_bytes()
    monkeypatch.setattr(families_at_same_accuracy, "read_source", lambda name: content)
    stored = ROOT / "data/results/networks/families_at_same_accuracy.csv"
    found = table_bytes(
        list(families_at_same_accuracy.rows()), families_at_same_accuracy.DIGITS
    )
    assert found == stored.read_bytes()
