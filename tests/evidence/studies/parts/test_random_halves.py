"""Metrics over random halves, as a paper computes them."""

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
