"""What platforms import: one row a student, as Moodle and Canvas read it.

In: the grades, the marks by hand and the rules of the course. Out: `export/`, three tables.
"""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from teaching.folder import write_derived
from teaching.grade import LabPoints, points_of_lab
from teaching.judge import lab_of_notebook
from teaching.tables import Marks, Person, Rules, load_rules, marks, roster

COLUMNS = {  # of what is exported: by name, of what they are made
    "table": {"student": "{p.student}", "name": "{p.name}"},
    "moodle": {
        "First name": "{p.first}",
        "Last name": "{p.last}",
        "ID number": "{p.sis_id}",
        "Email address": "{p.email}",
    },
    "canvas": {
        "Student": "{p.last}, {p.first}",
        "ID": "{p.canvas_id}",
        "SIS User ID": "{p.sis_id}",
        "SIS Login ID": "{p.login}",
        "Section": "{p.section}",
    },
}
NONE = {"table": "", "moodle": "-", "canvas": ""}  # where nothing was graded


def export(folder: Path) -> Iterator[str | Path]:
    """Write one row a student: a table to look at, and what Moodle and Canvas import."""
    rules, people = load_rules(folder), roster(folder)
    by_hand = marks(folder, people, rules.due)
    yield from by_hand.faults
    largest = {lab: _largest(folder, lab, rules) for lab in rules.due}
    by_person = {
        person: _points_of_labs(folder, person, rules, by_hand) for person in people
    }
    for kind in COLUMNS:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(_rows(kind, by_person, largest))
        write_derived(folder / "export" / f"{kind}.csv", text.getvalue())
        yield folder / "export" / f"{kind}.csv"


def _largest(folder: Path, lab: str, rules: Rules) -> float:
    """Return the points that a lab can have."""
    key = nbformat.read(folder / "keys" / f"{lab}.ipynb", as_version=4)
    return rules.points_of_step * len(lab_of_notebook(key).steps) + rules.discussion


def _points_of_labs(
    folder: Path, person: Person, rules: Rules, by_hand: Marks
) -> list[LabPoints | None]:
    return [
        points_of_lab(folder, person.student, lab, rules, by_hand) for lab in rules.due
    ]


def _rows(
    kind: str,
    by_person: dict[Person, list[LabPoints | None]],
    largest: dict[str, float],
) -> Iterator[list[Any]]:
    """Yield the lines of a table."""
    columns = COLUMNS[kind]
    last = ["total"] * (kind == "table")  # platforms add up themselves
    yield [*columns, *largest, *last]
    if kind == "canvas":
        yield ["Points Possible", *[""] * (len(columns) - 1), *largest.values()]
    for person, labs in by_person.items():
        about = [without_formula(text.format(p=person)) for text in columns.values()]
        points = [f"{lab.total:g}" if lab else NONE[kind] for lab in labs]
        total = f"{sum(lab.total for lab in filter(None, labs)):g}"
        yield [*about, *points, *[total] * len(last)]


def without_formula(text: str) -> str:
    """Return a text that a spreadsheet does not compute: a formula becomes its own letters."""
    return f"'{text}" if re.match(r"[=+\-@\t\r]", text) else text
