"""A chapter with one exercise, executed without a kernel."""

import io
from contextlib import redirect_stdout

from helpers import ROOT
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from book.build import students
from book.build.project import Chapter
from book.show import exercises as exercise_cells
from book.show.exercises import check
from book.show.sealed_checks import recorded_seals

CHAPTER = Chapter("part/name", ROOT / "part" / "name.md", {})


RIGHT = "with check('ex'):\n    assert twice(21) == 42"


def notebook(*cells):
    """A notebook of texts and of code cells, pairs of tag and source."""
    made = new_notebook()
    for one in cells:
        text = isinstance(one, str)
        tags = {} if text else {"metadata": {"tags": [one[0]]}}
        made.cells.append(
            new_markdown_cell(one) if text else new_code_cell(one[1], **tags)
        )
    return made


def twice(check_source=RIGHT):
    """A chapter with one exercise."""
    return notebook(
        "Text\n```{exercise-start} Twice\n:label: ex\n```\nWrite it.",
        ("stub", "def twice(x): ..."),
        ("check", check_source),
        "```{exercise-end}\n```\n```{solution-start} ex\n:class: dropdown\n```\nThe answer is",
        ("solution", "def twice(x):\n    return 2 * x"),
        "so 42.\n```{solution-end}\n```\nMore text\n~~~\n```{solution-start} ex\n```\n~~~",
        ("more", "x = 1"),
    )


def run(made):
    """Execute a notebook without a kernel, with the proofs behind its solutions."""
    students.add_proofs(CHAPTER, made)
    space = {"check": check, "recorded_seals": recorded_seals, **vars(exercise_cells)}
    for cell in made.cells:
        if cell.cell_type == "code":
            *_, last = cell.source.splitlines()
            proof = last.startswith("prove(")
            with redirect_stdout(io.StringIO()) as out:
                value = eval(last, space) if proof else exec(cell.source, space)
            cell.outputs = [new_output("stream", text=out.getvalue())]
            if proof:
                cell.outputs = [
                    new_output("execute_result", {"text/plain": str(value)})
                ]
    students.take_proofs(CHAPTER, made)
    return made
