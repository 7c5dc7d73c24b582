"""Run what students are given as they would: in a bare environment, with the package alone.

Every notebook of the site's archive runs, elsewhere: with its stubs, where each check must say what
is not filled in, then with the solutions put in, where each check must say "right".
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
TEACHER = ROOT / "_build" / "sphinx" / "handouts" / "teacher"


def run(notebook, folder: Path) -> list[str]:
    """Execute a notebook in a folder; return what each check said."""
    from nbclient import NotebookClient

    made = nbformat.from_dict(notebook)
    place = {"metadata": {"path": str(folder)}}
    quiet = ["--log-level=CRITICAL"]
    NotebookClient(made, timeout=600, resources=place, extra_arguments=quiet).execute()
    checks = [cell for cell in made.cells if "check" in cell.metadata.get("tags", [])]
    return ["".join(o.get("text", "") for o in cell.outputs).strip() for cell in checks]


def solved(student, teacher):
    """Return a student's notebook with all cells of the teacher's solutions before their checks."""
    solutions, label = {}, ""
    given = {cell.source for cell in student.cells}
    for cell in (cell for cell in teacher.cells if cell.cell_type == "code"):
        label = cell.metadata.get("exercise", label)
        if cell.source not in given and "check" not in cell.metadata.get("tags", []):
            solutions.setdefault(label, []).append(cell)
    cells = []
    for cell in student.cells:
        check = "check" in cell.metadata.get("tags", [])
        cells += [*(solutions[cell.metadata["exercise"]] if check else []), cell]
    made = nbformat.from_dict({**student, "cells": cells})
    for number, cell in enumerate(made.cells):
        cell.id = f"cell-{number:03d}"
    return made


def problems_of(name: str, path: Path) -> list[str]:
    """Run a notebook with its stubs, then solved; say what is wrong."""
    student, found = nbformat.read(path, as_version=4), []
    teacher = nbformat.read(TEACHER / f"{name}.ipynb", as_version=4)
    notebooks = {"not yet: not filled in": student, "right": solved(student, teacher)}
    for expected, notebook in notebooks.items():
        try:
            answers = run(notebook, path.parent)
        except Exception as problem:
            found.append(f"{name}: {str(problem)[-400:]}")
            continue
        wrong = [answer for answer in answers if not answer.startswith(expected)]
        found += [f"{name}: a check says {answer!r}, expected {expected!r}" for answer in wrong]
        print(f"{name}: {len(answers)} checks, {expected}", flush=True)
    return found


def main() -> int:
    problems, os.environ["CALIB_SITE"] = [], SITE.as_uri()  # for data that the archive lacks
    with tempfile.TemporaryDirectory() as place:
        shutil.unpack_archive(SITE / "_static" / "exercises.zip", place)
        folder = Path(place, "exercises")
        for path in sorted(folder.rglob("*.ipynb")):
            problems += problems_of(path.relative_to(folder).with_suffix("").as_posix(), path)
    print("\n".join(problems) or "all notebooks ran")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
