"""Labels of a second file: joined on the names of the samples, or paired by position."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, Named, column_named, without
from calib_report.columns.ids import counts_up, id_names, is_unique
from calib_report.contract import (
    NAMES,
    Note,
    NotSaidError,
    ReadingError,
    all_called,
    listed,
)
from calib_report.options import Options
from calib_report.values import empty_entries

SECOND_LABELS = "labels of the second file"  # the name of their array


@dataclass(frozen=True)
class LabelFile:
    """The labels of a second file, and the names of their columns where it has several."""

    y: np.ndarray
    columns: tuple[str, ...] | None

    @classmethod
    def found_in(
        cls, label_columns: Named, score_columns: Named, options: Options
    ) -> "LabelFile":
        if options.y is not None:
            return cls(column_named(label_columns, options.y, "y").values, None)
        columns = _columns_of_marks(label_columns, score_columns, options)
        if columns:
            return cls(
                np.column_stack([label_columns[name] for name in columns]), columns
            )
        return cls(label_columns[_only_labels(label_columns, options)], None)


def joined_with_labels(
    labels: Arrays, arrays: Arrays, options: Options
) -> tuple[Arrays, tuple[str, ...] | None]:
    """Return arrays with the labels of a second file, and the names of these where it has several.

    Files that both name their samples are joined on the names that both hold; others are paired by
    position.
    """
    first, second = arrays.named, labels.named
    label_file = LabelFile.found_in(second, first, options)
    pair = _paired_ids(first, second, options)
    if pair is None:
        return _paired_by_position(label_file.y, arrays), label_file.columns
    first_ids = column_named(first, pair[0], "ids").texts
    second_ids = column_named(second, pair[1], "ids").texts
    rows_of_first, rows_of_second = rows_in_both(first_ids, second_ids, pair[0])
    named = {
        name: array[rows_of_first]
        for name, array in first.items()
        if len(array) == len(first_ids)
    }
    named[SECOND_LABELS] = label_file.y[rows_of_second]
    joined = Note(f"Labels are joined on {pair[0]!r}.")
    notes = [
        *arrays.notes,
        joined,
        *notes_of_samples_left_out(len(first_ids), len(second_ids), len(rows_of_first)),
    ]
    return arrays.replaced(named=named, notes=notes), label_file.columns


def _paired_by_position(y: np.ndarray, arrays: Arrays) -> Arrays:
    n_rows = max((len(array) for array in arrays.named.values()), default=0)
    if len(y) != n_rows:
        raise ReadingError(f"{len(y)} labels, and {n_rows} rows of scores")
    # worth a note: a file in another order would be read wrongly
    note = Note("Labels of the second file are paired by position, row by row.")
    return arrays.replaced(
        named={**arrays.named, SECOND_LABELS: y}, notes=[*arrays.notes, note]
    )


def notes_of_samples_left_out(n_first: int, n_second: int, n_joined: int) -> list[Note]:
    """Say how many samples only one of two files holds."""
    lost = [n_first - n_joined, n_second - n_joined]
    if not any(lost):
        return []
    return [
        Note(
            f"{n_joined} samples stand in both files; {lost[0]} of the first and {lost[1]} of "
            "the second are left out."
        )
    ]


def rows_in_both(
    first: np.ndarray, second: np.ndarray, name: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of two files whose names both hold, each name once."""
    names, names_there = first.tolist(), second.tolist()
    _refuse_twice(names, name)
    _refuse_twice(names_there, name)
    row_there = dict(zip(names_there, range(len(second)), strict=True))
    rows = [row for row, text in enumerate(names) if text in row_there]
    if len(rows) < max(1, min(len(first), len(second)) / 2):
        raise ReadingError(
            f"{len(rows)} names in {name!r} are in both files, of {len(first)} and {len(second)}: "
            f"--ids NAME of what names the samples; --ignore {name} pairs the files by position"
        )
    return np.array(rows, int), np.array([row_there[names[row]] for row in rows], int)


def _refuse_twice(names: list[str], column: str) -> None:
    twice, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ReadingError(
            f"{twice!r} stands twice in {column!r}: --ids NAME of what names each sample once; "
            f"--ignore {column} pairs the files by position"
        )


