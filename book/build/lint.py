"""Check the code cells of the chapters with ruff, as one notebook a chapter.

In a script, which ``jupytext --check`` would hand to ruff, prose is comments that are too long, and
the value that a cell shows is a useless expression.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from book.build.project import CELL, BookError, Chapter, Project

PAGE_COLUMNS = 88


def check(project: Project, chapters: list[Chapter], *, fix: bool = False) -> None:
    """Raise `BookError` with ruff's findings; with `fix`, write its changes back first."""
    ruff = [sys.executable, "-m", "ruff"]
    settings = ["--config", str(project.root / "pyproject.toml")]
    settings += ["--line-length", str(PAGE_COLUMNS)]
    with tempfile.TemporaryDirectory() as folder:
        notebooks = {chapter: Path(folder, f"{chapter.name}.ipynb") for chapter in chapters}
        for chapter, path in notebooks.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_notebook(chapter.path.read_text(encoding="utf-8")))
        if fix:
            for command in (["check", "--fix", "-q", "--exit-zero"], ["format", "-q"]):
                subprocess.run([*ruff, *command, *settings, "."], cwd=folder)
            for chapter, path in notebooks.items():
                _write_back(chapter.path, path)
        found = ""
        for command in (["check", "--output-format", "concise"], ["format", "--check"]):
            done = subprocess.run(
                [*ruff, *command, "--no-cache", *settings, "."],
                cwd=folder,
                capture_output=True,
                text=True,
            )
            if done.returncode:
                found += done.stdout + done.stderr
    if found:
        raise BookError(f"{found.replace('.ipynb', '')}\nmend with: make format")


def _notebook(text: str) -> str:
    cells = [
        nbformat.v4.new_code_cell(match["source"].removesuffix("\n"), id=f"cell-{number}")
        for number, match in enumerate(CELL.finditer(text))
    ]
    metadata = {"language_info": {"name": "python"}}
    return nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=metadata))


def _write_back(chapter: Path, notebook: Path) -> None:
    text = chapter.read_text(encoding="utf-8")
    sources = iter("".join(cell["source"]) for cell in json.loads(notebook.read_text())["cells"])

    def mended(match) -> str:
        head = text[match.start() : match.start("source")]
        source = next(sources)
        return f"{head}{source}\n{match['fence']}" if source else match.group()

    changed = CELL.sub(mended, text)
    if changed != text:
        chapter.write_text(changed, encoding="utf-8")
