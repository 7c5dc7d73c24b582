"""Marks and feedback: each submission judged once, whatever another one does.

In: the last submission of each student, `marks.csv` and `course.yml`. Out: the credit for each
step, `grades/LAB/STUDENT.json`, and what the student is told, `feedback/STUDENT.md`.
"""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Self

import nbformat
from nbformat import NotebookNode

from book.build.handouts import SUPPORT
from teaching.folder import (
    digests,
    is_late,
    latest_hand_in,
    refuse_changes,
    secret_of_course,
    write_derived,
)
from teaching.judge import NotGradedError, judge
from teaching.student import FAILED
from teaching.tables import (
    CourseError,
    Mark,
    Marks,
    Person,
    Rules,
    StepCredit,
    labs_of_course,
    load_rules,
    marks,
    people_called,
    roster,
)
from teaching.wall import Wall, choose_wall


def remark_on_name(notebook: Path, person: Person, people: list[Person]) -> str:
    """Return a word on a notebook that was worked on with another name than its student's."""
    text = notebook.read_text(encoding="utf-8", errors="replace")
    typed = re.search(r'"data of (.+?)\\n"', text)
    if typed is None or person in people_called(typed[1], people):
        return ""
    return f"worked on the data of {typed[1][:60]}, graded on {person.student}'s"


@dataclass
class Grading:
    """A run over a course: what is read of its folder once, and what was not graded."""

    folder: Path
    wall: Wall
    rules: Rules
    people: list[Person]
    secret: str  # what hidden numbers are drawn from
    digests_before: dict[str, str]  # digests of the files that no submission may change
    not_graded: list[str] = field(default_factory=list)  # a lab of a student each

    @classmethod
    def of_folder(cls, folder: Path, wall: Wall) -> Self:
        return cls(
            folder,
            wall,
            rules=load_rules(folder),
            people=roster(folder),
            secret=secret_of_course(folder),
            digests_before=digests(folder),
        )

    def grade_lab(self, lab: str) -> Iterator[str]:
        """Grade the hand-ins of a lab that have no grade yet; yield the points."""
        teacher = nbformat.read(self.folder / "keys" / f"{lab}.ipynb", as_version=4)
        for person in self.people:
            notebook = latest_hand_in(self.folder, person.student, lab)
            if notebook is None:
                continue
            record = graded_submission(self.folder, lab, person.student)
            if record.get("submission") != notebook.name:
                line = self.grade_submission(teacher, lab, person, notebook)
                refuse_changes(
                    self.digests_before, self.folder, f"{lab} of {person.student}"
                )
                yield f"{lab}: {person.student} {printable(line)}"

    def grade_submission(
        self, teacher: NotebookNode, lab: str, person: Person, notebook: Path
    ) -> str:
        """Judge a submission and keep its credits; return the points, or why there are none."""
        support = self.folder / "keys" / SUPPORT
        seed = person.seed(self.secret)
        try:
            judged = judge(teacher, notebook, support, seed, self.secret, self.wall)
        except NotGradedError as reason:
            self.not_graded.append(f"{lab} of {person.student}")
            return f"not graded, {reason}"
        note = remark_on_name(notebook, person, self.people)
        judged.credits[0]["notes"] += [note] if note else []
        record = {"submission": notebook.name, "steps": judged.credits}
        write_derived(
            _path(self.folder, lab, person.student), json.dumps(record, indent=1)
        )
        words = [
            f"{self.rules.points(judged.credits):g}",
            judged.fault,
            *failed_cells(judged.credits),
        ]
        return ", ".join(filter(None, words))


def printable(text: str) -> str:
    """Return a text that a student's code may have written, as one line of a terminal.

    Neither an end of a line nor an escape sequence of it can look like another student's points.
    """
    return "".join(letter if letter.isprintable() else " " for letter in text)


def failed_cells(credits: list[StepCredit]) -> list[str]:
    """Return why cells of a submission failed, each reason once, for the teacher's line."""
    notes = chain.from_iterable(step["notes"] for step in credits)
    return list(dict.fromkeys(note for note in notes if FAILED in note))


