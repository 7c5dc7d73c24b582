"""Arrays or columns by name, as every format gives them."""

# Mirrored by the answer desk, book/assets/desk/roles.js: change both.

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from calib import from_library
from calib_report.contract import Note, OptionError, ReadingError, ScoreKind, listed
from calib_report.values import Column

Named = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Arrays:
    """Arrays or columns by name, and what the layout of the file says of them.

    Attributes
    ----------
    classes : list of str, optional
        Of the scores, in their order.
    kind : str, optional
        Of the scores.
    y, scores : str, optional
        Which of the arrays they are.
    """

    named: dict[str, np.ndarray]
    classes: list[str] | None = None
    kind: ScoreKind | None = None
    notes: list[Note] = field(default_factory=list)
    y: str | None = None
    scores: str | None = None

    def replaced(self, **changes: Any) -> "Arrays":
        return replace(self, **changes)


def column_named(named: Named, name: str, option: str) -> Column:
    """Return the column that an option names; OptionError where it is not there."""
    if name not in named:
        raise OptionError(option, f"there is no {name!r}, found {listed(named)}")
    return Column(name, named[name])


def without(named: Named, names: Container[str | None]) -> dict[str, np.ndarray]:
    """Return arrays by name, but for some."""
    return {name: array for name, array in named.items() if name not in names}


def as_numpy(values: Any, name: str = "") -> np.ndarray:
    """Return an array of numbers or text; a tensor leaves its device and its gradient behind."""
    place = name and f"{name}: "
    if np.ma.isMaskedArray(values):
        raise ReadingError(
            f"{place}a masked array, expected an array without masked entries"
        )
    try:
        # tensors of torch, jax and tensorflow, wherever they lie
        array = np.asarray(from_library(values))
    except Exception as error:  # an object's own __array__ may raise anything
        raise ReadingError(f"{place}not an array ({error})") from None
    # a data frame whose numbers may be missing
    if array.dtype.kind == "O" and array.ndim == 2:
        with suppress(TypeError, ValueError):
            return array.astype(float)
    return numbers_or_text(array, place)


def numbers_or_text(array: np.ndarray, place: str) -> np.ndarray:
    """Return an array of numbers as it is, of objects as text; refuse what is neither."""
    if array.dtype.kind in "mV":  # spans of time, structures
        raise ReadingError(
            f"{place}an array of type {array.dtype}, expected numbers or text"
        )
    return array.astype(str) if array.dtype.kind in "OS" else array
