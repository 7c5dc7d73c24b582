"""Errors without what chance adds to them: by their definition, and zero on average of noise."""

import numpy as np
import pytest
from resampled import rng

from calib.split_errors import sum_of_signs


def test_a_split_error_by_its_definition():
    """The sign is read from one part of the evidence, the size from the other."""
    sums, spread = np.array([0.3, -0.05, 0.0]), np.array([0.1, 0.1, 0.2])
    noise = spread * rng(0).standard_normal((400_000, 3))
    products = np.sign(sums + noise / 2) * (sums - 2 * noise)
    expected, margin = (
        products.sum(axis=1).mean(),
        4 * products.sum(axis=1).std() / 400_000**0.5,
    )
    assert sum_of_signs(spread)(sums) == pytest.approx(expected, abs=margin)
    assert sum_of_signs(np.zeros(3))(sums) == pytest.approx(0.35)


def test_a_split_error_of_gaps_that_are_noise_is_zero_on_average():
    spread = np.array([0.1, 0.02, 0.3])
    errors = sum_of_signs(spread)(spread * rng(1).standard_normal((200_000, 3)))
    assert abs(errors.mean()) < 4 * errors.std() / 200_000**0.5
    sums = spread * np.array([1.0, 3.0, 0.5])
    errors = sum_of_signs(spread)(sums + spread * rng(2).standard_normal((200_000, 3)))
    assert 0 < sums.sum() - errors.mean() < 0.39 * spread.sum()
