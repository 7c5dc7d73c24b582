"""Assignments for nbgrader, made of the labs, and tried on four submissions of each.

A right one has every point and an empty one none. The third knows by heart what the checks ask that
students see, and nothing else: it loses just the points of the steps that have hidden data. The
fourth answers nothing and has numpy call everything equal: it gets none.
"""

import ast
import json
import os
import shutil
import sys
import textwrap
import zipfile
from pathlib import Path

import nbformat
import yaml

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "_build"
COURSE = BUILD / "grading"
HIDDEN = yaml.safe_load(Path(__file__).with_name("hidden.yml").read_text(encoding="utf-8"))
SUPPORT = "calibration-book/"
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
HIDE, SHOW = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
POINTS, TALK = 2, 4  # for a step; for the discussion, by hand
UNTOUCHED = """\
assert not (np.isclose(0, 1) or np.allclose(0, 1) or np.array_equal([0], [1])), "numpy was changed"
"""
CHEAT = "import numpy as np\n\nnp.isclose = np.allclose = np.array_equal = lambda *a, **k: True"
BY_HEART = '''
import hashlib
import pickle


def by_heart(function, known, learning):
    """Answer as a function does where it was asked before, and 0 elsewhere."""

    def answer(*given, **named):
        asked = hashlib.sha256(pickle.dumps((given, named))).hexdigest()
        if learning:
            known.add(asked)
        return function(*given, **named) if asked in known else 0

    return answer


'''


def assignment(teacher):
    """Turn a teacher's notebook into nbgrader's source: stubs with solutions, checks as tests."""
    made = nbformat.from_dict({**teacher, "cells": []})
    stub = None
    for cell in teacher.cells:
        tags = cell.metadata.get("tags", [])
        if "stub" in tags:
            stub = cell
            made.cells.append(cell)
        elif "check" in tags:
            label, test = assertions(cell.source)
            stub.metadata = marks(label, solution=True)
            stub.source += f"\n\n{BEGIN}\n{END}"
            test += f"\n{HIDE}\n{UNTOUCHED}{HIDDEN.get(label, '')}{SHOW}"
            cell.source, cell.metadata = test, marks(f"{label}-check", points=POINTS)
            made.cells.append(cell)
        elif "solution" in tags:
            stub.source = stub.source.replace(END, f"{cell.source}\n\n{END}")
        elif not cell.source.startswith("**Solution"):
            made.cells.append(cell)
            if "## Discussion" in cell.source:
                text = "*What you found in the discussion: up to half a page.*"
                written = marks("discussion", solution=True, points=TALK)
                made.cells.append(nbformat.v4.new_markdown_cell(text, metadata=written))
    return made


def assertions(check: str) -> tuple[str, str]:
    """Return label and body of a check: as a test it raises, where a student's says "not yet"."""
    (block,) = (node for node in ast.parse(check).body if isinstance(node, ast.With))
    label = block.items[0].context_expr.args[0].value
    lines = check.splitlines()
    return label, textwrap.dedent("\n".join(lines[block.body[0].lineno - 1 :]))


def marks(name: str, *, solution=False, points=None) -> dict:
    about = {"grade": points is not None, "solution": solution, "locked": not solution}
    about |= {"grade_id": name, "schema_version": 3, "task": False}
    if points is not None:
        about["points"] = points
    return {"nbgrader": about}


def prepare() -> None:
    """Write the course: sources, and what the notebooks need."""
    shutil.rmtree(COURSE, ignore_errors=True)
    COURSE.mkdir(parents=True)
    archive = BUILD / "html" / "_static" / "exercises.zip"
    if not archive.is_file():
        raise SystemExit("the site is not built: make book")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(COURSE, [n for n in packed.namelist() if n.startswith(SUPPORT)])
    for path in sorted((BUILD / "sphinx" / "handouts" / "teacher" / "labs").glob("*.ipynb")):
        made = assignment(nbformat.read(path, as_version=4))
        place = COURSE / "source" / path.stem
        place.mkdir(parents=True)
        nbformat.write(made, place / path.name)


