"""The minutes that chapters take to read and to teach, counted from the chapters themselves.

Each chapter says them below its title. Each text of `templates/counted` is a directive, such as
``{chapter-minutes}``; the role ``{page-minutes}`` says how long a page takes.
"""

import re
from collections.abc import Iterable, Iterator
from math import ceil
from pathlib import Path
from typing import Any

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
TEXTS = FileSystemLoader(ROOT / "book" / "templates" / "counted")
COUNTED = Environment(loader=TEXTS, trim_blocks=True, lstrip_blocks=True)
TEACHING = 1.5  # minutes of a lecture for a minute of reading
GLUED = re.compile(r"\{glue:\w+\}`[^`]*`")  # a number, whatever its name
MOVES = re.compile(r"<[a-z]+-[a-z-]+[ >]")
EQUATIONS = re.compile(r"^```+\{math\}.*?^```+|^\$\$.*?\$\$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|[ :|-]*-{3}[ :|-]*\|$", re.MULTILINE)
EXERCISES = re.compile(r"^```+\{exercise-start\}", re.MULTILINE)
Row = tuple[
    str, int, int, int
]  # a page, its minutes to read and to teach, its exercises
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


def minutes(notebook: NotebookNode) -> tuple[float, int]:
    """Return the minutes that a chapter takes to read, without its solutions, and its exercises."""
    cells = without_solutions(notebook).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    words = len(re.findall(r"\w[\w'’-]*", GLUED.sub("0", EQUATIONS.sub("", text))))
    total = words / WORDS + EQUATION * len(EQUATIONS.findall(text))
    total += FIGURE * len(TABLE.findall(text))
    for cell in cells:
        if cell.cell_type == "code":
            total += minutes_of_code(cell)
    return total, len(EXERCISES.findall(text))


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


def rounded(total: float) -> int:
    """Round up to five minutes."""
    return 5 * ceil(total / 5)


def parts(env: BuildEnvironment) -> Iterator[tuple[str, list[Row]]]:
    """Yield each part of the book, and of its chapters with exercises name and counts."""
    contents = yaml.safe_load(Path(env.srcdir, "_toc.yml").read_text(encoding="utf-8"))
    for section in contents.get("parts", []):
        names = [chapter["file"] for chapter in section["chapters"]]
        counts = {name: of_page(env, name) for name in names}
        rows = [
            (name, *row) for name, row in counts.items() if has_exercises(name, row)
        ]
        if rows:
            yield section["caption"], rows


def has_exercises(name: str, counts: tuple[int, int, int]) -> bool:
    """Return whether a page is a chapter with exercises; a lab has steps."""
    return not name.startswith("labs/") and counts[-1] > 0


def of_page(env: BuildEnvironment, name: str) -> tuple[int, int, int]:
    """Return the minutes to read and to teach a page, and its exercises; none where it is not."""
    return env.minutes.get(name, (0, 0, 0))


def count(path: Path) -> tuple[int, int, int]:
    """Count these of a file."""
    if path.suffix == ".md":
        total, steps = len(path.read_text(encoding="utf-8").split()) / WORDS, 0
    else:
        total, steps = minutes(nbformat.v4.reads(path.read_text("utf-8")))
    return rounded(total), rounded(TEACHING * total), steps


def recount(
    app: Sphinx,
    env: BuildEnvironment,
    added: set[str],
    changed: set[str],
    removed: set[str],
) -> list[str]:
    """Count the pages that changed; return those that show counts, where one is another now."""
    before, new = getattr(env, "minutes", {}), added | changed
    unchanged = (env.found_docs - new) & before.keys()
    env.minutes = {name: before[name] for name in unchanged}
    for name in env.found_docs - unchanged:
        env.minutes[name] = count(Path(env.doc2path(name)))
    if env.minutes == before:
        return []
    return [name for name, about in env.metadata.items() if "counted" in about]


def of_lab(env: BuildEnvironment, name: str) -> int:
    """Return the minutes of a lab."""
    reading, _, steps = of_page(env, name)
    return reading + LAB_STEP * steps + LAB_TALK


def of_lecture(deck: int, first: int = 1, last: int = 0) -> int:
    """Return the minutes of a lecture's slides, all of them or some."""
    return SLIDE * ((last or lectures()[deck - 1][2]) - first + 1)


def to_read(env: BuildEnvironment, names: Iterable[str]) -> int:
    """Return the minutes to read some pages."""
    return sum(of_page(env, name)[0] for name in names)


def built(env: BuildEnvironment, name: str) -> str:
    """Return the address of a lecture's file; nothing where the lectures are not built."""
    there = any(any(Path(e, "slides").glob(name)) for e in env.config.html_extra_path)
    return f"{'../' * env.docname.count('/')}slides/{name}" if there else ""


def counted(name: str, env: BuildEnvironment) -> str:
    """Return a text of `templates/counted`, filled in."""
    env.metadata[env.docname]["counted"] = True
    plans = yaml.safe_load(PLANS.read_text(encoding="utf-8"))
    shown = {
        "guest": plans["guest"],
        "weeks": week_of(plans) if name == "plan-week" else plans["weeks"],
    }
    return COUNTED.get_template(f"{name}.md").render(globals(), env=env, **shown)


def week_of(plans: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the days of the plan of one week: sessions, each with what the day has of its own."""
    return [plans["weeks"][day["session"] - 1] | day for day in plans["week"]]


class Counted(SphinxDirective):
    """Show a text with counted minutes."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        text = StringList(counted(self.name, self.env).splitlines(), self.env.docname)
        self.state.nested_parse(text, self.content_offset, node)
        for child in node.children:
            child["classes"].append("counted")  # no description of the page
        return node.children


class PageMinutes(SphinxRole):
    """Say in a sentence how long a page takes to read."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        self.env.metadata[self.env.docname]["counted"] = True
        return [nodes.Text(f"{to_read(self.env, [self.text])} minutes")], []


DIRECTIVES = {name.removesuffix(".md"): Counted for name in COUNTED.list_templates()}


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
    reading, _, exercises = of_page(app.env, pagename)
    sentence = f"About {reading} minutes"
    sentence += f", and {EXERCISE * exercises} for the exercises" if exercises else ""
    line = f'</h1>\n<p class="page-minutes">{sentence}</p>'
    context["body"] = (context.get("body") or "").replace("</h1>", line, 1)
