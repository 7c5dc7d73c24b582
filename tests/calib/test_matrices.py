"""Blocks and columns are the matrix, in any order of memory; ranks, masks and labels in it."""

import numpy as np
import pytest

from calib import matrices

LONG = (
    matrices.ENTRIES_AT_ONCE // 3 + 2
)  # rows of three classes that fill more than a block


@pytest.mark.parametrize("n, k", [(1, 2), (LONG, 3), (2, matrices.ENTRIES_AT_ONCE + 1)])
def test_blocks_are_the_rows_and_name_the_first_of_them(n, k):
    matrix = np.arange(n * k).reshape(n, k)
    blocks = list(matrices.row_blocks(matrix))
    np.testing.assert_array_equal(np.concatenate([rows for _, rows in blocks]), matrix)
    for first, rows in blocks:
        assert rows.size <= max(k, matrices.ENTRIES_AT_ONCE)
        np.testing.assert_array_equal(rows[0], matrix[first])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("n, k", [(1, 2), (1000, 9), (3, 700)])
def test_columns_are_contiguous_and_come_in_their_order(n, k, order):
    matrix = np.asarray(np.arange(n * k, dtype=np.float32).reshape(n, k), order=order)
    columns = list(matrices.columns(matrix))
    np.testing.assert_array_equal(np.column_stack(columns), matrix)
    assert all(column.flags.c_contiguous for column in columns)


def test_columns_that_do_not_fit_are_copied_fewer_at_a_time(monkeypatch):
    monkeypatch.setattr(matrices, "BYTES_AT_ONCE", 8 * 10 * 2)
    matrix = np.arange(400.0).reshape(10, 40)
    np.testing.assert_array_equal(np.column_stack([*matrices.columns(matrix)]), matrix)
    assert next(matrices.columns(matrix)).base.shape == (2, 10)


def test_tied_classes_are_ranked_by_number():
    rows = np.array([[0.2, 0.4, 0.4], [0.5, 0.0, 0.5], [0.1, 0.2, 0.7]])
    assert matrices.ranking(rows).tolist() == [[1, 2, 0], [0, 2, 1], [2, 1, 0]]


def test_labels_have_their_entries_at_their_positions():
    rows, y = np.arange(12).reshape(4, 3) ** 2, np.array([2, 0, 1, 1])
    at = matrices.label_positions(rows, y)
    np.testing.assert_array_equal(rows.take(at), rows[np.arange(4), y])


def test_masked_classes_have_no_share():
    z = np.array([[0.0, -np.inf, 1.0], [0.0, 0.0, 0.0]])
    masked = matrices.masked_classes(z)
    assert masked.tolist() == [[False, True, False], [False] * 3]
    uniform = matrices.uniform_rows(z.shape, masked)
    np.testing.assert_allclose(uniform, [[0.5, 0, 0.5], [1 / 3] * 3])
    assert matrices.masked_classes(z[1:]) is None
    np.testing.assert_array_equal(matrices.uniform_rows((2, 4)), np.full((2, 4), 0.25))


def test_of_many_tied_classes_the_first_ranks_first():
    assert matrices.ranking(np.zeros((2, 99))).tolist() == [[*range(99)]] * 2
    # few distinct numbers in no order: a sort that is not stable would show
    rows = np.random.default_rng(0).random((50, 40)).round(1)
    expected = [sorted(range(40), key=lambda k, row=row: (-row[k], k)) for row in rows]
    assert matrices.ranking(rows).tolist() == expected
