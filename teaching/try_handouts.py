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
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
TEACHER = ROOT / "_build" / "sphinx" / "handouts" / "teacher"


def run(notebook: NotebookNode, folder: Path) -> list[str]:
    """Execute a notebook in a folder; return what each check said."""
    from nbclient import NotebookClient

    notebook = nbformat.from_dict(notebook)
    resources = {"metadata": {"path": str(folder)}}
    quiet = ["--log-level=CRITICAL"]
    NotebookClient(
        notebook, timeout=600, resources=resources, extra_arguments=quiet
    ).execute()
    return [_printed(cell) for cell in filter(_is_check, notebook.cells)]


def _printed(cell: NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs).strip()


def solved(student: NotebookNode, teacher: NotebookNode) -> NotebookNode:
    """Return a student's notebook with all cells of the teacher's solutions before their checks."""
    solutions, cells = _solutions(student, teacher), []
    for cell in student.cells:
        if _is_check(cell):
            cells += solutions[cell.metadata["exercise"]]
        cells.append(cell)
    notebook = nbformat.from_dict({**student, "cells": cells})
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    return notebook


def _solutions(
    student: NotebookNode, teacher: NotebookNode
) -> dict[str, list[NotebookNode]]:
    """Return the teacher's code cells that students do not have, by exercise."""
    solutions: dict[str, list[NotebookNode]] = {}
    label = ""
    shared = {cell.source for cell in student.cells}
    for cell in teacher.cells:
        label = cell.metadata.get("exercise", label)
        if (
            cell.cell_type == "code"
            and cell.source not in shared
            and not _is_check(cell)
        ):
            solutions.setdefault(label, []).append(cell)
    return solutions


def _is_check(cell: NotebookNode) -> bool:
    return "check" in cell.metadata.get("tags", [])


def problems_of(name: str, path: Path) -> list[str]:
    """Run a notebook with its stubs, then solved; say what is wrong."""
    student, problems = nbformat.read(path, as_version=4), []
    teacher = nbformat.read(TEACHER / f"{name}.ipynb", as_version=4)
    notebooks = {"not yet: not filled in": student, "right": solved(student, teacher)}
    for expected, notebook in notebooks.items():
        try:
            answers = run(notebook, path.parent)
        except Exception as problem:
            problems.append(f"{name}: {str(problem)[-400:]}")
            continue
        for answer in answers:
            if not answer.startswith(expected):
                problems.append(
                    f"{name}: a check says {answer!r}, expected {expected!r}"
                )
        print(f"{name}: {len(answers)} checks, {expected}", flush=True)
    return problems


def main() -> int:
    problems = []
    os.environ["CALIB_SITE"] = SITE.as_uri()  # has data that the archive lacks
    with tempfile.TemporaryDirectory() as name:
        shutil.unpack_archive(SITE / "_static" / "exercises.zip", name)
        folder = Path(name, "exercises")
        for path in sorted(folder.rglob("*.ipynb")):
            problems += problems_of(
                path.relative_to(folder).with_suffix("").as_posix(), path
            )
    print("\n".join(problems) or "all notebooks ran")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
