"""What a cell holds: nothing, a number, a class, right or wrong; cells of text as these."""

# Mirrored by the answer desk, book/assets/desk/roles.js: change both.

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from calib_report.contract import (
    NAMES,
    PATTERNS,
    ReadingError,
    normalised,
)


@dataclass(frozen=True, eq=False)
class Column:
    """An array or column of a file by its name, and what its cells hold."""

    name: str
    values: np.ndarray

    @cached_property
    def empty_entries(self) -> np.ndarray:
        return empty_entries(self.values)

    @cached_property
    def texts(self) -> np.ndarray:
        return texts(self.values)

    @cached_property
    def numbers(self) -> np.ndarray:
        """The cells as numbers; "85%", "8/10" and "[0.1, 0.9]" are, any other text is an error."""
        values = self.values
        if values.ndim == 1:
            self.refuse_empty()
        if values.dtype.kind in "biuf":
            return values
        if values.dtype.kind != "U":
            raise ReadingError(f"{self.name!r} holds {values.dtype}, expected numbers")
        if values.ndim == 1 and all(map(is_vector, values)):
            with suppress(
                ValueError
            ):  # of vectors that differ in length, or hold words
                return np.array([*map(_entries_of_cell, values)], float)
        return _numbers_of_texts(self.name, values)

    @cached_property
    def hits(self) -> np.ndarray:
        """What says right or wrong as numbers, 1 and 0."""
        words, expected = np.char.lower(self.texts), (*NAMES["true"], *NAMES["false"])
        strange = np.flatnonzero(~np.isin(words, expected))
        if len(strange):
            row = _strangest_row(self.values, strange)
            raise ReadingError(
                f"row {row} of {self.name!r}: {str(self.values[row])!r} says neither right nor "
                f"wrong, expected one of {', '.join(expected)}"
            )
        return np.isin(words, NAMES["true"]).astype(int)

    def labels_occurring(self, names: Sequence[str] = ()) -> list[str]:
        """Return the labels that occur, as text; "NA" is one where it is one of `names`."""
        return labels_occurring(self.values, names)

    def refuse_empty(self, names: Sequence[str] = ()) -> None:
        empty = empty_entries(self.values, names)
        if empty.any():
            row, n = empty.argmax(), empty.sum()
            raise ReadingError(
                f"{self.name!r} is empty in {n} of {len(empty)} rows, the first is row {row}; "
                "such rows are left out by",
                {"leave_out_empty": (self.name,)},
            )


@overload
def cluster_numbers(clusters: None) -> None: ...


@overload
def cluster_numbers(clusters: np.ndarray) -> np.ndarray: ...


@overload
def cluster_numbers(clusters: np.ndarray | None) -> np.ndarray | None: ...


def cluster_numbers(clusters: np.ndarray | None) -> np.ndarray | None:
    """Return the clusters of samples as numbers from 0; None where there are none."""
    # as calib.resampling.cluster_numbers, less its checks: ModelOutputs made them
    return None if clusters is None else np.unique(clusters, return_inverse=True)[1]


def empty_entries(values: np.ndarray, names: Sequence[str] = ()) -> np.ndarray:
    """Tell which entries are missing: nan, or text such as "" and "NA" that is none of `names`."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind != "U":
        return np.zeros(values.shape, bool)
    classes = {normalised(name) for name in names}
    # where a class is called NA, this word is no gap
    words = [
        word for word in NAMES["empty"] if not word or normalised(word) not in classes
    ]
    return np.isin(np.char.lower(np.char.strip(values)), words)


def texts(values: np.ndarray) -> np.ndarray:
    """Return entries as text, whole numbers without a point."""
    with np.errstate(invalid="ignore"):  # of bytes that are no number
        whole = values.dtype.kind == "f" and (np.floor(values) == values).all()
    # from 2 ** 53 on, floats leave whole numbers out
    if whole and float(np.abs(values).max(initial=0)) < 2**53:
        values = values.astype(np.int64)
    return np.char.strip(values.astype(str))


def labels_occurring(y: np.ndarray, names: Sequence[str] = ()) -> list[str]:
    """Return the labels that occur, as text; "NA" is one where it is one of `names`."""
    if y.ndim != 1 or len(y) == 0:
        return []
    return sorted({*texts(np.unique(y[~empty_entries(y, names)])).tolist()})


def are_whole(labels: Sequence[str]) -> bool:
    """Tell whether labels are the texts of whole numbers."""
    return all(re.fullmatch(r"-?\d{1,18}", label) for label in labels)


def are_words(values: np.ndarray) -> bool:
    """Tell whether a column holds words and no numbers, such as predicted classes."""
    if values.dtype.kind != "U" or values.ndim != 1:
        return False
    # a bracket opens a vector of numbers
    cells = (value.strip(" [") for value in values)
    return not any(map(PATTERNS["number"].match, cells))


def _entries_of_cell(vector: str) -> list[str]:
    """Return what stands in a cell such as "[0.1, 0.9]", or as numpy prints it, without commas."""
    return vector[1:-1].replace(",", " ").split()


def _numbers_of_texts(name: str, values: np.ndarray) -> np.ndarray:
    """Return cells of text as numbers."""
    if not (np.char.find(values, ".") >= 0).any():
        values = np.char.replace(values, ",", ".")  # the decimal sign of many countries
    parsed = np.empty(values.shape)
    for place, value in np.ndenumerate(values):
        parsed[place] = _number_of_text(value, name, place[0])
    return parsed


def is_vector(text: str) -> bool:
    return text[:1] == "[" and text[-1:] == "]"


def _number_of_text(value: str, name: str, row: int) -> float:
    """Return the number that a cell holds: a plain one, per cent, or a fraction."""
    text, _, divisor = value.strip().partition("/")
    divisor = divisor or "1"
    if text.endswith("%"):
        text, divisor = text[:-1].strip(), "100"
    if not (_is_number(text) and _is_number(divisor)):
        raise ReadingError(
            f"row {row} of {name!r} is {str(value)!r}, expected a number"
        )
    # of zero questions no share is known
    return float(text) / (float(divisor) or np.nan)


def _is_number(text: str) -> bool:
    # a pattern, since float takes 1_000, infinity and digits of all scripts too
    return PATTERNS["number"].fullmatch(text.strip()) is not None


def _strangest_row(values: np.ndarray, strange: np.ndarray) -> int:
    """Return the row to show: whole numbers are floats where one of them is none, which is it."""
    if values.dtype.kind == "f":
        strange = np.r_[strange[values[strange] % 1 != 0], strange]
    return int(strange[0])


def names_of_labels(labels: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return the one of `names` that each label is, whatever its case; {} where one has none."""
    if {*labels} <= {*names}:
        return dict(zip(labels, labels, strict=True))
    by_normalised = dict(zip(map(normalised, names), names, strict=True))
    alike = {label: by_normalised.get(normalised(label), "") for label in labels}
    # names that are alike but for what people vary are left alone: they may mean two things
    names_differ = len(by_normalised) == len({*names})
    return alike if names_differ and _are_one_each(alike) else {}


def _are_one_each(names: Mapping[str, str]) -> bool:
    """Tell whether each label has a name, and no two have the same."""
    values = {*names.values()}
    return len(values) == len(names) and "" not in values
