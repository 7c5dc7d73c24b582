"""Columns of scores by their classes: which class the name of each bears."""

# Mirrored by the answer desk, book/assets/desk/roles.js: change both.

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from calib_report.columns.labels import n_classes_counted
from calib_report.contract import (
    NAMES,
    ReadingError,
    ScoreKind,
    kind_of,
    listed,
    normalised,
)
from calib_report.values import are_whole, names_of_labels


@dataclass(frozen=True)
class ScoreColumns:
    """Names of the columns, or of the one array, of scores; their classes and kind where said."""

    columns: tuple[str, ...]
    classes: tuple[str, ...] | None = None
    kind: ScoreKind | None = None

    def bearing(self, labels: Sequence[str]) -> "ScoreColumns":
        """Return the columns of classes that are labels."""
        names = {*map(normalised, labels)}
        pairs = zip(self.columns, self.classes or (), strict=True)
        members = {column: name for column, name in pairs if normalised(name) in names}
        return ScoreColumns(tuple(members), tuple(members.values()), self.kind)


def family_of(
    members: Mapping[str, str], labels: Sequence[str], kind: ScoreKind | None
) -> ScoreColumns | None:
    """Return columns by their classes if each label has one; of two labels one may do."""
    if names_of_labels(labels, list(members)):
        return in_order_of_classes(members, kind)
    if len(members) != 1 or len(labels) != 2 or kind != "probabilities":
        return None
    ((name, column),) = members.items()
    classes = _with_event_last(labels, name)
    return None if classes is None else ScoreColumns((column,), classes, kind)


def _with_event_last(labels: Sequence[str], name: str) -> tuple[str, str] | None:
    """Return two labels, the one that a column bears behind the other; None where it bears none."""
    first, second = labels
    bears_first, bears_second = (
        normalised(first) == normalised(name),
        normalised(second) == normalised(name),
    )
    # two labels that differ in case alone say not which is meant
    if bears_first == bears_second:
        return None
    return (second, first) if bears_first else (first, second)


def in_order_of_classes(
    members: Mapping[str, str], kind: ScoreKind | None
) -> ScoreColumns:
    """Return columns in the order of their classes: of numbers by size, of names as they stand."""
    classes = list(members)
    if are_whole(classes):
        classes.sort(key=int)
    return ScoreColumns(tuple(map(members.__getitem__, classes)), tuple(classes), kind)


def families(names: Sequence[str], labels: Sequence[str]) -> list[dict[str, str]]:
    """Return columns by their classes, wherever in a name the label stands.

    What stands before and behind the label is the same in all, and joins it with a sign that is no
    letter: ``P (label=cat)``, ``bought_1_PREDICTION``; what bears no label is a class of its own.
    """
    # the first label alone: its columns tell what surrounds all
    around = chain.from_iterable(_ends_around(name, labels[0]) for name in names)
    # in the order of the names, each once
    surroundings = [Surroundings(*ends) for ends in dict.fromkeys(around)]
    return [
        each.family(names, labels)
        for each in surroundings
        if {*each.names(labels).values()} <= {*names}
    ]


