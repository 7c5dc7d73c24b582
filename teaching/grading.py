"""Assignments for nbgrader, made of the labs, and tried on two submissions."""

import ast
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
TRIED = ("first-diagrams", "write-the-errors")
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
HIDE, SEEK = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


def assignment(teacher):
    """Turn a teacher's notebook into nbgrader's source: stubs with solutions, checks as tests."""
    made = nbformat.from_dict({**teacher, "cells": []})
    stub = None
    tests = []
    for cell in teacher.cells:
        tags = cell.metadata.get("tags", [])
        if "stub" in tags:
            stub = cell
            made.cells.append(cell)
        elif "check" in tags:
            label, test = assertions(cell.source)
            stub.metadata = marks(label, solution=True)
            stub.source += f"\n\n{BEGIN}\n{END}"
            if label in HIDDEN:
                test += f"\n{HIDE}\n{HIDDEN[label].strip()}\n{SEEK}"
            cell.source, cell.metadata = test, marks(f"{label}-check", points=2)
            tests.append(cell)
            made.cells.append(cell)
        elif "solution" in tags:
            stub.source = stub.source.replace(END, f"{cell.source}\n\n{END}")
        elif cell.source.strip() != "**Solution**":
            made.cells.append(cell)
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
    support = BUILD / "html" / "_static" / "calibration-book.zip"
    if not support.is_file():
        raise SystemExit("the site is not built: make book")
    with zipfile.ZipFile(support) as packed:
        packed.extractall(COURSE)
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


def hand_in(student: str, name: str, *, solved: bool) -> None:
    """Submit a lab as it was released, or with the solutions filled in."""
    released = nbformat.read(COURSE / "release" / name / f"{name}.ipynb", as_version=4)
    source = nbformat.read(COURSE / "source" / name / f"{name}.ipynb", as_version=4)
    solutions = {
        cell.metadata["nbgrader"]["grade_id"]: cell.source
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    for cell in released.cells:
        about = cell.metadata.get("nbgrader", {})
        assert HIDE not in cell.source and "hidden_" not in cell.source, (
            "a hidden test was released"
        )
        if solved and about.get("solution"):
            cell.source = solutions[about["grade_id"]]
    place = COURSE / "submitted" / student / name
    place.mkdir(parents=True)
    nbformat.write(released, place / f"{name}.ipynb")


def main(names=TRIED) -> int:
    prepare()
    grader = api()
    failed = False
    for source in sorted((COURSE / "source").iterdir()):
        done = grader.generate_assignment(source.name)
        if not done["success"]:
            print(done["log"])
            return 1
    for name in names:
        for student, solved in (("right", True), ("empty", False)):
            hand_in(student, name, solved=solved)
            done = grader.autograde(name, student)
            if not done["success"]:
                print(done["log"])
                return 1
            with grader.gradebook as book:
                graded = book.find_submission(name, student)
                score, most = graded.score, graded.max_score
            print(f"{name}: {student} {score:g} of {most:g} points")
            failed |= score != (most if solved else 0)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or TRIED))
