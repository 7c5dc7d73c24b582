"""Which columns name the samples, and which only count the rows."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

import numpy as np

from calib_report.arrays import Named
from calib_report.contract import NAMES, PATTERNS


def id_names(named: Named) -> list[str]:
    """Return columns that name samples, but for an index that only counts the rows."""
    return [
        name
        for name, array in named.items()
        if _may_name(array) and _is_called_id(name, array)
    ]


def _may_name(array: np.ndarray) -> bool:
    return array.ndim == 1 and (array.dtype.kind in "iuU" or is_whole(array))


def _is_called_id(name: str, array: np.ndarray) -> bool:
    if name in NAMES["index"]:
        return not counts_up(array)
    return PATTERNS["id"].fullmatch(name.strip()) is not None


def is_whole(array: np.ndarray) -> bool:
    """Tell whether floats are whole numbers, as ids are where one was missing on the way."""
    if array.dtype.kind != "f" or array.size == 0:
        return False
    with np.errstate(invalid="ignore"):  # of bytes that are no number
        return bool((array == np.floor(array)).all())


def counts_up(column: np.ndarray) -> bool:
    """Tell whether a column counts the rows, from 0 or 1."""
    counts = column.ndim == 1 and len(column) > 0 and column.dtype.kind in "iuf"
    return bool(counts and column[0] in (0, 1) and (np.diff(column) == 1).all())


def is_unique(column: np.ndarray) -> bool:
    return len(np.unique(column)) == len(column)
