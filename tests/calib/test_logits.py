"""Softmax against a loop, and its inverse."""

import numpy as np
import pytest
from errors import message

import calib
from calib import as_logits, floor_of, softmax


def test_softmax_is_exact_and_inverts_logits():
    z = np.random.default_rng(0).normal(size=(50, 7)) * 10
    loop = [[np.exp(a) / sum(np.exp(b) for b in row) for a in row] for row in z]
    np.testing.assert_allclose(softmax(z), loop, rtol=1e-12)
    np.testing.assert_allclose(softmax(z + 1e6), softmax(z), rtol=1e-8)
    p = softmax(z / 10)
    np.testing.assert_allclose(softmax(as_logits(p)), p)
    assert softmax(z.astype(np.float16)).dtype == np.float32


def test_logits_of_zero_are_the_log_of_the_floor():
    z = as_logits([[0.0, 1.0]], floor=1e-9)
    np.testing.assert_allclose(z, [[np.log(1e-9), 0.0]])
    assert "floor: 0.0" in message(as_logits, [[0.0, 1.0]], floor=0.0)
    error = message(as_logits, [[0.0, 1.0]], floor=1)
    assert "floor: 1, expected a number between 0 and 1" in error


@pytest.mark.parametrize(
    ("arrays", "floor"),
    [
        ([[0.3, 0.7]], 1e-16),  # none is zero
        ([[0.0, 0.04, 0.96]], 0.02),
        (
            [[0.0, 0.3], [0.06, 0.9]],
            0.03,
        ),  # the least of all arrays, wherever the zero is
        ([[0.06, 0.9], [0.0, 0.3]], 0.03),
        ([[0.0, 1.0]], 0.05),
        ([[0.0, 1e-20, 1.0]], 1e-16),
    ],
)
def test_a_floor_is_half_of_the_least_probability_where_some_are_zero(arrays, floor):
    assert floor_of(*arrays) == pytest.approx(floor, abs=0)


@pytest.mark.parametrize("given_in", [np.float16, np.float32, np.float64])
def test_only_large_arrays_of_narrow_numbers_stay_narrow(given_in, monkeypatch):
    p = np.full((2, 4), 0.25, given_in)
    monkeypatch.setattr(calib.logits, "LARGE_ARRAY", 8)
    expected = np.float64 if given_in is np.float64 else np.float32
    assert as_logits(p).dtype == expected
    assert as_logits(p[:1]).dtype == np.float64
