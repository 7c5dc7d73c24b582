"""Credit for a lab's steps: a submission's values, taken as plain ones, in the solution's place.

Goes in: a lab's solution, a submission, the student's seed and a wall. Comes out: for each step the
part of its points that is earned, its credit from 0 to 1, and notes.

The submission runs in a workspace of its own (`teaching.wall`). Here, where none of its code runs,
the teacher's notebook is executed with the same student's data. What its checks and hidden tests
ask of functions goes into the workspace as questions; then each is executed once for each part of
the answer, with that part in the solution's place.
"""

import io
import json
import os
import shutil
import types
import zlib
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import yaml
from nbformat import NotebookNode

from book.show.exercises import check, open_names, printed_by
from teaching.student import Late, time_limit
from teaching.tables import CourseError, StepCredit
from teaching.values import NoAnswer, Replies, call_of
from teaching.wall import Wall

HIDDEN = yaml.safe_load(
    Path(__file__).with_name("hidden.yml").read_text(encoding="utf-8")
)
INEXACT = float | np.floating | np.ndarray | types.FunctionType
SECONDS_OF_CHECK = 60  # with an answer in the solution's place
HOLDS = ""  # the fault that a test finds with what is right


class Entry(NamedTuple):
    """What a name of an answer holds: all of it, or what its dictionary has under a key."""

    name: str
    key: Any = None


CreditedPart = list[Entry]  # what earns credit together


@dataclass
class Step:
    """A step of a teacher's notebook: its cells up to the next one, names left open, its check."""

    label: str = ""
    cells: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    check: str = ""
    # the teacher's names after the cells, and what they hold
    solution: dict[str, Any] = field(default_factory=dict)

    @property
    def functions(self) -> list[str]:
        return [name for name in self.names if callable(self.solution[name])]


def looks_for_data(cell: NotebookNode) -> bool:
    """Say whether a cell of a teacher's notebook is the first of a hand-out: no part of the lab."""
    return "book.show.handed_out" in cell.source


def steps_of_notebook(notebook: NotebookNode) -> list[Step]:
    """Return the steps of a teacher's notebook; the first, without a label, is the beginning."""
    steps = [Step()]
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        tags = cell.metadata.get("tags", [])
        if "stub" in tags:
            steps.append(Step(cell.metadata["exercise"], names=open_names(cell.source)))
        if "check" in tags:
            steps[-1].check = cell.source
        elif not looks_for_data(cell):
            steps[-1].cells.append(cell.source)
    return steps


def hidden_test(label: str, secret: str) -> str:
    """Return the hidden test of a step as a check, with numbers drawn from the teacher's secret."""
    seed = [int(secret, 16), zlib.crc32(label.encode())]
    head = f"hidden_rng = lambda k=0: np.random.default_rng([*{seed}, k])\nwith check('hidden'):\n"
    return head + indent(HIDDEN[label], "    ")


def credited_parts(step: Step) -> list[CreditedPart]:
    """Return the parts of a step that earn credit of their own.

    A function is tried on what its check asks and on hidden data; a number, an array and each
    number of a dictionary count alone; what can be guessed only where all else of it is right.
    """
    by_name = [_parts_of(name, step.solution[name]) for name in step.names]
    parts = list(chain.from_iterable(by_name))
    if not all(by_name):
        parts.append(list(map(Entry, step.names)))
    return parts


def _parts_of(name: str, value: Any) -> list[CreditedPart]:
    """Return what of a value earns credit alone; nothing where it can be guessed."""
    if isinstance(value, INEXACT | tuple | list):
        return [[Entry(name)]]
    if _holds_numbers(value):
        return [[Entry(name, key)] for key in value]
    return []


def _holds_numbers(value: Any) -> bool:
    """Return whether a value is a dictionary of numbers that nobody guesses."""
    return isinstance(value, dict) and all(
        isinstance(item, INEXACT) for item in value.values()
    )


@dataclass
class SolvedLab:
    """A lab solved on one student's data: steps, and the calls by which checks try functions."""

    steps: list[Step]
    secret: str
    calls: dict[bytes, None] = field(default_factory=dict)  # in order, each once

    @property
    def names(self) -> list[str]:
        return [name for step in self.steps for name in step.names]

    def work(self) -> None:
        """Execute the teacher's cells, and keep what the names of each step hold."""
        namespace: dict[str, Any] = {"np": np}
        for step in self.steps:
            with _quiet():
                for source in step.cells:
                    exec(source, namespace)
            # a later cell may change an array in place: what this step is compared with stays
            answers = {name: namespace[name] for name in step.names}
            step.solution = namespace | deepcopy(answers)

    def ask(self) -> None:
        """Note what the tests ask of functions."""
        for step in self.steps:
            for test in self.tests(step):
                self._note(test, step)

    def tests(self, step: Step) -> list[str]:
        """Return the check of a step, and its hidden test where it has a function."""
        hidden = step.label in HIDDEN and step.functions
        return [step.check, *([hidden_test(step.label, self.secret)] if hidden else [])]

    def _note(self, test: str, step: Step) -> None:
        """Execute a test on the solution, with functions that write down what they are asked."""
        noting = {
            name: self._noting(name, step.solution[name]) for name in step.functions
        }
        if noting:
            printed_by(test, step.solution | noting | {"check": check})

    def _noting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **options: Any) -> Any:
            self.calls[call_of(name, arguments, options)] = None
            return function(*arguments, **options)

        return noted


