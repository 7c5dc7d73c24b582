"""The minutes that a page takes to read and to teach, estimated from the page itself.

Each chapter says them below its title; `plans` adds up what a course takes.
"""

import re
from collections.abc import Iterable
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from book.build.students import without_solutions

WORDS, CODE_LINES = 120, 15  # a minute
# minutes each; a table counts as a figure
EQUATION, FIGURE, GESTURE, EXERCISE = 0.5, 1, 2, 10
TEACHING = 1.5  # minutes of a lecture for a minute of reading
GLUED = re.compile(r"\{glue:\w+\}`[^`]*`")  # a number, whatever its name
MOVES = re.compile(r"<[a-z]+-[a-z-]+[ >]")
EQUATIONS = re.compile(r"^```+\{math\}.*?^```+|^\$\$.*?\$\$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|[ :|-]*-{3}[ :|-]*\|$", re.MULTILINE)
EXERCISES = re.compile(r"^```+\{exercise-start\}", re.MULTILINE)
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


class Estimate(NamedTuple):
    """The minutes to read and to teach a page, and how many exercises or steps it has."""

    reading: int
    teaching: int
    exercises: int


NOTHING = Estimate(0, 0, 0)  # of a page that is not there


def estimate_of_file(path: Path) -> Estimate:
    """Return what a page takes that lies in a file: an executed notebook or Markdown."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        minutes, exercises = len(text.split()) / WORDS, 0
    else:
        cells = without_solutions(nbformat.v4.reads(text)).cells
        minutes = minutes_of_cells(cells)
        exercises = len(EXERCISES.findall(text_of(cells)))
    return Estimate(rounded(minutes), rounded(TEACHING * minutes), exercises)


def text_of(cells: list[NotebookNode]) -> str:
    """Return the text between the code cells of a notebook."""
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def minutes_of_cells(cells: list[NotebookNode]) -> float:
    """Return the minutes to read cells: their words, equations and tables, code and outputs."""
    text = text_of(cells)
    words = len(re.findall(r"\w[\w'’-]*", GLUED.sub("0", EQUATIONS.sub("", text))))
    minutes = words / WORDS + EQUATION * len(EQUATIONS.findall(text))
    minutes += FIGURE * len(TABLE.findall(text))
    code = [minutes_of_code(cell) for cell in cells if cell.cell_type == "code"]
    return sum(code, start=minutes)


def minutes_of_code(cell: NotebookNode) -> float:
    """Return the minutes to read what the page shows of a code cell: source and outputs."""
    tags = set(cell.metadata.get("tags", []))
    if "remove-cell" in tags:
        return 0
    lines = 0 if tags & HIDDEN else len(cell.source.splitlines())
    outputs = [minutes_of_output(output.get("data", {})) for output in cell.outputs]
    return sum(outputs, start=lines / CODE_LINES)


def minutes_of_output(data: dict[str, Any]) -> float:
    """Return the minutes for a figure, for one that moves, or for a table."""
    if MOVES.search("".join(data.get("text/html", ""))):
        return GESTURE
    return FIGURE if {"image/png", "text/html"} & set(data) else 0


def rounded(minutes: float) -> int:
    """Round up to five minutes."""
    return 5 * ceil(minutes / 5)


def estimate_of_page(env: BuildEnvironment, name: str) -> Estimate:
    """Return what a page of the book takes."""
    return env.minutes.get(name, NOTHING)


def estimate_changed_pages(
    app: Sphinx,
    env: BuildEnvironment,
    added: set[str],
    changed: set[str],
    removed: set[str],
) -> list[str]:
    """Estimate the pages that changed; return those that show minutes, if any are others now."""
    before, new = getattr(env, "minutes", {}), added | changed
    unchanged = (env.found_docs - new) & before.keys()
    env.minutes = {name: before[name] for name in unchanged}
    for name in env.found_docs - unchanged:
        env.minutes[name] = estimate_of_file(Path(env.doc2path(name)))
    if env.minutes == before:
        return []
    return [name for name, about in env.metadata.items() if "counted" in about]


def minutes_to_read(env: BuildEnvironment, names: Iterable[str]) -> int:
    """Return the minutes to read some pages."""
    return sum(estimate_of_page(env, name).reading for name in names)


def say(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Say below the title of a chapter how long it takes; a browser adds what its reader took."""
    path = Path(app.srcdir, f"{pagename}.ipynb")
    if (
        pagename in ("index", app.config.root_doc)
        or "labs/" in pagename
        or not path.is_file()
    ):
        return
    reading, _, exercises = estimate_of_page(app.env, pagename)
    sentence = f"About {reading} minutes"
    sentence += f", and {EXERCISE * exercises} for the exercises" if exercises else ""
    line = f'</h1>\n<p class="page-minutes">{sentence}</p>'
    context["body"] = (context.get("body") or "").replace("</h1>", line, 1)
