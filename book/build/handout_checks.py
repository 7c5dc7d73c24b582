"""The checks of what is handed out: each by its name, without its answer, and the seals beside."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from book.build.students import exercises
from book.show.seal import EVERYBODY
from book.show.sealed_checks import sealed_check

CHECKS, SEALS = "checks.json", f"seals/{EVERYBODY}.json"


def name_checks(notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """Leave of each check its name, as in what is handed out; return checks and seals by label."""
    labels, checks = labels_of_sources(notebook), sealed_checks(notebook)
    for cell in notebook.cells:
        if "check" in cell.metadata.get("tags", []):
            cell.source = check_call(labels[cell.source])
    return checks


def sealed_checks(notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """Return of each exercise its check that holds no answer, and the seals that it asks."""
    seals = notebook.metadata.get("seals", {})
    return {
        exercise.label: {
            "check": sealed_check(exercise.check, exercise.open_names),
            "seals": seals[exercise.label],
        }
        for exercise in exercises(notebook)
        if exercise.label in seals
    }


def check_call(label: str) -> str:
    """Return the call of a check that lies beside the data."""
    return f'check("{label}").run(globals())'


def labels_of_sources(notebook: NotebookNode) -> dict[str, str]:
    """Return the label of the exercise that each stub and each check belongs to, by its source."""
    labels = {}
    for exercise in exercises(notebook):
        labels[exercise.stub] = labels[exercise.check] = exercise.label
    return labels


def checks_of(pages: Iterable[str], source: Path) -> dict[str, dict[str, Any]]:
    """Return the checks of all exercises, and what they ask, by label."""
    stored = source / CHECKS
    if stored.is_file():  # the site for students: its pages only name them
        return json.loads(stored.read_text(encoding="utf-8"))
    checks: dict[str, dict[str, Any]] = {}
    for page in sorted(pages):
        path = source / f"{page}.ipynb"
        if path.is_file():
            notebook = nbformat.v4.reads(path.read_text("utf-8"))
            checks |= sealed_checks(notebook)
    return checks
