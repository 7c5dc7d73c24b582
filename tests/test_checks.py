"""Checks: what is let through, and what every error names."""

import numpy as np
import pytest

from calib import checks


def message(call, *args, **kwargs):
    with pytest.raises((ValueError, TypeError)) as error:
        call(*args, **kwargs)
    return str(error.value)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_probabilities_keep_their_type_and_values(dtype):
    p = np.array([[0.25, 0.75], [0.5, 0.5]], dtype)
    checked = checks.check_probabilities(p)
    assert checked is p


def test_float16_rows_may_be_off_by_a_hundredth():
    p = np.array([[0.5, 0.495]])
    assert checks.check_probabilities(p.astype(np.float16)).dtype == np.float16
    assert "sums to 0.995" in message(checks.check_probabilities, p)
    assert checks.check_probabilities(p, atol=0.01) is p


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([[0.5, 0.5], [0.5, 0.41]], "y_prob: row 1 sums to 0.91, expected 1 within 0.0001"),
        ([[0.5, 0.5], [1.5, -0.5]], "y_prob: row 1 holds -0.5 in column 1"),
        ([[0.5, 0.5], [np.nan, 0.5]], "y_prob: row 1 holds nan in column 0"),
        ([[np.inf, 0.5]], "y_prob: row 0 sums to inf"),
        ([[3.0, -1.0]], "softmax turns logits into probabilities"),
        ([0.5, 0.5], "y_prob: shape (2,)"),
        ([[1.0], [1.0]], "y_prob: shape (2, 1)"),
        (np.empty((0, 3)), "y_prob: shape (0, 3)"),
        (np.empty((3, 0)), "y_prob: shape (3, 0)"),
        ([[0.5, 0.5], [1.0]], "y_prob: not an array of numbers"),
        ([["a", "b"]], "y_prob: an array of type <U1"),
        ([[0.5 + 1j, 0.5]], "y_prob: an array of type complex128"),
        (None, "y_prob: an array of type object"),
        (np.ma.masked_array([[0.5, 0.5]], [[True, False]]), "y_prob: a masked array"),
    ],
)
def test_probabilities_refused(bad, said):
    assert said in message(checks.check_probabilities, bad)


def test_a_bad_row_far_down_is_named():
    p = np.full((100_000, 10), 0.1, np.float32)
    p[77_777, 3] = 0.2
    assert "row 77777 sums to 1.1" in message(checks.check_probabilities, p)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([0, 3, 1], "y_true: row 1 is 3, expected an integer from 0 to 2"),
        ([0, 1, -1], "y_true: row 2 is -1, expected an integer from 0 to 2"),
        ([0, 0.5, 1], "y_true: row 1 is 0.5, expected an integer from 0 to 2"),
        ([0, np.nan, 1], "y_true: row 1 is nan"),
        ([0, np.inf, 1], "y_true: row 1 is inf"),
        ([[0], [1], [2]], "y_true: shape (3, 1), expected (3,)"),
        ([0, 1], "y_true: shape (2,), expected (3,)"),
        ([], "y_true: shape (0,), expected (3,)"),
        (["a", "b", "c"], "y_true: an array of type <U1"),
        ([0, 1, 10**30], "y_true: an array of type object"),
    ],
)
def test_labels_refused(bad, said):
    assert said in message(checks.check_labels, bad, 3, n=3)


def test_labels_of_any_integer_type():
    for dtype in (bool, np.uint8, np.int32, np.float32):
        labels = checks.check_labels(np.array([0, 1], dtype), 2)
        assert labels.dtype == np.int64
        assert labels.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("score", "hit", "said"),
    [
        ([0.5, 1.1], [0, 1], "score: row 1 is 1.1, expected a number from 0 to 1"),
        ([-0.1, 1.0], [0, 1], "score: row 0 is -0.1"),
        ([np.nan, 1.0], [0, 1], "score: row 0 is nan"),
        ([0.5, 1.0], [0, 2], "hit: row 1 is 2, expected 0 or 1"),
        ([0.5, 1.0], [0.5, 1], "hit: row 0 is 0.5, expected 0 or 1"),
        ([0.5, 1.0], [0, np.nan], "hit: row 1 is nan, expected 0 or 1"),
        ([0.5, 1.0], [1], "hit: shape (1,), expected (2,)"),
        ([], [], "score: shape (0,), expected (n >= 1,)"),
    ],
)
def test_pairs_refused(score, hit, said):
    assert said in message(checks.check_pairs, score, hit)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ([1.0, -2.0], "sample_weight: row 1 is -2, expected a finite number, not negative"),
        ([1.0, np.nan], "sample_weight: row 1 is nan"),
        ([np.inf, 1.0], "sample_weight: row 0 is inf"),
        ([0.0, 0.0], "sample_weight: the weights sum to 0"),
        ([1.0], "sample_weight: shape (1,), expected (2,)"),
    ],
)
def test_weights_refused(bad, said):
    assert said in message(checks.check_weights, bad, 2)


def test_logits_refused():
    assert "row 1 holds nan in column 0" in message(checks.check_logits, [[0.0, 1], [np.nan, 1]])
    assert "shape (2,)" in message(checks.check_logits, [0.0, 1.0])


def test_softmax_is_exact_and_inverts_logits():
    z = np.random.default_rng(0).normal(size=(50, 7)) * 10
    loop = [[np.exp(a) / sum(np.exp(b) for b in row) for a in row] for row in z]
    np.testing.assert_allclose(checks.softmax(z), loop, rtol=1e-12)
    np.testing.assert_allclose(checks.softmax(z + 1e6), checks.softmax(z), rtol=1e-8)
    p = checks.softmax(z / 10)
    np.testing.assert_allclose(checks.softmax(checks.logits(p)), p)
    assert checks.softmax(z.astype(np.float16)).dtype == np.float32


def test_logits_of_zero_are_the_log_of_the_floor():
    z = checks.logits([[0.0, 1.0]], floor=1e-9)
    np.testing.assert_allclose(z, [[np.log(1e-9), 0.0]])
    assert "floor: 0.0" in message(checks.logits, [[0.0, 1.0]], floor=0.0)
