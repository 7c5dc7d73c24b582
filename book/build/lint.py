"""Check the code cells of the chapters with ruff, as one notebook a chapter: in a script, which
``jupytext --check`` would hand to ruff, the value that a cell shows is a useless expression."""

import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from book.build.project import CELL, BookError, Chapter, Project

PAGE_COLUMNS = 88


def check(project: Project, chapters: list[Chapter], *, fix: bool = False) -> None:
    """Raise `BookError` with ruff's findings; with `fix`, write its changes back first."""
    with tempfile.TemporaryDirectory() as folder:
        ruff = partial(_ruff, Path(folder), project.root / "pyproject.toml")
        notebooks = {
            chapter: Path(folder, f"{chapter.name}.ipynb") for chapter in chapters
        }
        for chapter, path in notebooks.items():
            _write_notebook(chapter, path)
        if fix:
            ruff("check", "--fix", "--exit-zero")
            ruff("format")
            for chapter, path in notebooks.items():
                _write_back(chapter.path, nbformat.read(path, as_version=4))
        complaints = ruff("check", "--output-format", "concise")
        complaints += ruff("format", "--check")
    if complaints:
        raise BookError(f"{complaints.replace('.ipynb', '')}\nmend with: make format")


def _ruff(folder: Path, settings: Path, *command: str) -> str:
    """Run ruff on a folder of notebooks; return what it says if it complains."""
    call = [sys.executable, "-m", "ruff", *command, "--config", str(settings)]
    call += ["--no-cache", "--line-length", str(PAGE_COLUMNS), "."]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True)
    return f"{done.stdout}{done.stderr}" if done.returncode else ""


def _write_notebook(chapter: Chapter, path: Path) -> None:
    """Write the code cells of a chapter as a notebook."""
    matches = CELL.finditer(chapter.path.read_text(encoding="utf-8"))
    code_cells = [
        new_code_cell(match["source"].removesuffix("\n"), id=f"cell-{number}")
        for number, match in enumerate(matches)
    ]
    language = {"language_info": {"name": "python"}}
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=code_cells, metadata=language), path)


def _write_back(chapter: Path, notebook: NotebookNode) -> None:
    sources = (cell.source for cell in notebook.cells)
    text = chapter.read_text(encoding="utf-8")

    def mended(cell: re.Match[str]) -> str:
        head, source = text[cell.start() : cell.start("source")], next(sources)
        return f"{head}{source}\n{cell['fence']}" if source else cell.group()

    if (changed := CELL.sub(mended, text)) != text:
        chapter.write_text(changed, encoding="utf-8")