class Surroundings(NamedTuple):
    """What stands before and behind a class in names of columns: ``p_`` and nothing, say."""

    start: str
    end: str

    def names(self, classes: Iterable[str]) -> dict[str, str]:
        """Return the names of columns by their classes."""
        return {name: f"{self.start}{name}{self.end}" for name in classes}

    def family(self, names: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
        """Return the columns that begin and end so by their classes, the labels' first."""
        of_labels = self.names(labels)
        if self == ("", ""):  # what everything begins with
            return of_labels
        inner = filter(_may_be_class, map(self.inner, names))
        return of_labels | self.names(inner)

    def inner(self, name: str) -> str:
        """Return what stands between; nothing of a name that does not begin and end so."""
        inner = name[len(self.start) : len(name) - len(self.end)]
        return inner if name == f"{self.start}{inner}{self.end}" else ""


def _may_be_class(text: str) -> bool:
    return text != "" and text.lower() not in NAMES["statistics"]


def _ends_around(name: str, label: str) -> Iterator[tuple[str, str]]:
    """Yield what stands around a label in a name."""
    for place in re.finditer(re.escape(label), name):
        start, end = name[: place.start()], name[place.end() :]
        if _stands_apart(start[-1:], end[:1], label):
            yield start, end


def _stands_apart(before: str, behind: str, label: str) -> bool:
    """Tell whether a label is a word of a name; a number may stand between letters."""
    if label.isdecimal():
        return not (before.isdecimal() or behind.isdecimal())
    return not (before.isalnum() or behind.isalnum())


def columns_with_classes(
    columns: tuple[str, ...], labels: Sequence[str], classes: Sequence[str] | None
) -> ScoreColumns:
    """Return columns in the order in which they were named, with the classes that names bear."""
    kind = _common_kind(columns)
    if classes is not None and len(classes) == len(columns):
        return ScoreColumns(
            _columns_ending_in(columns, classes) or columns, tuple(classes), kind
        )
    names = _classes_borne(columns, labels)
    if names:
        return ScoreColumns(columns, names, kind)
    _refuse_other_number(columns, labels)
    # without a label in them, their own names are those of the classes
    return ScoreColumns(columns, columns if len(columns) > 1 else None, kind)


def _common_kind(columns: Sequence[str]) -> ScoreKind | None:
    """Return the kind that all names say."""
    kinds = {*map(kind_of, columns)}
    return kinds.pop() if len(kinds) == 1 else None


def _columns_ending_in(
    columns: Sequence[str], classes: Sequence[str]
) -> tuple[str, ...]:
    """Return the columns in the order of the classes that end their names; none if one has none."""
    bearing = [_last_column_of(columns, name) for name in classes]
    # a column for each class, and none for two of them
    are_all = None not in bearing and len({*bearing}) == len({*classes}) == len(classes)
    return tuple(column for column in bearing if column) if are_all else ()


def _last_column_of(columns: Sequence[str], name: str) -> str | None:
    """Return the last column whose name a class ends."""
    bearing = [
        column for column in columns if normalised(column).endswith(normalised(name))
    ]
    return bearing[-1] if bearing else None


def _classes_borne(columns: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """Return the classes that all columns bear in their names, such as P (label=cat)."""
    for family in families(columns, labels) if labels else []:
        if len(family) == len(columns):
            of_column = dict(zip(family.values(), family, strict=True))
            return tuple(map(of_column.__getitem__, columns))
    return ()


def _refuse_other_number(columns: Sequence[str], labels: Sequence[str]) -> None:
    """Refuse columns in another number than that of the labels' codes, which do not name them."""
    if not labels or not are_whole(labels) or names_of_labels(labels, columns):
        return
    codes = sorted(map(int, labels))
    _refuse_other_codes(trailing_numbers(columns), codes)
    n_codes = n_classes_counted(codes)
    # of two columns one class may never occur
    if len(columns) > max(2, n_codes):
        raise ReadingError(
            f"{len(columns)} columns of scores, and labels from {codes[0]} to {codes[-1]}: "
            f"--scores with {n_codes} of them; or, where classes do not occur, name all in the "
            "order of the columns: --classes A,B,C"
        )


def _refuse_other_codes(numbers: list[int], codes: list[int]) -> None:
    """Refuse columns with numbers that do not count them and are not the labels'."""
    counted = list(range(numbers[0], numbers[0] + len(numbers))) if numbers else []
    if numbers != counted and codes != sorted(numbers):
        raise ReadingError(
            f"columns are numbered {listed(numbers)}, and labels are {listed(codes)}: which is "
            "whose is said by --classes A,B,C, in the order of the columns"
        )


def trailing_numbers(columns: Sequence[str]) -> list[int]:
    """Return the numbers that names end in; nothing where one has none."""
    matches = [re.search(r"(\d{1,18})$", column) for column in columns]
    return [int(match[1]) for match in matches if match] if all(matches) else []