def _possible_labels(label_columns: Named, options: Options) -> list[str]:
    """Return the columns of a file of labels that do not name its rows."""
    no_labels = {*id_names(label_columns), *NAMES["index"], *options.ids}
    return [name for name in label_columns if name not in no_labels] or list(
        label_columns
    )


def _columns_of_marks(
    label_columns: Named, score_columns: Named, options: Options
) -> tuple[str, ...]:
    """Return columns of 0, 1 and -1, one for each label, where a file of labels holds no others."""
    names = _possible_labels(label_columns, options)
    if len(names) < 2 or not all(
        _holds_marks_or_masks(label_columns[name]) for name in names
    ):
        return ()
    # beside a column of labels they may be anything, unless they name columns of scores
    are_classes = {*names} <= {*score_columns} or not all_called(
        label_columns, "labels"
    )
    return tuple(names) if are_classes else ()


def _only_labels(label_columns: Named, options: Options) -> str:
    """Return the only column that may be the labels."""
    names = _possible_labels(label_columns, options)
    called = all_called(label_columns, "labels")
    candidates = called if len(called) == 1 else names
    if len(candidates) == 1:
        return candidates[0]
    raise NotSaidError(
        f"none has a name that says the labels; the file holds {listed(label_columns)}",
        *({"y": name} for name in names[:3]),
        role="y",
    )


def _holds_marks_or_masks(array: np.ndarray) -> bool:
    return bool(np.isin(array[~empty_entries(array)], (-1, 0, 1)).all())


def _paired_ids(
    first: Named, second: Named, options: Options
) -> tuple[str, str] | None:
    """Return columns of two files that name their samples."""
    _refuse_other_index(first, second, options)
    first_names = _id_columns(first, second, options)
    second_names = _id_columns(second, first, options)
    # a name in both files goes before any two that differ
    common = [name for name in first_names if name in second_names]
    if common:
        return common[0], common[0]
    return (first_names[0], second_names[0]) if first_names and second_names else None


def _refuse_other_index(first: Named, second: Named, options: Options) -> None:
    """Refuse two files of which one only counts its rows, and the other numbers them otherwise."""
    in_both = {*NAMES["index"]} & {*first} & {*second}
    in_both -= {*options.ids, *options.ignore}
    for name in filter(in_both.__contains__, NAMES["index"]):
        if len(first) > 1 and _only_one_counts(first[name], second[name]):
            raise ReadingError(
                f"rows are numbered in both files, in other orders: --ids {name!r} joins them on "
                f"the numbers, --ignore {name!r} pairs them by position"
            )


def _only_one_counts(first: np.ndarray, second: np.ndarray) -> bool:
    """Tell whether only one of two columns counts its rows."""
    return first.ndim == second.ndim == 1 and counts_up(first) != counts_up(second)


def _id_columns(named: Named, others: Named, options: Options) -> list[str]:
    """Return what may name the samples of one of two files: by its name, or values that differ."""
    columns = _one_dimensional(named)
    if options.ids:
        return [name for name in options.ids if name in columns]
    columns = without(columns, options.ignore)
    return id_names(columns) or _names_by_values(columns, _one_dimensional(others))


def _names_by_values(columns: Named, others: Named) -> list[str]:
    """Return columns whose entries differ: whose name, words or numbers another file has too."""
    entries_there = [{*array.tolist()} for array in others.values()]
    unique = [name for name, array in columns.items() if _are_names(array, name)]
    return [
        n
        for n in unique
        if n in others or _are_words_or_shared_numbers(columns[n], entries_there)
    ]


def _one_dimensional(named: Named) -> dict[str, np.ndarray]:
    return {name: array for name, array in named.items() if array.ndim == 1}


def _are_names(array: np.ndarray, name: str) -> bool:
    """Tell whether each entry of a column is another one, and not the count of its row."""
    return array.dtype.kind in "iuU" and name not in NAMES["index"] and is_unique(array)


def _are_words_or_shared_numbers(
    array: np.ndarray, entries_there: Sequence[set[Any]]
) -> bool:
    """Tell whether unique entries are words, or numbers with gaps that another file has too."""
    if array.dtype.kind == "U":
        return True
    entries = {*array.tolist()}
    # numbers without a gap count the rows of any file
    return max(entries) - min(entries) >= len(entries) and entries in entries_there
