"""What a teacher writes: roster, rules and marks, read with a word on what is wrong in them.

In: `roster.csv`, `course.yml` and `marks.csv`, as spreadsheets save them. Out: dataclasses; what
cannot be read is a `CourseError` that names the file, the line and what was expected.
"""

import codecs
import csv
import datetime
import io
import math
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

import yaml

from book.show.labs import digest, letters_alone

ROSTER = "student,name,email,canvas_id,sis_id,login,section\n"
MARKS = "student,lab,points,days,comment\n"
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
RULES = """\
title: Calibration of neural networks
step: 4 # points of each step of a lab, given in parts
discussion: 4 # points by hand, in marks.csv
late: {per_day: 10, at_most: 50} # per cent of the points, for each day late
due: # a date, with its time or without, or nothing; students read it in their feedback
"""


class CourseError(Exception):
    """Something that a teacher can mend; says what."""


def decoded(content: bytes) -> str:
    """Return a table's text, as spreadsheets write it: UTF-8, UTF-16, or that of old Windows."""
    if content.startswith(UTF16):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def rows(path: Path, needed: str) -> list[dict[str, str]]:
    """Return the rows of a table; what is empty, or a column that is missing, is an empty text."""
    try:
        names, table = _parsed(decoded(path.read_bytes()))
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(
            f"{path.name} cannot be read: {error}; save it as CSV UTF-8"
        ) from None
    for name in filter(None, needed.split(",")):
        if name not in names:
            raise CourseError(f"{path.name}: no column is called {name}")
    return table


def _parsed(text: str) -> tuple[list[str], list[dict[str, str]]]:
    """Return the names of a table's columns, and its rows by these names."""
    first = text.partition("\n")[0]
    # some countries' Excel separates by semicolons
    separator = max(",;\t", key=first.count)
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines, delimiter=separator, restkey="")
    reader.fieldnames = [str(name or "").strip() for name in reader.fieldnames or []]
    names = list(filter(None, reader.fieldnames))
    return names, [_stripped(row, names) for row in reader]


def _stripped(row: dict[str, str | None], names: list[str]) -> dict[str, str]:
    return {name: (row.get(name) or "").strip() for name in names}


@dataclass(frozen=True)
class Person:
    """A row of the roster."""

    student: str
    name: str
    email: str = ""
    canvas_id: str = ""
    sis_id: str = ""
    login: str = ""
    section: str = ""

    @property
    def first(self) -> str:
        return self.name.rpartition(" ")[0]

    @property
    def last(self) -> str:
        return self.name.rpartition(" ")[2]

    @property
    def full_names(self) -> set[str]:
        """The name as Moodle writes it, and as Canvas does, the family's first."""
        words = self.name.split()
        turned = (words[i:] + words[:i] for i in range(len(words)))
        return {letters_alone("".join(order)) for order in turned} - {""}

    @property
    def typed_names(self) -> set[str]:
        """What the student may type: short name, login, address or full name."""
        short = {letters_alone(name) for name in (self.student, self.login, self.email)}
        return (short | self.full_names) - {""}

    def seed(self, secret: str) -> str:
        """Return what the student's numbers are drawn by: of the roster's key, not of a name."""
        return digest(secret, self.student)


def roster(folder: Path) -> list[Person]:
    """Return the rows of roster.csv; a name that is empty, double or no file name is an error."""
    table = rows(folder / "roster.csv", "student,name")
    columns = ROSTER.strip().split(",")
    people = [Person(**{name: row.get(name, "") for name in columns}) for row in table]
    _refuse_names(people)
    for identifier in ("email", "canvas_id", "sis_id", "login"):
        _refuse_equal_identifiers(people, identifier)
    return people


def _refuse_names(people: list[Person]) -> None:
    """Stop where a short name is none, or stands twice."""
    lines: dict[str, int] = {}
    for number, person in enumerate(people, 2):
        student = person.student
        at = f"roster.csv, line {number}: student is {student!r}"
        if not re.fullmatch(r"[\w@-][\w.@-]*", student):
            raise CourseError(f"{at}, expected a short name without spaces")
        first = lines.setdefault(student.casefold(), number)
        if first != number:
            raise CourseError(f"{at}, as in line {first}, expected it once")


def _refuse_equal_identifiers(people: list[Person], identifier: str) -> None:
    """Stop where a platform knows two rows by one text: work or points would be the other's."""
    lines: dict[str, int] = {}
    for number, person in enumerate(people, 2):
        text = getattr(person, identifier)
        first = lines.setdefault(text.casefold(), number)
        if text and first != number:
            raise CourseError(
                f"roster.csv, line {number}: {identifier} is {text!r}, "
                f"as in line {first}, expected it once, or nothing"
            )


def people_called(text: str, people: list[Person]) -> list[Person]:
    """Return who may have typed a name: by letter first, then by the letters alone."""
    exact = [
        p
        for p in people
        if text.casefold() in (p.student.casefold(), p.login.casefold())
    ]
    return exact or [p for p in people if letters_alone(text) in p.typed_names]


class StepCredit(TypedDict):
    """What is earned of a step of a lab, from 0 to 1 of its points, and why not more."""

    label: str
    credit: float
    notes: list[str]


