"""What stands beside labels and scores: groups, clusters, names, and what is left out."""

# Mirrored by the answer desk, book/assets/desk/reading.js: change both.

import numpy as np

from calib_report.arrays import Named, column_named, without
from calib_report.columns.ids import id_names, is_unique
from calib_report.contract import ReadingError
from calib_report.options import Options
from calib_report.values import Column


def side_columns_of(
    named: Named, options: Options
) -> dict[tuple[str, str], np.ndarray]:
    """Return what stands beside labels and scores, by what it is for and its name."""
    columns: dict[tuple[str, str], np.ndarray] = {}
    for role in ("groups", "clusters", "ids", "ignore"):
        for name in getattr(options, role):
            columns[role, name] = _side_column(named, name, role)
    if options.ids:
        return columns
    # what has a role of its own names no samples
    ids = _first_ids(without(named, {name for _, name in columns}))
    return columns | {("ids", name): named[name] for name in ids}


def _side_column(named: Named, name: str, role: str) -> np.ndarray:
    column = column_named(named, name, role)
    if role != "ignore" and column.values.ndim == 1:
        _refuse_blank(column, role)
    return column.values


def _blank_entries(column: Column, role: str) -> np.ndarray:
    values = column.values
    if values.dtype.kind == "M":
        return np.isnat(values)
    # a group may well be called none or NA
    if values.dtype.kind == "U" and role == "groups":
        return np.char.strip(values) == ""
    return column.empty_entries


def _first_ids(named: Named) -> list[str]:
    """Return the first column that names each sample once, if there is one."""
    return [name for name in id_names(named) if is_unique(named[name])][:1]


def _refuse_blank(column: Column, role: str) -> None:
    """Refuse what tells samples apart where it is empty in some: these are no sample, or group."""
    empty = _blank_entries(column, role)
    if empty.any():
        raise ReadingError(
            f"{column.name!r} ({role}) is empty in {empty.sum()} of {len(empty)} rows, the "
            f"first is row {empty.argmax()}; such rows are left out by",
            {"leave_out_empty": (column.name,)},
        )
