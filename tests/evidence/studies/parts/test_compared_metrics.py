"""Measures of hits and scores, by hand."""

import numpy as np
import pytest

from evidence.studies.parts.compared_metrics import PAIRS

HIT, SCORE = np.array([1, 0, 1, 1]), np.array([0.61, 0.62, 0.9, 0.9])


def test_the_brier_score_is_the_mean_of_the_squares():
    expected = (0.39**2 + 0.62**2 + 0.1**2 + 0.1**2) / 4
    assert PAIRS["brier"](HIT, SCORE) == pytest.approx(expected)


def test_bins_of_equal_mass_part_what_bins_of_equal_width_hold_together():
    """Of fifteen bins, .61 and .62 have one each by mass, and one together by width."""
    assert PAIRS["ece"](HIT, SCORE) == pytest.approx((abs(1 - 0.61 - 0.62) + 0.2) / 4)
    assert PAIRS["ece_mass"](HIT, SCORE) == pytest.approx((0.39 + 0.62 + 0.2) / 4)
