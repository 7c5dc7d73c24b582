"""What a teacher writes: roster, rules and marks, read with a word on what is wrong in them."""

import codecs
import csv
import datetime
import io
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from book.show.labs import digest, letters

ROSTER = "student,name,email,canvas_id,sis_id,login,section\n"
MARKS = "student,lab,points,days,comment\n"
MARKED_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
RULES = """\
title: Calibration of neural networks
step: 4 # points of each step of a lab, given in parts
discussion: 4 # points by hand, in marks.csv
late: {per_day: 10, at_most: 50} # per cent of the points, for each day that marks.csv says
due: # a date, with its time or without, or nothing; students read it in their feedback
"""


class CourseError(Exception):
    """Something that a teacher can mend; says what."""


def decoded(content: bytes) -> str:
    """Return a table's text, as spreadsheets write it: UTF-8, UTF-16, or that of old Windows."""
    if content.startswith(MARKED_UTF16):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def rows(path: Path, needed: str) -> list[dict[str, str]]:
    """Return the rows of a table; what is empty, or a column that is missing, is an empty text."""
    try:
        text = decoded(path.read_bytes())
        first = text.partition("\n")[0]
        mark = max(",;\t", key=first.count)  # some countries' Excel separates by semicolons
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark, restkey="")
        names = [(name or "").strip() for name in table.fieldnames or []]
        table.fieldnames = names
        content = list(table)
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(f"{path.name} cannot be read: {error}; save it as CSV UTF-8") from None
    for name in filter(None, needed.split(",")):
        if name not in names:
            raise CourseError(f"{path.name}: no column is called {name}")
    return [{name: (row.get(name) or "").strip() for name in names if name} for row in content]


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
        turned = (words[place:] + words[:place] for place in range(len(words)))
        return {letters("".join(order)) for order in turned} - {""}

    @property
    def typed_names(self) -> set[str]:
        """What the student may type: short name, login, address or full name."""
        short = {letters(name) for name in (self.student, self.login, self.email)}
        return (short | self.full_names) - {""}

    def seed(self, secret: str) -> str:
        """Return what the student's numbers are drawn by: of the roster's key, not of a name."""
        return digest(secret, self.student)


def roster(folder: Path) -> list[Person]:
    """Return the rows of roster.csv; a name that is empty, double or no file name is an error."""
    table = rows(folder / "roster.csv", "student,name")
    columns = ROSTER.strip().split(",")
    people = [Person(**{name: row.get(name, "") for name in columns}) for row in table]
    counts = Counter(person.student.casefold() for person in people)
    for number, person in enumerate(people, 2):
        key = person.student
        if not re.fullmatch(r"[\w@-][\w.@-]*", key) or counts[key.casefold()] > 1:
            at = f"roster.csv, line {number}: student is {key!r}"
            raise CourseError(f"{at}, expected a short name without spaces, once")
    return people


def named(text: str, people: list[Person]) -> list[Person]:
    """Return who may have typed a name: by letter first, then by the letters alone."""
    exact = [p for p in people if text.casefold() in (p.student.casefold(), p.login.casefold())]
    return exact or [p for p in people if letters(text) in p.typed_names]


@dataclass(frozen=True)
class Rules:
    """What course.yml says."""

    title: str
    step: float
    discussion: float
    per_day: float
    at_most: float
    due: dict[str, datetime.date | None]

    def points(self, steps: list[dict]) -> float:
        """Return the points of the steps of a lab, each of which has a share."""
        return round(sum(self.step * step["share"] for step in steps), 2)

    def kept(self, days: int) -> float:
        """Return the share of the points that is left after some days."""
        return 1 - min(self.at_most, self.per_day * days) / 100


def rules(folder: Path) -> Rules:
    """Return what course.yml says; what is missing, broken or no number is an error."""
    try:
        said = yaml.safe_load(decoded((folder / "course.yml").read_bytes()))
    except yaml.YAMLError as error:
        at = getattr(error, "problem_mark", None)
        place = f", line {at.line + 1}" if at else ""
        raise CourseError(f"course.yml{place}: {getattr(error, 'problem', error)}") from None
    for name in ("title", "step", "discussion", "late", "due"):
        if not isinstance(said, dict) or name not in said:
            raise CourseError(f"course.yml: {name} is missing; a new course shows how it reads")
    late = said["late"] if isinstance(said["late"], dict) else {}
    due = said["due"] if isinstance(said["due"], dict) else {}
    for lab, day in due.items():
        if day is not None and not isinstance(day, datetime.date):
            raise CourseError(f"course.yml: due of {lab} is {day!r}, expected 2027-01-31 or a time")
    numbers = {"step": said["step"], "discussion": said["discussion"]}
    numbers |= {name: late.get(name) for name in ("per_day", "at_most")}
    for name, number in numbers.items():
        if type(number) not in (int, float) or not 0 <= number < math.inf:
            raise CourseError(f"course.yml: {name} is {number!r}, expected a number from 0 on")
    if not due:
        raise CourseError("course.yml: due names no lab")
    return Rules(title=str(said["title"]), due=due, **numbers)


@dataclass(frozen=True)
class Mark:
    """What a teacher says of a student's lab."""

    points: float = 0.0
    days: int | None = None  # late, if said
    comment: str = ""


@dataclass
class Marks:
    """The rows of marks.csv, and what is wrong in others."""

    by_lab: dict[tuple[str, str], Mark] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def of(self, student: str, lab: str) -> Mark:
        return self.by_lab.get((student, lab), Mark())


def marks(folder: Path, people: list[Person], labs) -> Marks:
    """Return what the teacher has written into marks.csv; a row that is wrong is left out, said."""
    found = Marks()
    students = {person.student for person in people}
    for number, row in enumerate(rows(folder / "marks.csv", "student,lab,points"), 2):
        key = row["student"], row["lab"]
        fault = _fault(row, key in found.by_lab, students, labs)
        if fault:
            found.faults.append(f"marks.csv, line {number}, left out: {fault}")
            continue
        days = int(row["days"]) if row.get("days") else None
        found.by_lab[key] = Mark(float(row["points"] or 0), days, row.get("comment", ""))
    return found


def _fault(row: dict[str, str], twice: bool, students: set[str], labs) -> str:
    """Return what is wrong with a row of marks.csv."""
    if row["student"] not in students:
        return f"student is {row['student']!r}, nobody of the roster"
    if row["lab"] not in labs:
        return f"lab is {row['lab']!r}, none of course.yml"
    if twice:
        return f"{row['student']} has points for {row['lab']} above"
    if row["points"] and not re.fullmatch(r"\d+([.]\d+)?", row["points"]):
        return f"points is {row['points']!r}, expected a number from 0 on"
    if row.get("days") and not re.fullmatch(r"\d{1,4}", row["days"]):
        return f"days is {row['days']!r}, expected a whole number from 0 on"
    return ""
