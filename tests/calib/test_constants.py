"""Shared numbers are what their comments say."""

import numpy as np
from scipy.special import ndtri

import calib
from calib import check
from calib.constants import (
    LARGE_ARRAY,
    LARGEST_FLOOR,
    MASKED_BELOW,
    NORMAL_95,
    SMALLEST_PROBABILITY,
)


def test_the_normal_quantile_is_that_of_scipy_to_the_last_bit():
    assert ndtri(0.975) == NORMAL_95


def test_no_difference_from_one_is_as_small_as_the_smallest_probability():
    assert 0 < SMALLEST_PROBABILITY < 1 - np.nextafter(1, 0)
    assert calib.as_logits([[1.0, 0.0]])[0, 1] == np.log(SMALLEST_PROBABILITY)


def test_coarse_probabilities_have_the_largest_floor():
    assert calib.floor_of([[0.5, 0.5, 0.0]]) == LARGEST_FLOOR
    assert calib.floor_of([[0.9, 0.1, 0.0]]) == LARGEST_FLOOR  # half of one vote in ten


def test_a_logit_masks_its_class_from_below_the_limit_only():
    below = np.nextafter(MASKED_BELOW, -np.inf)
    z = check.logit_rows([[2.0, MASKED_BELOW], [2.0, below]])
    assert z[:, 1].tolist() == [MASKED_BELOW, -np.inf]


def test_a_large_array_stays_in_float32():
    small = np.full((2, 2), 0.5, np.float32)
    assert calib.as_logits(small).dtype == np.float64
    large = np.broadcast_to(np.float32(0.5), (LARGE_ARRAY // 2, 2))
    assert calib.as_logits(large).dtype == np.float32
