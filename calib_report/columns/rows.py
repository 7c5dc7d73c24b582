"""Which rows are read: those where a column holds a value, or is not empty."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

import numpy as np

from calib_report.arrays import Arrays, Named, column_named
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import Note, OptionError, ReadingError, listed
from calib_report.options import Condition, Options


def chosen_rows(arrays: Arrays, options: Options) -> Arrays:
    """Return the rows that `where` and `leave_out_empty` choose, and a note of each choice."""
    for condition in map(Condition.parsed, options.where):
        arrays = rows_where(arrays, condition)
    for name in options.leave_out_empty:
        arrays = _without_empty(arrays, name)
    return arrays


def rows_where(arrays: Arrays, condition: Condition) -> Arrays:
    """Return the rows where a condition holds."""
    name, value = condition.column, condition.value
    is_chosen = _rows_that_hold(arrays.named, condition)
    counts = f"{is_chosen.sum()} of {len(is_chosen)}"
    note = Note(f"Read are {counts} rows, where {name!r} is {value!r}.")
    return arrays.replaced(
        named=_with_rows_chosen(arrays.named, is_chosen, name),
        notes=[*arrays.notes, note],
    )


def _without_empty(arrays: Arrays, name: str) -> Arrays:
    """Return the rows where a column, or what a second file holds under its name, is not empty."""
    if name not in arrays.named and SECOND_LABELS in arrays.named:
        name = SECOND_LABELS
    empty = column_named(arrays.named, name, "leave_out_empty").empty_entries
    if empty.ndim > 1:  # of labels in columns, single entries are left out later
        return arrays
    note = Note(
        f"{empty.sum()} of {len(empty)} rows leave {name!r} empty and are left out."
    )
    return arrays.replaced(
        named=_with_rows_chosen(arrays.named, ~empty, name), notes=[*arrays.notes, note]
    )


def _rows_that_hold(named: Named, condition: Condition) -> np.ndarray:
    """Tell in which rows a condition holds; an error says which values there are."""
    name, value, option = condition
    column = column_named(named, name, option).texts
    holds = column == value.strip()
    if not holds.any():
        values = listed(sorted({*column.tolist()}))
        raise OptionError(option, f"{name!r} is never {value!r}, but {values}")
    return holds


def _with_rows_chosen(
    named: Named, are_chosen: np.ndarray, name: str
) -> dict[str, np.ndarray]:
    for other, array in named.items():
        if len(array) != len(are_chosen):
            raise ReadingError(
                f"{other!r} has {len(array)} rows, and {name!r}, by which rows are left out, "
                f"{len(are_chosen)}"
            )
    return {other: array[are_chosen] for other, array in named.items()}
