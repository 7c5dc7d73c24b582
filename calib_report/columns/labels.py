"""Labels as numbers from 0, by the names of the classes or by what they count from."""

# Mirrored by the answer desk, book/assets/desk/reading.js and roles.js: change both.

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from calib_report.contract import NotJudgedError, ReadingError, listed
from calib_report.values import Column, are_whole, names_of_labels, texts


def numbered_labels(
    y: np.ndarray,
    classes: Sequence[str] | None,
    n_classes: int,
    labels_from: int | None,
    name: str,
) -> np.ndarray:
    """Return labels as numbers from 0; a label is the name of a class, or its number."""
    names = tuple(classes or ())
    Column(name, y).refuse_empty(names)
    # each label once: a million rows have few
    values, place = np.unique(y, return_inverse=True)
    labels = texts(values).tolist()
    if labels_from is None:
        codes = _codes_of_names(labels, names)
        if codes is not None:
            return codes[place]
    if y.dtype.kind == "b" and n_classes == 2:
        return values.astype(int)[place]
    return LabelColumn(name, labels, place, labels_from).codes(names, n_classes)[place]


def _codes_of_names(labels: list[str], names: Sequence[str]) -> np.ndarray | None:
    """Return the place of each label among names of classes; None where these are not they."""
    alike = names_of_labels(labels, names)
    if not alike:
        return None
    return np.array([names.index(alike[label]) for label in labels])


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """A column of labels that should be numbers: each label once, and which one a row holds."""

    name: str
    labels: list[str]
    place: np.ndarray
    labels_from: int | None

    @property
    def first(self) -> int:
        """The number of the first class."""
        return self.labels_from or 0

    def codes(self, classes: tuple[str, ...], n_classes: int) -> np.ndarray:
        """Return each label as a number from 0; a ReadingError says which is none."""
        if not are_whole(self.labels):
            self._refuse_words(classes, n_classes)
        if self.labels_from is None:
            self._refuse_numbered_names(classes)
        codes = np.array(self.labels).astype(np.int64) - self.first
        are_outside = (codes < 0) | (codes >= n_classes)
        if are_outside.any():
            self._refuse_outside(codes, are_outside, n_classes)
        return codes

    def _refuse_words(self, classes: tuple[str, ...], n_classes: int) -> None:
        """Raise the error of labels that are names, where nothing names the classes so."""
        strange = _strange_label(self.labels, classes)
        row = int(np.argmax(self.place == self.labels.index(strange)))
        problem = f"{self.name}: row {row} is {strange!r}"
        # the names were not asked, since labels_from was given
        if strange in classes:
            raise ReadingError(
                f"{problem}, the name of a class: leave out labels_from, for numbers"
            )
        if classes:
            expected = f"expected the name of a class, {listed(classes)}"
            raise ReadingError(f"{problem}, {expected}")
        are_all = len(self.labels) == n_classes
        raise ReadingError(
            f"{problem}, a name; what names the {n_classes} classes in the order of the scores, is",
            {"classes": tuple(self.labels) if are_all else "FILE"},
        )

    def _refuse_numbered_names(self, classes: tuple[str, ...]) -> None:
        """Refuse labels that are numbers beside classes whose names are other numbers."""
        if classes and are_whole(classes):
            raise ReadingError(
                f"{self.name}: labels {listed(self.labels, 4)}, and classes that are named "
                f"{listed(classes, 4)}; if labels count the columns from 0, whatever their names",
                {"labels_from": 0},
            )

    def _refuse_outside(
        self, codes: np.ndarray, are_outside: np.ndarray, n_classes: int
    ) -> None:
        """Raise the error of labels that are no number of a class, with the first row."""
        if n_classes == 2 and {*codes.tolist()} == {-1, 1}:
            raise ReadingError(
                f"{self.name}: labels -1 and 1; if these are the two classes",
                {"classes": ("-1", "1")},
            )
        row, last = int(np.argmax(are_outside[self.place])), n_classes - 1 + self.first
        value = int(codes[self.place][row]) + self.first
        problem = f"{self.name}: row {row} is {value}, expected {self.first} to {last}"
        if self.labels_from is None and _count_from_one(codes, n_classes):
            raise ReadingError(f"{problem}; if labels count from 1", {"labels_from": 1})
        raise ReadingError(
            f"{problem}; samples with this label are left out by",
            {"ignore_index": (value,)},
        )


def _count_from_one(codes: np.ndarray, n_classes: int) -> bool:
    return bool(codes.min() >= 1 and codes.max() == n_classes)


def n_classes_counted(codes: Sequence[int]) -> int:
    """Return how many classes labels count: from 0, or from the least of them up to 1.

    Examples
    --------
    >>> n_classes_counted([0, 2]), n_classes_counted([1, 3]), n_classes_counted([2, 3])
    (3, 3, 4)
    """
    # of labels from 2 on the classes 0 and 1 never occur
    first = min(codes) if min(codes) <= 1 else 0
    return max(codes) - first + 1


def refuse_regression(column: Column) -> None:
    """Refuse numbers that are no classes: not whole."""
    name, y = column.name, column.values
    if y.ndim != 1 or y.dtype.kind != "f":
        return
    with np.errstate(invalid="ignore"):
        broken = np.flatnonzero(np.isfinite(y) & (y != np.floor(y)))
    if len(broken):
        raise NotJudgedError(
            f"{name}: row {broken[0]} is {str(y[broken[0]])!r}: no class; calib judges "
            "classifiers: for regressions see the package uncertainty-toolbox"
        )


def _strange_label(labels: list[str], classes: Sequence[str]) -> str:
    """Return the first label that is the name of no class, else the first that is no number."""
    no_names = [label for label in labels if not names_of_labels([label], classes)]
    if classes and no_names:
        return no_names[0]
    return next(label for label in labels if not are_whole([label]))


def refuse_shifted(y: np.ndarray, prob: np.ndarray) -> None:
    """Refuse labels without a 0 that may count from 1, unless they clearly fit as they are."""
    if len(y) <= 5 or y.min() == 0:
        return
    row = np.arange(len(y))
    gain = prob[row, y].astype(float) - prob[row, y - 1]
    # two standard errors; of a few rows no error is known
    enough = 2 * gain.std() / sqrt(len(y)) if len(y) >= 20 else 0
    if gain.mean() <= enough:
        raise ReadingError(
            "y: no label is 0; if labels count from 1, the first option; if the first class does "
            "not occur, the second",
            {"labels_from": 1},
            {"labels_from": 0},
        )
