"""Softmax against a loop, and its inverse."""

import numpy as np
from errors import message

from calib import as_logits, softmax


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