@contextmanager
def _quiet() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield


@dataclass
class Judged:
    """The credit for each step of a lab, with label and notes; and a word to the teacher."""

    credits: list[StepCredit]
    fault: str


class NotGradedError(Exception):
    """A submission is not graded; says why."""


def judge(
    teacher: NotebookNode,
    notebook: Path,
    support: Path,
    seed: str,
    secret: str,
    wall: Wall,
) -> Judged:
    """Return what of a submission's lab is right.

    A NotGradedError says that the solution fails, or that the answers cannot be judged; a
    CourseError that this machine cannot run submissions.
    """
    solved = SolvedLab(steps_of_notebook(teacher), secret)
    with as_student(support, seed):
        try:
            solved.work()
            solved.ask()
        except Exception as error:
            reason = f"the solution fails: {type(error).__name__}: {error}"
            raise NotGradedError(reason) from error
        names, calls = solved.names, list(solved.calls)
        data = declared_data(support, teacher)
        try:
            result = wall.run(notebook, support, data, seed, (names, calls))
        except OSError as error:
            raise CourseError(f"no submission can be run: {error}") from error
        replies = Replies(result.lines, names, calls, result.fault)
        try:
            return Judged(list(step_credits(solved, replies)), result.fault)
        except Exception as error:  # what a hand-in says may not end all grading
            reason = f"its answers cannot be judged: {type(error).__name__}: {error}"
            raise NotGradedError(reason) from error


@contextmanager
def as_student(support: Path, seed: str) -> Iterator[None]:
    """Be where a student's notebook would be, with the student's data."""
    variables = {"CALIB_SEED": seed, "CALIB_DATA": str(support / "data")}
    with TemporaryDirectory() as home, patch.dict(os.environ, variables), chdir(home):
        for path in support.parent.glob("reserved.npz"):
            shutil.copy(path, home)
        yield


def declared_data(support: Path, teacher: NotebookNode) -> list[str]:
    """Return the data that a lab declares and the course has."""
    listed = json.loads((support / "data.json").read_text(encoding="utf-8"))
    page = teacher.metadata["calibration"]["page"]
    return [
        name for name in listed.get(page, ()) if (support / "data" / name).is_file()
    ]


def step_credits(solved: SolvedLab, replies: Replies) -> Iterator[StepCredit]:
    """Yield label, credit and notes of each step: of what tests hold, the share is its credit."""
    for step in solved.steps[1:]:
        tests, parts = solved.tests(step), credited_parts(step)
        by_part = [faults_of_part(tests, part, step, replies) for part in parts]
        faults = list(chain.from_iterable(by_part))
        credit = faults.count(HOLDS) / len(faults)
        notes = list(dict.fromkeys(filter(None, faults)))
        yield {"label": step.label, "credit": credit, "notes": notes}


def faults_of_part(
    tests: list[str], part: CreditedPart, step: Step, replies: Replies
) -> list[str]:
    """Return what each test of a part of an answer finds wrong; HOLDS where that is nothing."""
    solution = step.solution | {"check": check}
    check_of_students, *hidden = tests
    fault = fault_of_part(part, check_of_students, solution, replies)
    if not hidden or not callable(step.solution[part[0].name]):
        return [fault]
    if fault != HOLDS:
        return [fault, "other data: not tried before the first holds"]
    if fault_of_part(part, hidden[0], solution, replies) == HOLDS:
        return [HOLDS, HOLDS]
    # of a hidden test nobody is told more than this
    return [HOLDS, "other data: not the right answer"]


def fault_of_part(
    part: CreditedPart, test: str, solution: dict[str, Any], replies: Replies
) -> str:
    """Return what is wrong with a part of an answer in the solution's place; HOLDS if nothing.

    A fault may quote the submission. That all is right only a check says, which runs here.
    """
    names = ", ".join(entry.name for entry in part)
    try:
        answer = {entry.name: _answer(entry, solution, replies) for entry in part}
        with time_limit(SECONDS_OF_CHECK):
            verdict = printed_by(test, solution | answer)
    except NoAnswer as problem:
        return f"{names}: {problem}"
    except (Late, MemoryError, RecursionError):
        return f"{names}: too large or too deep to compare"
    return HOLDS if verdict == "right" else f"{names}: {verdict}"


def _answer(entry: Entry, solution: dict[str, Any], replies: Replies) -> Any:
    """Return a value of a submission, or a solution's dictionary with one of its items."""
    name, key = entry
    value, right = replies.value(name), solution[name]
    if callable(value) != callable(right):
        raise NoAnswer("is no function" if callable(right) else "is a function")
    if key is None:
        return value
    if not isinstance(value, dict) or key not in value:
        raise NoAnswer(f"{key!r} is missing")
    return right | {key: value[key]}
