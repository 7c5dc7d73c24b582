"""The parts of an exercise, found in a chapter's cells; a chapter without its solutions."""

from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from nbformat import NotebookNode

from book.build.project import BookError, Chapter
from book.show.exercises import open_names

PARSER = MarkdownIt("commonmark").use(colon_fence_plugin)
PROMPTS = {
    "code_prompt_show": "Show the check",
    "code_prompt_hide": "Hide the check",
}
PROOF_IMPORTS = (  # a chapter's key follows them: its seals are as these modules make them
    "from book.show.exercises import prove, sealed_numbers\n"
    "from book.show.sealed_checks import recorded_seals\n"
)


@dataclass
class Exercise:
    """An exercise of a chapter: its label, two cells, and the last cell of its solution."""

    label: str
    stub: str = ""
    check: str = ""
    end: int = -1

    open_names = property(lambda self: open_names(self.stub))


def directives(text: str) -> Iterator[tuple[str, str, dict[str, str], int, int]]:
    """Yield name, argument, options, first and last line of each directive of a text."""
    for token in PARSER.parse(text):
        name, closed, argument = token.info.partition("}")
        if token.type not in ("fence", "colon_fence") or token.map is None:
            continue
        if closed and name.startswith("{"):
            first, last = token.map
            yield name[1:], argument.strip(), _options(token.content), first, last


def _options(content: str) -> dict[str, str]:
    """Return the options of a directive, its lines ``:name: value``."""
    options = {}
    for line in content.splitlines():
        if line.startswith(":") and line.count(":") > 1:
            name, value = line[1:].split(":", 1)
            options[name] = value.strip()
    return options


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """Return the exercises of a chapter; a stub or a check outside of one is a ValueError."""
    by_label: dict[str, Exercise] = {}
    current = None
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            current = _opened(cell.source, by_label, current)
        _take_role(cell, current)
        if current is not None and cell.cell_type == "code":
            current.end = number
    return list(by_label.values())


def _opened(
    text: str, by_label: dict[str, Exercise], current: Exercise | None
) -> Exercise | None:
    """Return the exercise that a text leaves open; a new one is added to the rest."""
    for name, argument, options, *_ in directives(text):
        if name in ("exercise-start", "solution-start"):
            label = options.get("label", argument)
            current = by_label.setdefault(label, Exercise(label))
        if name in ("exercise-end", "solution-end"):
            current = None
    return current


def _take_role(cell: NotebookNode, exercise: Exercise | None) -> None:
    """Let an exercise have a cell that is tagged as its stub or its check."""
    for role in {"stub", "check"}.intersection(cell.metadata.get("tags", [])):
        if exercise is None:
            start = f"{cell.source[:60]!r}"
            raise ValueError(f"a {role} stands outside of an exercise: {start}")
        setattr(exercise, role, cell.source)


def imports_of_proofs(chapter: Chapter) -> list[str]:
    """Return what a chapter's proofs import; nothing where it has no exercise."""
    has_exercises = "{exercise-start}" in chapter.path.read_text(encoding="utf-8")
    return [PROOF_IMPORTS] if has_exercises else []


def add_proofs(chapter: Chapter, notebook: NotebookNode) -> None:
    """Put behind each solution a cell that tries its check on it and on wrong versions of it."""
    from nbformat.v4 import new_code_cell

    of_chapter = exercises(notebook)
    for exercise in of_chapter:
        if not (exercise.stub and exercise.check and exercise.open_names):
            raise BookError(
                f"{chapter.path}: {exercise.label} has no stub, no check or nothing open"
            )
    _refuse_equal_parts(chapter, of_chapter)
    for exercise in reversed(of_chapter):
        tail = f"{exercise.open_names!r}, globals())"
        source = PROOF_IMPORTS + (
            f"prove({exercise.label!r}, {exercise.check!r}, {tail}, "
            f"sealed_numbers({exercise.label!r}, {tail}, "
            f"recorded_seals({exercise.label!r}, {exercise.check!r}, {tail}"
        )
        proof = new_code_cell(source, id=exercise.label, metadata={"tags": ["proof"]})
        notebook.cells.insert(exercise.end + 1, proof)


