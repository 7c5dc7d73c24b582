"""Which rows are read, in which order: `where`, empty cells, ids, long tables, a second file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, Named, column_named, without
from calib_report.contract import (
    NAMES,
    PATTERNS,
    Note,
    NotSaidError,
    ReadingError,
    all_called,
    listed,
)
from calib_report.options import Options
from calib_report.values import is_empty, numbers, texts

APART = "labels of the second file"  # the name of their array


def chosen_rows(arrays: Arrays, options: Options) -> Arrays:
    """Return the rows that `where` and `leave_out_empty` choose, and a note of each choice."""
    for text in options.where:
        arrays = _where(arrays, text)
    for name in options.leave_out_empty:
        arrays = _without_empty(arrays, name)
    return arrays


def _where(arrays: Arrays, text: str) -> Arrays:
    """Return the rows that hold a value, named as COLUMN=VALUE."""
    name, _, value = text.partition("=")
    is_chosen = _is_value(arrays.named, name, value)
    counts = f"{is_chosen.sum()} of {len(is_chosen)}"
    note = Note(f"Read are {counts} rows, where {name!r} is {value!r}.")
    return arrays.but(
        named=_rows(arrays.named, is_chosen, name), notes=[*arrays.notes, note]
    )


def _without_empty(arrays: Arrays, name: str) -> Arrays:
    """Return the rows where a column, or what a second file holds under its name, is not empty."""
    if name not in arrays.named and APART in arrays.named:
        name = APART
    empty = is_empty(column_named(arrays.named, name, "leave-out-empty"))
    if empty.ndim > 1:  # of labels in columns, single entries are left out later
        return arrays
    note = Note(
        f"{empty.sum()} of {len(empty)} rows leave {name!r} empty and are left out."
    )
    return arrays.but(
        named=_rows(arrays.named, ~empty, name), notes=[*arrays.notes, note]
    )


def _is_value(named: Named, name: str, value: str) -> np.ndarray:
    """Tell which rows hold a value; an error says which values there are."""
    column = texts(column_named(named, name, "where"))
    is_value = column == value.strip()
    if not is_value.any():
        values = listed(sorted({*column.tolist()}))
        raise ReadingError(f"where: {name!r} is never {value!r}, but {values}")
    return is_value


def _rows(named: Named, are_chosen: np.ndarray, name: str) -> dict[str, np.ndarray]:
    if {len(array) for array in named.values()} != {len(are_chosen)}:
        raise ReadingError(
            f"not all arrays have as many rows as {name!r}, by which rows are left out"
        )
    return {other: array[are_chosen] for other, array in named.items()}


def widened_to_samples(arrays: Arrays, options: Options) -> Arrays:
    """Return a long table, of a row for each sample and class, with a row a sample."""
    if options.long is None:
        return arrays
    if options.y is None or options.scores is None or len(options.ids) != 1:
        raise ReadingError("long: say as well --ids, --y and --scores")
    named = arrays.named
    ids = column_named(named, options.ids[0], "ids")
    long = LongTable.of(texts(ids), texts(column_named(named, options.long, "long")))
    labels = column_named(named, options.y, "y")
    scores = numbers(options.scores, column_named(named, options.scores, "scores"))
    long.refuse_holes()
    of_samples = {
        options.ids[0]: long.samples,
        options.y: long.labels(texts(labels)),
        options.scores: long.wide(scores),
    }
    note = Note(
        f"{len(ids)} rows are {len(long.samples)} samples of {len(long.classes)} "
        "classes."
    )
    return arrays.but(
        named=long.constant(named) | of_samples,
        classes=long.classes.tolist(),
        notes=[*arrays.notes, note],
    )


@dataclass(frozen=True, eq=False)
class LongTable:
    """A table with a row for each sample and class.

    Attributes
    ----------
    samples : ndarray, shape (n,)
        Names of the samples, as they first stand.
    first : ndarray of int, shape (n,)
        The row where each first stands.
    classes : ndarray, shape (K,)
    sample, column : ndarray of int, shape (n * K,)
        The number of the sample, and of the class, of each row.
    """

    samples: np.ndarray
    first: np.ndarray
    classes: np.ndarray
    sample: np.ndarray
    column: np.ndarray

    @classmethod
    def of(cls, ids: np.ndarray, of_class: np.ndarray) -> "LongTable":
        samples, first, place = np.unique(ids, return_index=True, return_inverse=True)
        classes, column = np.unique(of_class, return_inverse=True)
        # unique sorts the ids, and the file's order is what a user knows
        order = np.argsort(first)
        number = np.argsort(order)[place]
        return cls(samples[order], first[order], classes, number, column)

    def refuse_holes(self) -> None:
        """Refuse a table that has not one row for each cell of the wide one."""
        n, k = len(self.samples), len(self.classes)
        cell = self.sample * k + self.column
        if len(cell) != n * k or len(np.unique(cell)) < len(cell):
            raise ReadingError(
                f"long: {len(cell)} rows are not one for each of {n} samples and {k} classes"
            )

    def wide(self, scores: np.ndarray) -> np.ndarray:
        """Return scores with a row a sample, and a column a class."""
        # every cell is filled: there are no holes
        wide = np.empty((len(self.samples), len(self.classes)), scores.dtype)
        wide[self.sample, self.column] = scores
        return wide

    def constant(self, named: Named) -> dict[str, np.ndarray]:
        """Return what says the same in all rows of a sample: it is of the sample."""
        columns = {name: column for name, column in named.items() if column.ndim == 1}
        return {n: c[self.first] for n, c in columns.items() if self._is_constant(c)}

    def _is_constant(self, column: np.ndarray) -> bool:
        return bool((column == column[self.first][self.sample]).all())

    def labels(self, entries: np.ndarray) -> np.ndarray:
        """Return the label of each sample: where 1 marks its class, or as all its rows say."""
        if self._are_marks(entries):
            return self._marked(entries == "1")
        if not self._is_constant(entries):
            raise ReadingError("long: rows of one sample have more than one label")
        return entries[self.first]

    def _are_marks(self, entries: np.ndarray) -> bool:
        """Tell whether labels are 0 and 1, and these are not the classes themselves."""
        marks = {"0", "1"}
        return {*entries.tolist()} <= marks and not marks <= {*self.classes.tolist()}

    def _marked(self, is_marked: np.ndarray) -> np.ndarray:
        """Return the class of the marked row of each sample."""
        rows = np.flatnonzero(is_marked)
        if (np.bincount(self.sample[rows], minlength=len(self.samples)) != 1).any():
            raise ReadingError("long: not each sample has one class whose label is 1")
        return self.classes[self.column[rows[np.argsort(self.sample[rows])]]]


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


@dataclass(frozen=True)
class LabelFile:
    """The labels of a second file, and the names of their columns where it has several."""

    y: np.ndarray
    columns: tuple[str, ...] | None

    @classmethod
    def of(cls, theirs: Named, ours: Named, options: Options) -> "LabelFile":
        if options.y is not None:
            return cls(column_named(theirs, options.y, "y"), None)
        columns = _columns_of_marks(theirs, ours, options)
        if columns:
            return cls(np.column_stack([theirs[name] for name in columns]), columns)
        return cls(theirs[_only_labels(theirs, options)], None)


def joined_with_labels(
    labels: Arrays, arrays: Arrays, options: Options
) -> tuple[Arrays, tuple[str, ...] | None]:
    """Return arrays with the labels of a second file, and the names of these where it has several.

    Files that both name their samples are joined on the names that both hold; others are paired by
    position.
    """
    theirs, ours = labels.named, arrays.named
    second = LabelFile.of(theirs, ours, options)
    pair = _paired_ids(theirs, ours, options)
    if pair is None:
        return _by_position(second.y, arrays), second.columns
    our_ids = texts(column_named(ours, pair[0], "ids"))
    their_ids = texts(column_named(theirs, pair[1], "ids"))
    mine, other = overlap(our_ids, their_ids, pair[0])
    named = {
        name: array[mine] for name, array in ours.items() if len(array) == len(our_ids)
    }
    named[APART] = second.y[other]
    joined = Note(f"Labels are joined on {pair[0]!r}.")
    notes = [*arrays.notes, joined, *left_out(our_ids, their_ids, mine)]
    return arrays.but(named=named, notes=notes), second.columns


def _by_position(y: np.ndarray, arrays: Arrays) -> Arrays:
    n_rows = max((len(array) for array in arrays.named.values()), default=0)
    if len(y) != n_rows:
        raise ReadingError(f"{len(y)} labels, and {n_rows} rows of scores")
    # worth a note: a file in another order would be read wrongly
    note = Note("Labels of the second file are paired by position, row by row.")
    return arrays.but(named={**arrays.named, APART: y}, notes=[*arrays.notes, note])


def left_out(first: np.ndarray, second: np.ndarray, mine: np.ndarray) -> list[Note]:
    """Say how many samples only one of two files holds."""
    lost = [n - len(mine) for n in (len(first), len(second))]
    if not any(lost):
        return []
    return [
        Note(
            f"{len(mine)} samples stand in both files; {lost[0]} of the first and {lost[1]} of "
            "the second are left out."
        )
    ]


def overlap(
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


def _possible_labels(theirs: Named, options: Options) -> list[str]:
    """Return the columns of a file of labels that do not name its rows."""
    aside = {*id_names(theirs), *NAMES["index"], *options.ids}
    return [name for name in theirs if name not in aside] or list(theirs)


def _columns_of_marks(theirs: Named, ours: Named, options: Options) -> tuple[str, ...]:
    """Return columns of 0, 1 and -1, one for each label, where a file of labels holds no others."""
    names = _possible_labels(theirs, options)
    if len(names) < 2 or not all(_holds_marks_or_masks(theirs[name]) for name in names):
        return ()
    # beside a column of labels they may be anything, unless they name columns of scores
    are_classes = {*names} <= {*ours} or not all_called(theirs, "labels")
    return tuple(names) if are_classes else ()


def _only_labels(theirs: Named, options: Options) -> str:
    """Return the only column that may be the labels."""
    names = _possible_labels(theirs, options)
    called = all_called(theirs, "labels")
    candidates = called if len(called) == 1 else names
    if len(candidates) == 1:
        return candidates[0]
    raise NotSaidError(
        f"none has a name that says the labels; the file holds {listed(theirs)}",
        *({"y": name} for name in names[:3]),
        role="y",
    )


def _holds_marks_or_masks(array: np.ndarray) -> bool:
    return bool(np.isin(array[~is_empty(array)], (-1, 0, 1)).all())


def _paired_ids(theirs: Named, ours: Named, options: Options) -> tuple[str, str] | None:
    """Return columns of two files that name their samples."""
    _refuse_other_index(theirs, ours, options)
    our_names = _names_of(ours, theirs, options)
    their_names = _names_of(theirs, ours, options)
    # a name in both files goes before any two that differ
    common = [name for name in our_names if name in their_names]
    if common:
        return common[0], common[0]
    return (our_names[0], their_names[0]) if our_names and their_names else None


def _refuse_other_index(theirs: Named, ours: Named, options: Options) -> None:
    """Refuse two files of which one only counts its rows, and the other numbers them otherwise."""
    in_both = {*NAMES["index"]} & {*ours} & {*theirs}
    in_both -= {*options.ids, *options.ignore}
    for name in filter(in_both.__contains__, NAMES["index"]):
        if len(ours) > 1 and _one_counts(ours[name], theirs[name]):
            raise ReadingError(
                f"rows are numbered in both files, in other orders: --ids {name!r} joins them on "
                f"the numbers, --ignore {name!r} pairs them by position"
            )


def _one_counts(first: np.ndarray, second: np.ndarray) -> bool:
    """Tell whether only one of two columns counts its rows."""
    return first.ndim == second.ndim == 1 and counts_up(first) != counts_up(second)


def _names_of(named: Named, others: Named, options: Options) -> list[str]:
    """Return what may name the samples of one of two files: by its name, or values that differ."""
    columns = _columns(named)
    if options.ids:
        return [name for name in options.ids if name in columns]
    columns = without(columns, options.ignore)
    return id_names(columns) or _names_by_values(columns, _columns(others))


def _names_by_values(columns: Named, others: Named) -> list[str]:
    """Return columns whose entries differ: whose name, words or numbers another file has too."""
    entries_there = [{*array.tolist()} for array in others.values()]
    unique = [name for name, array in columns.items() if _are_names(array, name)]
    return [n for n in unique if n in others or _are_values(columns[n], entries_there)]


def _columns(named: Named) -> dict[str, np.ndarray]:
    return {name: array for name, array in named.items() if array.ndim == 1}


def _are_names(array: np.ndarray, name: str) -> bool:
    """Tell whether each entry of a column is another one, and not the count of its row."""
    return array.dtype.kind in "iuU" and name not in NAMES["index"] and is_unique(array)


def _are_values(array: np.ndarray, entries_there: Sequence[set[Any]]) -> bool:
    """Tell whether unique entries are words, or numbers with gaps that another file has too."""
    if array.dtype.kind == "U":
        return True
    entries = {*array.tolist()}
    # numbers without a gap count the rows of any file
    return max(entries) - min(entries) >= len(entries) and entries in entries_there


def columns_aside(named: Named, options: Options) -> dict[tuple[str, str], np.ndarray]:
    """Return what stands beside labels and scores, by what it is for and its name."""
    columns: dict[tuple[str, str], np.ndarray] = {}
    for role in ("groups", "clusters", "ids", "ignore"):
        for name in getattr(options, role):
            columns[role, name] = _column_aside(named, name, role)
    if options.ids:
        return columns
    # what has a role of its own names no samples
    ids = _first_ids(without(named, {name for _, name in columns}))
    return columns | {("ids", name): named[name] for name in ids}


def _column_aside(named: Named, name: str, role: str) -> np.ndarray:
    column = column_named(named, name, role)
    if role != "ignore" and column.ndim == 1:
        _refuse_blank(name, column, role)
    return column


def _are_blank(column: np.ndarray, what: str) -> np.ndarray:
    if column.dtype.kind == "M":
        return np.isnat(column)
    # a group may well be called none or NA
    if column.dtype.kind == "U" and what == "groups":
        return np.char.strip(column) == ""
    return is_empty(column)


def _first_ids(named: Named) -> list[str]:
    """Return the first column that names each sample once, if there is one."""
    return [name for name in id_names(named) if is_unique(named[name])][:1]


def _refuse_blank(name: str, column: np.ndarray, what: str) -> None:
    """Refuse what tells samples apart where it is empty in some: these are no sample, or group."""
    empty = _are_blank(column, what)
    if empty.any():
        raise ReadingError(
            f"{name!r} ({what}) is empty in {empty.sum()} of {len(empty)} rows, the first is row "
            f"{empty.argmax()}; such rows are left out by",
            {"leave_out_empty": (name,)},
        )
