"""Priors of classes, where the truth is known."""

import numpy as np
import pytest
from stored_rows import same_of_source

from evidence.studies.promises import class_priors


def test_priors_by_the_confusion_matrix():
    """With a known confusion it is inverted."""
    rng = np.random.default_rng(0)
    confusion = np.array([[0.8, 0.3], [0.2, 0.7]])
    y_own, y = rng.integers(2, size=50_000), (rng.random(50_000) < 0.9).astype(int)
    says = [(rng.random(len(t)) < confusion[1, t]).astype(int) for t in (y_own, y)]
    found = class_priors.confusion_priors(np.eye(2)[says[0]], y_own, np.eye(2)[says[1]])
    assert found == pytest.approx([0.1, 0.9], abs=0.02)


@pytest.mark.shared
def test_a_source_is_computed_again(monkeypatch):
    source = "ferrer-pneumonia-resnet50"
    same_of_source(class_priors.in_new_worlds, source, "class_priors", monkeypatch)
