"""Which rows are read, in which order: `where`, empty cells, ids, long tables, a second file."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from calib_report.arrays import Arrays
from calib_report.contract import NAMES, PATTERNS, NotSaidError, ReadingError, few, is_called
from calib_report.options import Options
from calib_report.roles import Named, get
from calib_report.values import is_empty, numbers, texts

APART = "labels of the second file"  # the name of their array


def chosen(arrays: Arrays, options: Options) -> Arrays:
    """Return the rows that `where` and `leave_out_empty` choose, and what is to be told of it."""
    named, notes = dict(arrays.named), list(arrays.notes)
    for text in options.where:
        name, _, value = text.partition("=")
        kept = texts(get(named, name, "where")) == value.strip()
        if not kept.any():
            some = few(sorted({*texts(named[name]).tolist()}))
            raise ReadingError(f"where: {name!r} is never {value!r}, but {some}")
        named = _rows(named, kept, name)
        notes.append(f"Read are {kept.sum()} of {len(kept)} rows, where {name!r} is {value!r}.")
    for name in options.leave_out_empty:
        name = APART if name not in named and APART in named else name
        empty = is_empty(get(named, name, "leave-out-empty"))
        if empty.ndim > 1:  # of labels in columns, single entries are left out later
            continue
        named = _rows(named, ~empty, name)
        notes.append(f"{empty.sum()} of {len(empty)} rows leave {name!r} empty and are left out.")
    return arrays.but(named=named, notes=notes)


def _rows(named: Named, kept: np.ndarray, name: str) -> dict[str, np.ndarray]:
    if {len(array) for array in named.values()} != {len(kept)}:
        raise ReadingError(
            f"not all arrays have as many rows as {name!r}, by which rows are left out"
        )
    return {other: array[kept] for other, array in named.items()}


def widened(arrays: Arrays, options: Options) -> Arrays:
    """Return a long table, of a row for each sample and class, with a row a sample."""
    if options.long is None:
        return arrays
    named = arrays.named
    if options.y is None or options.scores is None or len(options.ids) != 1:
        raise ReadingError("long: say as well --ids, --y and --scores")
    ids = texts(get(named, options.ids[0], "ids"))
    of_class = texts(get(named, options.long, "long"))
    y = get(named, options.y, "y")
    scores = numbers(options.scores, get(named, options.scores, "scores"))
    samples, first, place = _in_order(ids)
    classes, column = np.unique(of_class, return_inverse=True)
    if len(ids) != len(samples) * len(classes) or len({*zip(place, column, strict=True)}) < len(
        ids
    ):
        raise ReadingError(
            f"long: {len(ids)} rows are not one for each of {len(samples)} samples and "
            f"{len(classes)} classes"
        )
    wide = np.empty((len(samples), len(classes)), scores.dtype)
    wide[place, column] = scores
    labels = _labels_of_long(y, place, column, classes, first)
    beside = {n: a[first] for n, a in named.items() if _is_constant(a, place, first)}
    beside |= {options.ids[0]: samples, options.y: labels, options.scores: wide}
    note = f"{len(ids)} rows are {len(samples)} samples of {len(classes)} classes."
    return arrays.but(named=beside, classes=classes.tolist(), notes=[*arrays.notes, note])


def _in_order(ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return distinct ids as they first stand, the row where each does, and the number of each."""
    samples, first, place = np.unique(ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return samples[order], first[order], np.argsort(order)[place]


def _is_constant(array: np.ndarray, place: np.ndarray, first: np.ndarray) -> bool:
    return array.ndim == 1 and bool((array == array[first][place]).all())


def _labels_of_long(
    y: np.ndarray, place: np.ndarray, column: np.ndarray, classes: np.ndarray, first: np.ndarray
) -> np.ndarray:
    """Return the label of each sample: where 1 marks its class, or as all its rows say."""
    marks = texts(y)
    if {*marks.tolist()} <= {"0", "1"} and not {"0", "1"} <= {*classes.tolist()}:
        marked = marks == "1"
        if (np.bincount(place[marked], minlength=len(first)) != 1).any():
            raise ReadingError("long: not each sample has one class whose label is 1")
        labels = np.empty(len(first), classes.dtype)
        labels[place[marked]] = classes[column[marked]]
        return labels
    if not (marks == marks[first][place]).all():
        raise ReadingError("long: rows of one sample have more than one label")
    return marks[first]


def id_names(named: Named) -> list[str]:
    """Return columns that name samples, but for an index that only counts the rows."""
    names = []
    for name, array in named.items():
        whole = array.dtype.kind in "iuU" or is_whole(array)
        if array.ndim != 1 or not whole:
            continue
        if name in NAMES["index"]:
            if not counts_up(array):
                names.append(name)
        elif PATTERNS["id"].fullmatch(name.strip()):
            names.append(name)
    return names


def is_whole(array: np.ndarray) -> bool:
    """Tell whether floats are whole numbers, as ids are where one was missing on the way."""
    with np.errstate(invalid="ignore"):  # of bytes that are no number
        return array.dtype.kind == "f" and array.size > 0 and bool((array == np.floor(array)).all())


def counts_up(column: np.ndarray) -> bool:
    """Tell whether a column counts the rows, from 0 or 1."""
    counts = column.ndim == 1 and len(column) > 0 and column.dtype.kind in "iuf"
    return bool(counts and column[0] in (0, 1) and (np.diff(column) == 1).all())


def is_unique(column: np.ndarray) -> bool:
    return len(np.unique(column)) == len(column)


def joined(
    labels: Arrays, arrays: Arrays, options: Options
) -> tuple[Arrays, tuple[str, ...] | None]:
    """Return arrays with the labels of a second file, and the names of these where it has several.

    Files that both name their samples are joined on the names that both hold; others are paired by
    position.
    """
    theirs, ours = labels.named, arrays.named
    name, names = _labels_in(theirs, ours, options)
    y = np.column_stack([theirs[n] for n in names]) if names else theirs[name]
    pair = _paired_ids(theirs, ours, options)
    if pair is None:
        n_rows = max((len(array) for array in ours.values()), default=0)
        if len(y) != n_rows:
            raise ReadingError(f"{len(y)} labels, and {n_rows} rows of scores")
        note = "Labels of the second file are paired by position, row by row."
        return arrays.but(named={**ours, APART: y}, notes=[*arrays.notes, note]), names
    first = texts(get(ours, pair[0], "ids"))
    second = texts(get(theirs, pair[1], "ids"))
    mine, other = overlap(first, second, pair[0])
    named = {n: a[mine] for n, a in ours.items() if len(a) == len(first)} | {APART: y[other]}
    notes = [f"Labels are joined on {pair[0]!r}.", *left_out(first, second, mine)]
    return arrays.but(named=named, notes=[*arrays.notes, *notes]), names


def left_out(first: np.ndarray, second: np.ndarray, mine: np.ndarray) -> list[str]:
    """Say how many samples only one of two files holds."""
    lost = [n - len(mine) for n in (len(first), len(second))]
    if not any(lost):
        return []
    return [
        f"{len(mine)} samples stand in both files; {lost[0]} of the first and {lost[1]} of the "
        "second are left out."
    ]


def overlap(first: np.ndarray, second: np.ndarray, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of two files whose names both hold, each name once."""
    for several in (first.tolist(), second.tolist()):
        twice, times = Counter(several).most_common(1)[0]
        if times > 1:
            raise ReadingError(
                f"{twice!r} stands twice in {name!r}: --ids NAME of what names each sample once; "
                f"--ignore {name} pairs the files by position"
            )
    place = {text: row for row, text in enumerate(second.tolist())}
    mine = np.array([row for row, text in enumerate(first.tolist()) if text in place], int)
    if len(mine) < max(1, min(len(first), len(second)) / 2):
        raise ReadingError(
            f"{len(mine)} names in {name!r} are in both files, of {len(first)} and {len(second)}: "
            f"--ids NAME of what names the samples; --ignore {name} pairs the files by position"
        )
    return mine, np.array([place[text] for text in first[mine].tolist()], int)


def _labels_in(theirs: Named, ours: Named, options: Options) -> tuple[str, tuple[str, ...] | None]:
    """Return the name of the labels in a file of their own, or the names of several columns."""
    if options.y is not None:
        get(theirs, options.y, "y")
        return options.y, None
    known = [name for name in theirs if is_called(name, "labels")]
    no_labels = {*id_names(theirs), *NAMES["index"], *options.ids}
    names = [name for name in theirs if name not in no_labels] or list(theirs)
    marks = [name for name in names if _holds_marks(theirs[name])]
    if marks == names and len(names) > 1 and (not known or {*names} <= {*ours}):
        return "", tuple(names)
    known = known if len(known) == 1 else names
    if len(known) == 1:
        return known[0], None
    raise NotSaidError(
        f"none has a name that says the labels; the file holds {few(theirs)}",
        *({"y": name} for name in names[:3]),
        role="y",
    )


def _holds_marks(array: np.ndarray) -> bool:
    return bool(np.isin(array[~is_empty(array)], (-1, 0, 1)).all())


def _paired_ids(theirs: Named, ours: Named, options: Options) -> tuple[str, str] | None:
    """Return columns of two files that name their samples."""
    for name in (n for n in NAMES["index"] if n in ours and n in theirs):
        counts = counts_up(ours[name]) + counts_up(theirs[name])
        columns = ours[name].ndim == theirs[name].ndim == 1
        if (
            columns
            and len(ours) > 1
            and counts == 1
            and name not in (*options.ids, *options.ignore)
        ):
            raise ReadingError(
                f"rows are numbered in both files, in other orders: --ids {name!r} joins them on "
                f"the numbers, --ignore {name!r} pairs them by position"
            )
    first, second = _names_of(ours, theirs, options), _names_of(theirs, ours, options)
    for name in first:
        if name in second:
            return name, name
    return (first[0], second[0]) if first and second else None


def _names_of(named: Named, others: Named, options: Options) -> list[str]:
    """Return what may name the samples of one of two files: by its name, or values that differ."""
    if options.ids:
        return [name for name in options.ids if name in named and named[name].ndim == 1]
    some = {n: a for n, a in named.items() if n not in options.ignore and a.ndim == 1}
    known = id_names(some)
    if known:
        return known
    alike = [{*array.tolist()} for array in others.values() if array.ndim == 1]
    names = []
    for name, array in some.items():
        if array.dtype.kind not in "iuU" or name in NAMES["index"] or not is_unique(array):
            continue
        values = {*array.tolist()}
        far = array.dtype.kind != "U" and max(values) - min(values) >= len(values)
        if array.dtype.kind == "U" or name in others or (far and values in alike):
            names.append(name)
    return names


def beside(named: Named, options: Options) -> dict[tuple[str, str], np.ndarray]:
    """Return what stands beside the samples, by what it is for and its name."""
    columns: dict[tuple[str, str], np.ndarray] = {}
    for what in ("groups", "clusters", "ids", "ignore"):
        for name in getattr(options, what):
            column = get(named, name, what)
            if what in ("clusters", "ids", "groups") and column.ndim == 1:
                _refuse_blank(name, column, what)
            columns[what, name] = column
    if not options.ids:
        unique = [name for name in id_names(named) if is_unique(named[name])]
        taken: Sequence[Any] = [name for _, name in columns]
        for name in [name for name in unique if name not in taken][:1]:
            columns["ids", name] = named[name]
    return columns


def _refuse_blank(name: str, column: np.ndarray, what: str) -> None:
    """Refuse what tells samples apart where it is empty in some: these are no sample, or group."""
    empty = is_empty(column)
    if column.dtype.kind == "M":
        empty = np.isnat(column)
    if column.dtype.kind == "U" and what == "groups":
        empty = np.char.strip(column) == ""
    if empty.any():
        raise ReadingError(
            f"{name!r} ({what}) is empty in {empty.sum()} of {len(empty)} rows, the first is row "
            f"{empty.argmax()}; such rows are left out by",
            {"leave_out_empty": (name,)},
        )
