"""The answers of a class, read from our own file or from what Moodle or Canvas export."""

from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from teaching.inventory.statements import ITEMS, TRUE
from teaching.inventory.units import Cell, probabilities
from teaching.tables import CourseError, rows

WHO = ("student", "login", "email address", "sis_id", "id number", "name")


@dataclass
class Answers:
    """What a class said: probabilities, a row a student and a column an item; nan where none."""

    students: list[str]
    prob: np.ndarray  # (students, items)

    @property
    def right(self) -> np.ndarray:
        """Return 1 where a student leans to the truth, 0 where away from it, 1/2 between."""
        lean = np.sign(self.prob - 0.5) * np.where(TRUE, 1, -1)
        return np.where(np.isnan(self.prob), 0.0, (1 + lean) / 2)

    def complete(self) -> "Answers":
        """Return the students who answered at least half of the items."""
        enough = np.isfinite(self.prob).mean(axis=1) >= 0.5
        return Answers(list(compress(self.students, enough)), self.prob[enough])


def column_of(item: dict[str, Any], number: int, columns: list[str]) -> str:
    """Return the column of an item: its id, its text as in Canvas, its number as in Moodle."""
    for column in columns:
        if column.casefold() == item["id"] or item["text"] in column:
            return column
        if column.casefold() == f"response {number}":
            return column
    raise LookupError(f"no column of {item['id']}, {item['text']!r}")


def read_answers(path: Path) -> Answers:
    """Return the answers of a file: our own, or the responses that Moodle or Canvas export."""
    table = rows(path, "")
    columns = list(table[0]) if table else []
    name = name_column(columns)
    if not name:
        raise CourseError(f"{path.name}: no column says who answers ({', '.join(WHO)})")
    try:
        _refuse_twice([row[name] for row in table])
        prob = probabilities(_cells(table, columns))
    except (CourseError, LookupError) as fault:
        raise CourseError(f"{path.name}: {fault}") from None
    return Answers([row[name] for row in table], prob)


def _refuse_twice(names: list[str]) -> None:
    """Refuse two rows of one student, as platforms export each attempt."""
    first: dict[str, int] = {}
    for line, name in enumerate(names, 2):
        if name and name in first:
            raise CourseError(
                f"line {line}: {name!r} stands in line {first[name]} too: "
                "leave the attempt that counts"
            )
        first[name] = line


def _cells(table: list[dict[str, str]], columns: list[str]) -> list[list[Cell]]:
    """Return a row a person, a column an item; the heading is line 1 of the file."""
    chosen = [column_of(item, number, columns) for number, item in enumerate(ITEMS, 1)]
    return [
        [Cell(line, column, row[column]) for column in chosen]
        for line, row in enumerate(table, 2)
    ]


def name_column(columns: list[str]) -> str:
    """Return the column that says who answers, empty if there is none."""
    by_name = {column.casefold(): column for column in columns}
    listed = filter(by_name.__contains__, WHO)
    return by_name.get(next(listed, ""), "")