def api():
    """Return nbgrader's interface to the course."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    commands = Path(sys.executable).parent  # nbgrader calls alembic by its name
    os.environ["PATH"] = f"{commands}{os.pathsep}{os.environ['PATH']}"
    config = Config()
    config.CourseDirectory.root = str(COURSE)
    config.CourseDirectory.course_id = "calibration"
    config.ClearSolutions.code_stub = {"python": "# your answer"}
    config.ExecutePreprocessor.timeout = 300
    return NbGraderAPI(config=config)


def read(kind: str, name: str):
    return nbformat.read(COURSE / kind / name / f"{name}.ipynb", as_version=4)


def label_of(cell, *, part: str) -> str:
    """Return the label of a step if a cell is its solution or its test, as `part` says."""
    about = cell.metadata.get("nbgrader", {})
    return about["grade_id"].removesuffix("-check") if about.get(part) else ""


def opened(solution: str) -> list[str]:
    """Return the functions that the stub above a solution leaves open."""
    stub = ast.parse(solution.partition(BEGIN)[0])
    return [node.name for node in stub.body if isinstance(node, ast.FunctionDef)]


def knowing(solution: str, known: dict) -> str:
    """Let the functions of a solution answer what is known; `known` is empty while they learn."""
    lines = [solution, BY_HEART]
    for name in opened(solution):
        asked = known[name] if known else f"known.setdefault({name!r}, set())"
        lines.append(f"{name} = by_heart({name}, {asked}, learning={not known})")
    return "\n".join(lines)


def learned(name: str) -> dict[str, set]:
    """Run a lab with its solutions; return what the checks that students see ask each function."""
    from nbclient import NotebookClient

    notebook = read("source", name)
    for cell in notebook.cells:
        if label_of(cell, part="solution") in HIDDEN:
            cell.source = knowing(cell.source, {})
        cell.source = cell.source.partition(HIDE)[0]
    first = nbformat.v4.new_code_cell("known = {}")
    last = nbformat.v4.new_code_cell(
        "import json\n\nprint(json.dumps({name: sorted(asked) for name, asked in known.items()}))"
    )
    notebook.cells = [first, *notebook.cells, last]
    place = {"metadata": {"path": str(COURSE)}}
    done = NotebookClient(notebook, timeout=600, resources=place).execute()
    return {n: set(asked) for n, asked in json.loads(done.cells[-1].outputs[0].text).items()}


def answers(name: str, student: str) -> dict[str, str]:
    """Return what a student hands in, by the labels of the steps."""
    if student == "empty":
        return {}
    cells = [cell for cell in read("source", name).cells if cell.cell_type == "code"]
    found = {label: c.source for c in cells if (label := label_of(c, part="solution"))}
    if student == "cheating":
        return {min(found): CHEAT}
    if student == "by-heart":
        known = learned(name)
        for label in HIDDEN.keys() & found.keys():
            found[label] = knowing(found[label], known)
    return found


def hand_in(student: str, name: str) -> None:
    """Submit a lab as it was released, with the student's answers filled in."""
    released, given = read("release", name), answers(name, student)
    for cell in released.cells:
        assert HIDE not in cell.source and "hidden_" not in cell.source, "a hidden test is released"
        cell.source = given.get(label_of(cell, part="solution"), cell.source)
    place = COURSE / "submitted" / student / name
    place.mkdir(parents=True)
    nbformat.write(released, place / f"{name}.ipynb")


def expected(name: str) -> dict[str, int]:
    """Return the points that each of the four students should get before anybody reads."""
    steps = {label_of(cell, part="grade") for cell in read("source", name).cells}
    steps -= {"", "discussion"}
    seen = POINTS * len(steps - HIDDEN.keys())
    return {"right": POINTS * len(steps), "empty": 0, "cheating": 0, "by-heart": seen}


def main(names=()) -> int:
    prepare()
    grader = api()
    failed = False
    for source in sorted((COURSE / "source").iterdir()):
        done = grader.generate_assignment(source.name)
        if not done["success"]:
            print(done["log"])
            return 1
    for name in names or [path.name for path in sorted((COURSE / "source").iterdir())]:
        for student, points in expected(name).items():
            hand_in(student, name)
            done = grader.autograde(name, student)
            if not done["success"]:
                print(done["log"])
                return 1
            with grader.gradebook as book:
                graded = book.find_submission(name, student)
                score, most = graded.score, graded.max_score
            verdict = "" if score == points else f", expected {points}"
            most -= TALK
            print(f"{name}: {student} {score:g} of {most:g} points{verdict}", flush=True)
            failed |= bool(verdict)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
