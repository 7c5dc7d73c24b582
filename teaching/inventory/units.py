"""Answers as numbers up to one: a file writes them in per cent or as shares, all in the same unit.

A cell alone may not tell: "1" is one per cent in one file and certainty in another. So the unit is
decided once, from all cells, and a file that mixes both is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import chain

import numpy as np

from teaching.tables import CourseError

NO_ANSWER = ("", "-")  # a dash is Moodle's


class Unit(float, Enum):
    """What the certain answer is in a unit."""

    PER_CENT = 100.0
    SHARE = 1.0


@dataclass(frozen=True)
class Cell:
    """What a file says in a place."""

    line: int
    column: str
    text: str

    @property
    def number(self) -> float:
        """Return the number as it is typed, without its unit; nan where there is no answer."""
        if self.text.strip() in NO_ANSWER:
            return np.nan
        try:
            number = float(self.text.strip().removesuffix("%"))
        except ValueError:
            number = -1.0
        if not 0 <= number <= 100:
            raise CourseError(
                f"{self} is no probability, expected 0 % to 100 %, or nothing"
            )
        return number

    @property
    def unit(self) -> Unit | None:
        """Return the unit that the cell alone tells; None for 0 and 1, and where it is empty."""
        if "%" in self.text or self.number > 1:
            return Unit.PER_CENT
        return Unit.SHARE if 0 < self.number < 1 else None

    def __str__(self) -> str:
        return f"line {self.line}, {self.column}: {self.text!r}"


def probabilities(table: list[list[Cell]]) -> np.ndarray:
    """Return a row of probabilities for each row of cells; nan where there is no answer."""
    numbers = np.array([[cell.number for cell in row] for row in table])
    return numbers / unit_of(chain.from_iterable(table)).value


def unit_of(cells: Iterable[Cell]) -> Unit:
    """Return the unit of all cells of a file; refuse two units, and ones that may be of either."""
    first: dict[Unit | None, Cell] = {}
    for cell in cells:
        if cell.number > 0:  # zero is the same in both units
            first.setdefault(cell.unit, cell)
    match first:
        case {Unit.PER_CENT: percent, Unit.SHARE: share}:
            raise CourseError(
                f"{percent} is in per cent, {share} is a share of 1; "
                "type all answers in per cent, as 70 %, or all as shares, as 0.7"
            )
        case {Unit.SHARE: _}:
            return Unit.SHARE
        case {None: one} if len(first) == 1:
            raise CourseError(
                f"{one} may be 1 % or 100 %, and no other answer tells; type 1 % or 100 %"
            )
    return Unit.PER_CENT
