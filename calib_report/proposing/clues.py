"""Clues: what in a file may be labels or scores, by names and values."""

# Mirrored by the answer desk, book/assets/desk/proposals.js: change both.

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from calib_report.columns.roles import is_column, labels_occurring_in
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import (
    NAMES,
    PATTERNS,
    all_called,
    in_small_letters,
    is_called,
    is_exactly_called,
)
from calib_report.options import Options
from calib_report.values import are_words

MOST_DISTINCT = 2000  # distinct values of what may be a column of labels


@dataclass(frozen=True)
class Clues:
    """The arrays of a file that may have a role, and what is said of them."""

    named: Mapping[str, np.ndarray]
    options: Options

    def called(self, *roles: str) -> list[str]:
        """Return what bears the name of one of some roles, such as "predicted"."""
        return all_called(self.named, *roles)

    def where(self, fits: Callable[[str, np.ndarray], bool]) -> list[str]:
        """Return the names that fit with their arrays."""
        return [name for name, array in self.named.items() if fits(name, array)]

    def columns_of_scores(self, *without: str) -> list[str]:
        """Return columns of numbers, but for those that name or number something."""
        return without_names(self.where(_may_be_scores), *without)

    def columns_of_labels(self) -> list[str]:
        """Return what may be the labels, the likeliest first."""
        if self.options.y is not None:
            return [self.options.y] if self.options.y in self.named else []
        if SECOND_LABELS in self.named:
            return [SECOND_LABELS]
        # names of the contract, then what people call labels, then what looks like them
        likeliest = (_is_label, _is_called_labels, _may_be_a_label)
        return list(dict.fromkeys(chain.from_iterable(map(self.where, likeliest))))

    def arrays_of_labels(self) -> list[str]:
        """Return what is called labels and has a column a class."""
        return [name for name in self.called("labels") if self.named[name].ndim > 1]

    def labels_occurring(self, name: str) -> list[str]:
        """Return the labels that occur in a column; of several columns none."""
        return labels_occurring_in(self.named, name, list(self.named))


def without_names(names: Sequence[str], *without: str) -> list[str]:
    return [name for name in names if name not in without]


def _may_be_scores(name: str, array: np.ndarray) -> bool:
    if not is_column(array) or array.dtype.kind == "b" or are_words(array):
        return False
    # case_id is a name of samples, unless it holds fractions
    return array.dtype.kind == "f" or not _is_id(name)


def _is_id(name: str) -> bool:
    return PATTERNS["id"].fullmatch(name.strip()) is not None


def _is_label(name: str, array: np.ndarray) -> bool:
    return is_exactly_called(name, "label")


def _is_called_labels(name: str, array: np.ndarray) -> bool:
    return is_called(name, "labels") or _is_role_in_set(name, "labels")


def _may_be_a_label(name: str, array: np.ndarray) -> bool:
    if _is_id(name) or is_called(name, "predicted", "scores"):
        return False
    return is_column(array) and len(array) > 0 and _may_be_codes_or_words(array)


def _may_be_codes_or_words(array: np.ndarray) -> bool:
    """Tell whether a column holds words or small whole numbers, few of them for its rows."""
    # some thousand rows are enough to see that values are as many as rows
    n_values = len(np.unique(array[:5000]))
    most = min(MOST_DISTINCT, max(2, len(array) / 2))
    return n_values <= most and _are_codes(array)


def _are_codes(array: np.ndarray) -> bool:
    """Tell whether a column holds words, or numbers that are small and whole."""
    return array.dtype.kind != "f" or bool(np.isin(array[:100], np.arange(1000)).all())


def _is_role_in_set(name: str, role: str) -> bool:
    """Tell whether a name is of a role in a set: test_labels, or labels_test."""
    low = in_small_letters(name)
    sets = (*NAMES["test"], *NAMES["calibration"])
    start = re.split("[._]", low, maxsplit=1)[0]
    before, _, end = low.rpartition("_")
    is_behind_set = start in sets and low[len(start) + 1 :] in NAMES[role]
    is_before_set = end in sets and before in NAMES[role]
    return is_behind_set or is_before_set
