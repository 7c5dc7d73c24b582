"""Matrices of samples and classes: read by blocks of rows or by columns, ranked, masked."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

ENTRIES_AT_ONCE = 1 << 17  # numbers looked at together; they stay in the cache
COLUMNS_AT_ONCE, ROWS_AT_ONCE = 128, 512  # of a matrix that is read by columns
BYTES_AT_ONCE = 1 << 25  # of its columns that are held


def row_blocks(matrix: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (first row, block of rows) so that each block stays in the cache."""
    step = max(1, ENTRIES_AT_ONCE // matrix.shape[1])
    for start in range(0, len(matrix), step):
        yield start, matrix[start : start + step]


def label_positions(rows: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return where the entries of the labels lie among all entries, shape (n,)."""
    return np.arange(0, rows.size, rows.shape[1]) + y


def columns(matrix: np.ndarray) -> Iterator[np.ndarray]:
    """Yield each column, shape (n,), contiguous: some are copied together, by blocks of rows."""
    n, k = matrix.shape
    # a column alone would read a whole line of the cache for each of its numbers
    together = max(
        1, min(COLUMNS_AT_ONCE, k // 4, BYTES_AT_ONCE // (n * matrix.itemsize))
    )
    for first in range(0, k, together):
        some = matrix[:, first : first + together]
        copy = np.empty(some.shape[::-1], matrix.dtype)
        for start in range(0, n, ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            copy[:, part] = some[part].T
        yield from copy


def ranking(values: np.ndarray) -> np.ndarray:
    """Return the columns of each row by falling value, ties by number, shape (n, K)."""
    # stable, so that tied classes stay in the order of their numbers
    return np.argsort(-values, axis=1, kind="stable")


def uniform_rows(
    shape: tuple[int, ...], masked: np.ndarray | None = None
) -> np.ndarray:
    """Return rows of equal probabilities, shape (n, K), of the classes that are not masked."""
    if masked is None:
        return np.broadcast_to(1 / shape[1], shape)
    return ~masked / (~masked).sum(axis=1, keepdims=True)


def masked_classes(logits: np.ndarray) -> np.ndarray | None:
    """Return where classes are masked, shape (n, K), or None where none is."""
    return np.isneginf(logits) if np.isneginf(logits.min()) else None
