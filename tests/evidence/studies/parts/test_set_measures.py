"""Measures of prediction sets, by hand."""

from types import SimpleNamespace

import numpy as np
import pytest

from evidence.studies.parts.set_measures import class_gap, measure_sets

# of two classes: whether each is in the set of a sample
SETS = np.array([[1, 0], [1, 1], [1, 0], [0, 0]], bool)


def test_coverage_of_each_class_is_compared_with_what_is_promised():
    """Of class 0 one of two is covered, .4 less than .9, of class 2 both, .1 more."""
    y, covered = np.array([0, 0, 2, 2]), np.array([True, False, True, True])
    assert class_gap(y, covered) == pytest.approx((0.4 + 0.1) / 2)


def test_sets_are_counted():
    fitted = SimpleNamespace(predict=lambda p, rng: SETS)
    measured = measure_sets(fitted, None, np.array([0, 1, 1, 0]), None)
    assert measured == {
        "coverage": 0.5,
        "size": 1.0,
        "class_gap": pytest.approx(0.4),
        "empty": 0.25,
        "single": 0.5,
    }