@dataclass(frozen=True)
class Rules:
    """What course.yml says."""

    title: str
    points_of_step: float
    discussion: float
    per_day: float
    at_most: float
    due: dict[str, datetime.date | None]

    def points(self, credits: list[StepCredit]) -> float:
        """Return the points of the steps of a lab, by the credit for each."""
        return round(sum(self.points_of_step * step["credit"] for step in credits), 2)

    def late_factor(self, days: int) -> float:
        """Return what a lab's points are multiplied by when it is some days late."""
        return 1 - min(self.at_most, self.per_day * days) / 100


def load_rules(folder: Path) -> Rules:
    """Return what course.yml says; what is missing, broken or no number is an error."""
    settings = _settings(folder / "course.yml")
    late = settings["late"] if isinstance(settings["late"], dict) else {}
    return Rules(
        title=str(settings["title"]),
        points_of_step=_number(settings, "step"),
        discussion=_number(settings, "discussion"),
        per_day=_number(late, "per_day"),
        at_most=_per_cent(late, "at_most"),
        due=_dates(settings["due"]),
    )


def _settings(path: Path) -> dict[str, Any]:
    """Return the settings of course.yml, all of them there."""
    try:
        settings = yaml.safe_load(decoded(path.read_bytes()))
    except yaml.YAMLError as error:
        raise CourseError(f"course.yml{_line_of(error)}") from None
    for name in ("title", "step", "discussion", "late", "due"):
        if not isinstance(settings, dict) or name not in settings:
            raise CourseError(
                f"course.yml: {name} is missing; a new course shows how it reads"
            )
    return settings


def _line_of(error: yaml.YAMLError) -> str:
    """Return where a file is broken, and how."""
    position = getattr(error, "problem_mark", None)
    line = f", line {position.line + 1}" if position else ""
    return f"{line}: {getattr(error, 'problem', error)}"


def _dates(due: Any) -> dict[str, datetime.date | None]:
    """Return the date of each lab, or None where course.yml has none."""
    if not isinstance(due, dict) or not due:
        raise CourseError("course.yml: due names no lab")
    return {lab: _date(lab, day) for lab, day in due.items()}


def _date(lab: str, day: Any) -> datetime.date | None:
    """Return a date, with a time if it has one; of YAML 12:00:00 is a time and 12:00 is text."""
    if day is None or isinstance(day, datetime.date):
        return day
    try:
        return datetime.datetime.fromisoformat(day)
    except (TypeError, ValueError):
        expected = "2027-01-31 or 2027-01-31 12:00"
        raise CourseError(
            f"course.yml: due of {lab} is {day!r}, expected {expected}"
        ) from None


def labs_of_course(named: list[str], due: list[str]) -> list[str]:
    """Return the labs that are named, or all of the course where none is."""
    for lab in named:
        if lab not in due:
            raise CourseError(f"{lab}: no lab of course.yml")
    return named or due


def _per_cent(settings: dict[str, Any], name: str) -> float:
    number = _number(settings, name)
    if number > 100:
        raise CourseError(f"course.yml: {name} is {number:g}, expected 100 at most")
    return number


def _number(settings: dict[str, Any], name: str) -> float:
    number: Any = settings.get(name)
    # bool is a kind of int, and "step: yes" is no number
    if type(number) not in (int, float) or not 0 <= number < math.inf:
        raise CourseError(
            f"course.yml: {name} is {number!r}, expected a number from 0 on"
        )
    return number


@dataclass(frozen=True)
class Mark:
    """What a teacher says of a student's lab."""

    points: float | None = None  # of the discussion, if marked
    days: int | None = None  # late, if said
    comment: str = ""


@dataclass
class Marks:
    """The rows of marks.csv, and what is wrong in others."""

    by_lab: dict[tuple[str, str], Mark] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def of(self, student: str, lab: str) -> Mark:
        return self.by_lab.get((student, lab), Mark())


def marks(folder: Path, people: list[Person], labs: Collection[str]) -> Marks:
    """Return what the teacher has written into marks.csv; a row that is wrong is left out, said."""
    read = Marks()
    students = {person.student for person in people}
    for number, row in enumerate(rows(folder / "marks.csv", "student,lab,points"), 2):
        student_and_lab = row["student"], row["lab"]
        fault = _fault(row, student_and_lab in read.by_lab, students, labs)
        if fault:
            read.faults.append(f"marks.csv, line {number}, left out: {fault}")
            continue
        points = float(row["points"]) if row["points"] else None
        days = int(row["days"]) if row.get("days") else None
        read.by_lab[student_and_lab] = Mark(points, days, row.get("comment", ""))
    return read


def _fault(
    row: dict[str, str], twice: bool, students: set[str], labs: Collection[str]
) -> str:
    """Return what is wrong with a row of marks.csv."""
    if row["student"] not in students:
        return f"student is {row['student']!r}, nobody of the roster"
    if row["lab"] not in labs:
        return f"lab is {row['lab']!r}, none of course.yml"
    if twice:
        return f"{row['student']} has points for {row['lab']} above"
    return _fault_of_numbers(row)


def _fault_of_numbers(row: dict[str, str]) -> str:
    """Return which of the numbers of a row of marks.csv is none."""
    if row["points"] and not re.fullmatch(r"\d+([.]\d+)?", row["points"]):
        return f"points is {row['points']!r}, expected a number from 0 on"
    if row.get("days") and not re.fullmatch(r"\d{1,4}", row["days"]):
        return f"days is {row['days']!r}, expected a whole number from 0 on"
    return ""
