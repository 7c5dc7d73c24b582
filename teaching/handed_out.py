"""Run what students are given as they would: in a bare environment, with the package alone.

`make handouts` installs the package with its extra `exercises`, unpacks the site's archive
elsewhere and runs every notebook: with its stubs, where every check must say "not yet", then with
the solutions put in, where every check must say "right".
"""

import sys
import tempfile
import zipfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html" / "_static"
TEACHER = ROOT / "_build" / "sphinx" / "handouts" / "teacher"


def run(notebook, folder: Path):
    """Execute a notebook in a folder."""
    from nbclient import NotebookClient

    made = nbformat.from_dict(notebook)
    NotebookClient(made, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    return made


def said(notebook) -> list[str]:
    """Return what each check said."""
    checks = [cell for cell in notebook.cells if "check" in cell.metadata.get("tags", [])]
    return ["".join(o.get("text", "") for o in cell.outputs).strip() for cell in checks]


def solved(teacher):
    """Return a teacher's notebook with each check behind the solution."""
    cells, check = [], None
    for cell in teacher.cells:
        tags = cell.metadata.get("tags", [])
        if "check" in tags:
            check = cell
            continue
        if check is not None and "stub" in tags:
            cells.append(check)
            check = None
        cells.append(cell)
    return nbformat.from_dict({**teacher, "cells": [*cells, *([check] if check else [])]})


def alone(notebook, support: Path):
    """Return a notebook that fetches what it needs from an address: here that of a file."""
    copy = nbformat.from_dict(notebook)
    copy.cells[1].source = copy.cells[1].source.replace(
        'site = ""', f'site = "{support.as_uri()}/"'
    )
    copy.cells[1].source = copy.cells[1].source.replace('site + "_static/', 'site + "')
    return copy


def main(names=()) -> int:
    problems = []
    with tempfile.TemporaryDirectory() as place:
        with zipfile.ZipFile(SITE / "exercises.zip") as packed:
            packed.extractall(place)
        paths = sorted(Path(place, "exercises").rglob("*.ipynb"))
        for path in paths:
            name = path.relative_to(Path(place, "exercises")).with_suffix("").as_posix()
            if names and name not in names:
                continue
            student = nbformat.read(path, as_version=4)
            teacher = nbformat.read(TEACHER / f"{name}.ipynb", as_version=4)
            for kind, notebook, expected in (
                ("stubs", student, "not yet"),
                ("solutions", solved(teacher), "right"),
            ):
                try:
                    answers = said(run(notebook, path.parent))
                except Exception as problem:
                    problems.append(f"{name}, {kind}: {str(problem)[-400:]}")
                    continue
                wrong = [answer for answer in answers if not answer.startswith(expected)]
                problems += [f"{name}, {kind}: a check says {answer!r}" for answer in wrong]
                print(f"{name}, {kind}: {len(answers)} checks", flush=True)
    with tempfile.TemporaryDirectory() as place:  # one notebook and no archive beside it
        first = TEACHER.with_name("student") / "labs" / "first-diagrams.ipynb"
        run(alone(nbformat.read(first, as_version=4), SITE), Path(place))
        print("labs/first-diagrams alone: its data were fetched")
    print("\n".join(problems) or "all notebooks ran")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