def grade(
    folder: Path, labs: list[str], wall: str, image: str, trust: bool
) -> Iterator[str]:
    """Grade what has no grade yet, and write the students' feedback; yield the points."""
    chosen_wall = choose_wall(folder, folder / "keys" / SUPPORT, wall, image, trust)
    yield f"wall: {chosen_wall.name}"
    grading = Grading.of_folder(folder, chosen_wall)
    for lab in labs_of_course(labs, list(grading.rules.due)):
        yield from grading.grade_lab(lab)
    by_hand = marks(folder, grading.people, grading.rules.due)
    yield from by_hand.faults
    write_feedback(grading, by_hand)
    if grading.not_graded:
        raise CourseError(f"not graded: {', '.join(grading.not_graded)}")


def write_feedback(grading: Grading, by_hand: Marks) -> None:
    """Write what each student is told, of those who have points."""
    for person in grading.people:
        text = feedback_text(grading.folder, person.student, grading.rules, by_hand)
        if text:
            write_derived(grading.folder / "feedback" / f"{person.student}.md", text)


def _path(folder: Path, lab: str, student: str) -> Path:
    return folder / "grades" / lab / f"{student}.json"


def graded_submission(folder: Path, lab: str, student: str) -> dict[str, Any]:
    """Return which submission of a lab is graded, and its steps; nothing where none is."""
    path = _path(folder, lab, student)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@dataclass(frozen=True)
class LabPoints:
    """A student's points for a lab, and of what they are made."""

    credits: list[StepCredit]
    mark: Mark
    days: int  # late
    total: float


def points_of_lab(
    folder: Path, student: str, lab: str, rules: Rules, by_hand: Marks
) -> LabPoints | None:
    """Return a student's points for a lab; None where nothing was graded."""
    record = graded_submission(folder, lab, student)
    if not record:
        return None
    mark = by_hand.of(student, lab)
    late = int(is_late(record["submission"]))
    days = late if mark.days is None else mark.days
    in_time = rules.points(record["steps"]) + (mark.points or 0)
    total = round(in_time * rules.late_factor(days), 2)
    return LabPoints(record["steps"], mark, days, total)


def feedback_text(folder: Path, student: str, rules: Rules, by_hand: Marks) -> str:
    """Return what a student is told: points, and what the checks say; never a hidden test."""
    text = ""
    for lab, due in rules.due.items():
        points = points_of_lab(folder, student, lab, rules, by_hand)
        if points is not None:
            day = f", due {due}" if due else ""
            text += f"\n## {lab}: {points.total:g} of {most_so_far(points, rules):g}{day}\n\n"
            text += "".join(f"- {line}\n" for line in _lines(points, rules))
    return f"# {rules.title}: {student}\n{text}" if text else ""


def most_so_far(points: LabPoints, rules: Rules) -> float:
    """Return the points that a student could have of what is marked."""
    of_discussion = 0 if points.mark.points is None else rules.discussion
    return rules.points_of_step * len(points.credits) + of_discussion


def _lines(points: LabPoints, rules: Rules) -> Iterator[str]:
    for step in points.credits:
        notes = "; ".join(map(escaped, step["notes"])) or "right"
        yield f"{step['label']}: {rules.points_of_step * step['credit']:g} points. {notes}"
    about = (_of_discussion(points.mark, rules), points.mark.comment)
    if any(about):
        yield f"discussion: {'. '.join(filter(None, about))}"
    if points.days:
        yield f"{points.days} {'day' if points.days == 1 else 'days'} late"


def _of_discussion(mark: Mark, rules: Rules) -> str:
    """Return what is said of the points by hand; nothing where the course gives none."""
    if mark.points is not None:
        return f"{mark.points:g} points"
    if rules.discussion:
        return f"not marked yet, {rules.discussion:g} points at most"
    return ""


def escaped(text: str) -> str:
    """Return a text that a student's code may have written, as text in Markdown and HTML."""
    line = html.escape(" ".join(text.split()), quote=False)
    return re.sub(r"([\\`*\[\]!|])", r"\\\1", line)
