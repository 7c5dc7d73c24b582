"""What platforms import: one row a student, as Moodle and Canvas read it."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from teaching.folder import renew
from teaching.grade import steps
from teaching.marking import Score, score
from teaching.tables import Marks, Person, Rules, marks, roster, rules

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
    given, people = rules(folder), roster(folder)
    by_hand = marks(folder, people, given.due)
    yield from by_hand.faults
    most = {lab: _most(folder, lab, given) for lab in given.due}
    scores = {person: _scores(folder, person, given, by_hand) for person in people}
    for kind in COLUMNS:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(_rows(kind, scores, most))
        renew(folder / "export" / f"{kind}.csv", text.getvalue())
        yield folder / "export" / f"{kind}.csv"


def _most(folder: Path, lab: str, given: Rules) -> float:
    key = nbformat.read(folder / "keys" / f"{lab}.ipynb", as_version=4)
    return given.step * (len(steps(key)) - 1) + given.discussion


def _scores(folder: Path, person: Person, given: Rules, by_hand: Marks) -> list[Score | None]:
    return [score(folder, person.student, lab, given, by_hand) for lab in given.due]


def _rows(kind: str, scores: dict[Person, list], most: dict[str, float]) -> Iterator[list]:
    """Yield the lines of a table; platforms add up themselves."""
    columns = COLUMNS[kind]
    total = ["total"] if kind == "table" else []
    yield [*columns, *most, *total]
    if kind == "canvas":
        yield ["Points Possible", *[""] * (len(columns) - 1), *most.values()]
    for person, labs in scores.items():
        about = [harmless(text.format(p=person)) for text in columns.values()]
        points = [NONE[kind] if lab is None else f"{lab.total:g}" for lab in labs]
        yield [*about, *points, *[f"{_sum(labs):g}" for _ in total]]


def _sum(labs: list[Score | None]) -> float:
    return sum(lab.total for lab in labs if lab is not None)


def harmless(text: str) -> str:
    """Return a text that a spreadsheet does not compute: a formula becomes its own letters."""
    return f"'{text}" if re.match(r"[=+\-@\t\r]", text) else text
