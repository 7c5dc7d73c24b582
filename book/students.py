"""What students get: the chapters with their exercises and without the solutions."""

import io
import re
import zipfile

import nbformat

from book.project import Chapter

START = re.compile(r"^```+\{solution-start\}")
END = re.compile(r"^```+\{solution-end\}")
FENCE = re.compile(r"^```+\s*$")


def without_solutions(notebook):
    """Return a notebook without what stands between ``solution-start`` and ``solution-end``."""
    cells, inside = [], False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if not inside:
                cells.append(cell)
            continue
        kept, inside = _kept_lines(cell.source.splitlines(), inside)
        if any(line.strip() for line in kept):
            cells.append(nbformat.from_dict({**cell, "source": "\n".join(kept).strip("\n")}))
    if inside:
        raise ValueError("a solution does not end")
    return nbformat.from_dict({**notebook, "cells": cells})


def _kept_lines(lines, inside):
    kept, closing = [], False
    for line in lines:
        if closing:
            closing = not FENCE.match(line)
        elif END.match(line):
            inside, closing = False, True
        elif START.match(line):
            inside = True
        elif not inside:
            kept.append(line)
    return kept, inside


def exercise_notebook(chapter: Chapter):
    """Return a chapter as a notebook to work in: not executed, without solutions."""
    import jupytext

    notebook = jupytext.read(chapter.path)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    notebook.metadata.pop("calib", None)
    return without_solutions(notebook)


def exercises_zip(chapters: list[Chapter]) -> bytes:
    """Return an archive of all exercise notebooks; the same chapters give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for chapter in chapters:
            if chapter.is_notebook:
                entry = zipfile.ZipInfo(f"exercises/{chapter.name}.ipynb")
                entry.compress_type = zipfile.ZIP_DEFLATED
                text = nbformat.writes(exercise_notebook(chapter)) + "\n"
                archive.writestr(entry, text.encode())
    return content.getvalue()