def _refuse_equal_parts(chapter: Chapter, of_chapter: list[Exercise]) -> None:
    """Raise where two exercises have one stub, one check or one open name.

    A handout knows an exercise by the text of its cells, and a lab is marked when all of it has
    run: of two values by one name the last would count for both.
    """
    label_of: dict[tuple[str, str], str] = {}
    for exercise in of_chapter:
        parts = [("stub", exercise.stub), ("check", exercise.check)]
        parts += [("open name", name) for name in exercise.open_names]
        for part in parts:
            other = label_of.setdefault(part, exercise.label)
            if other != exercise.label:
                kind, text = part
                raise BookError(
                    f"{chapter.path}: {other} and {exercise.label} have the same {kind}\n"
                    f"{quoted(text)}"
                )


def take_proofs(chapter: Chapter, notebook: NotebookNode) -> None:
    """Take these cells away; keep how many wrong solutions each check refused, marks and seals."""
    refused, marks, seals = {}, {}, {}
    cells = []
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "proof" in tags:
            proof = literal_eval(cell.outputs[0].data["text/plain"])
            refused[cell.id], marks[cell.id], seals[cell.id] = proof
            continue
        if "check" in tags:
            _refuse_what_passes(chapter, cell)
            cell.metadata["mystnb"] = dict(PROMPTS)
        cells.append(cell)
    notebook.cells = cells
    if refused:
        marked = {label: numbers for label, numbers in marks.items() if numbers}
        notebook.metadata |= {"exercises": refused, "numbers": marked, "seals": seals}


def _refuse_what_passes(chapter: Chapter, cell: NotebookNode) -> None:
    """Raise where a check says of its stub anything but "not yet"."""
    printed = "".join(output.get("text", "") for output in cell.get("outputs", []))
    if not printed.startswith("not yet"):
        problem = "a check passes on its stub"
        raise BookError(f"{chapter.path}: {problem}\n{quoted(cell.source)}")


def quoted(source: str) -> str:
    return "\n".join(f"    {line}" for line in source.splitlines())


def solution_cells(notebook: NotebookNode) -> set[int]:
    """Return the numbers of the code cells that stand in solutions."""
    outside = {number for number, _ in _outside(notebook)}
    return {
        i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"
    } - outside


def without_solutions(notebook: NotebookNode) -> NotebookNode:
    """Return a notebook without what stands between ``solution-start`` and ``solution-end``."""
    return nbformat.from_dict(
        {**notebook, "cells": [cell for _, cell in _outside(notebook)]}
    )


def _outside(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    """Yield number and cell of what stands in no solution; of a text the part that does not."""
    in_solution = False
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            text, in_solution = _text_outside(cell.source, in_solution)
            if text.strip():
                yield number, nbformat.from_dict({**cell, "source": text})
        elif cell.cell_type == "code" and not in_solution:
            yield number, cell
    if in_solution:
        raise ValueError("a solution does not end")


def _text_outside(text: str, in_solution: bool) -> tuple[str, bool]:
    """Return the lines of a text that stand in no solution, and whether it ends in one."""
    lines = text.splitlines()
    outside = [not in_solution] * len(lines)
    for name, _, _, first, last in directives(text):
        if name in ("solution-start", "solution-end"):
            in_solution = name == "solution-start"
            outside[first:] = [not in_solution] * (len(lines) - first)
            outside[first:last] = [False] * (last - first)  # the directive itself
    return "\n".join(compress(lines, outside)).strip("\n"), in_solution


def without_answers(text: str) -> str:
    """Return a page without its answers: dropdowns called so."""
    lines = text.splitlines(keepends=True)
    for name, argument, _, first, last in directives(text):
        if name == "dropdown" and argument in ("Answer", "The answer"):
            lines[first:last] = [""] * (last - first)
    return "".join(lines)
