"""The minutes that chapters take to read and to teach, estimated from the chapters themselves.

Each chapter says them below its title. Each text of `templates/counted` is a directive, such as
``{chapter-minutes}``, and may use what `offered` lists; the role ``{page-minutes}`` says how long a
page takes.
"""

import re
from collections.abc import Iterable, Iterator
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import yaml
from docutils import nodes
from docutils.statemachine import StringList
from jinja2 import Environment, FileSystemLoader
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole

from book.build.slides import lectures
from book.build.students import without_solutions

WORDS, CODE_LINES = 120, 15  # a minute
# minutes each; a table counts as a figure
EQUATION, FIGURE, GESTURE, EXERCISE = 0.5, 1, 2, 10
# minutes for a step of a lab, and for its discussion: fives
LAB_STEP, LAB_TALK = 15, 20
SLIDE, OPENER, GROUP, EXAM = 4, 10, 15, 70  # minutes for a slide, and so on
ROOT = Path(__file__).parents[2]
PLANS = ROOT / "teaching" / "plans.yml"
FOLDER = FileSystemLoader(ROOT / "book" / "templates" / "counted")
TEXTS = Environment(loader=FOLDER, trim_blocks=True, lstrip_blocks=True)
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


def parts_with_exercises(
    env: BuildEnvironment,
) -> Iterator[tuple[str, dict[str, Estimate]]]:
    """Yield the name of each part of the book, and its chapters that have exercises."""
    contents = yaml.safe_load(Path(env.srcdir, "_toc.yml").read_text(encoding="utf-8"))
    for part in contents.get("parts", []):
        names = [chapter["file"] for chapter in part["chapters"]]
        estimates = {
            name: estimate_of_page(env, name)
            for name in names
            if not name.startswith("labs/")  # they have steps
        }
        chapters = {name: one for name, one in estimates.items() if one.exercises}
        if chapters:
            yield part["caption"], chapters


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


def minutes_of_lab(env: BuildEnvironment, name: str) -> int:
    """Return the minutes of a lab."""
    reading, _, steps = estimate_of_page(env, name)
    return reading + LAB_STEP * steps + LAB_TALK


def minutes_of_lecture(deck: int, first: int = 1, last: int = 0) -> int:
    """Return the minutes of a lecture's slides, all of them or some."""
    return SLIDE * ((last or lectures()[deck - 1][2]) - first + 1)


def minutes_to_read(env: BuildEnvironment, names: Iterable[str]) -> int:
    """Return the minutes to read some pages."""
    return sum(estimate_of_page(env, name).reading for name in names)


def address_in_slides(env: BuildEnvironment, name: str) -> str:
    """Return the address of a lecture's file; nothing where the lectures are not built."""
    folders = [Path(path, "slides") for path in env.config.html_extra_path]
    is_there = any(any(folder.glob(name)) for folder in folders)
    return f"{'../' * env.docname.count('/')}slides/{name}" if is_there else ""


def filled_text(name: str, env: BuildEnvironment) -> str:
    """Return a text of `templates/counted`, filled in."""
    env.metadata[env.docname]["counted"] = True
    plans = yaml.safe_load(PLANS.read_text(encoding="utf-8"))
    weeks = week_of(plans) if name == "plan-week" else plans["weeks"]
    content = offered(env) | {"guest": plans["guest"], "weeks": weeks}
    return TEXTS.get_template(f"{name}.md").render(content)


def offered(env: BuildEnvironment) -> dict[str, Any]:
    """Return what a text may use: the page that shows it, minutes of one thing, and of pages."""
    return {
        "page": env.docname,
        "WORDS": WORDS,
        "CODE_LINES": CODE_LINES,
        "EQUATION": EQUATION,
        "FIGURE": FIGURE,
        "GESTURE": GESTURE,
        "EXERCISE": EXERCISE,
        "TEACHING": TEACHING,
        "LAB_STEP": LAB_STEP,
        "LAB_TALK": LAB_TALK,
        "SLIDE": SLIDE,
        "OPENER": OPENER,
        "GROUP": GROUP,
        "EXAM": EXAM,
        "lectures": lectures,
        "minutes_of_lecture": minutes_of_lecture,
        "address_in_slides": partial(address_in_slides, env),
        "estimate_of_page": partial(estimate_of_page, env),
        "minutes_of_lab": partial(minutes_of_lab, env),
        "minutes_to_read": partial(minutes_to_read, env),
        "parts_with_exercises": partial(parts_with_exercises, env),
    }


def week_of(plans: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the days of the plan of one week: sessions, each with what the day has of its own."""
    return [plans["weeks"][day["session"] - 1] | day for day in plans["week"]]


class TextWithMinutes(SphinxDirective):
    """Show a text of `templates/counted`."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        text = StringList(
            filled_text(self.name, self.env).splitlines(), self.env.docname
        )
        self.state.nested_parse(text, self.content_offset, node)
        for child in node.children:
            child["classes"].append("counted")  # no description of the page
        return node.children


class PageMinutes(SphinxRole):
    """Say in a sentence how long a page takes to read."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.metadata[self.env.docname]["counted"] = True
        return [nodes.Text(f"{minutes_to_read(self.env, [self.text])} minutes")], []


DIRECTIVES = {
    name.removesuffix(".md"): TextWithMinutes for name in TEXTS.list_templates()
}


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
