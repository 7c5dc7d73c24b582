"""The minutes that chapters take to read and to teach, counted from the chapters themselves.

``{chapter-minutes}`` shows a table for each part of the book, ``{lab-minutes}`` says how long the
lab of its page takes, ``{lectures}`` lists the lectures.
"""

import re
from math import ceil
from pathlib import Path

import nbformat
import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from book.build.slides import lectures
from book.build.students import without_solutions

WORDS, CODE_LINES = 200, 15  # a minute
EQUATION, FIGURE, EXERCISE = 0.5, 1, 10  # minutes each; a table counts as a figure
LAB_STEP, LAB_TALK = 15, 20  # minutes for a step of a lab, and for its discussion
TEACHING = 1.5  # minutes of a lecture for a minute of reading
RULE = (
    f"Reading: {WORDS} words or {CODE_LINES} lines of shown code a minute, {FIGURE} minute for a "
    f"figure or a table, {EQUATION * 60:.0f} seconds for a displayed equation. A lecture takes "
    f"{TEACHING:g} times as long, an exercise {EXERCISE} minutes. Totals are rounded up to five "
    "minutes."
)
EQUATIONS = re.compile(r"^```+\{math\}.*?^```+|^\$\$.*?\$\$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^\|[ :|-]*-{3}[ :|-]*\|$", re.MULTILINE)
EXERCISES = re.compile(r"^```+\{exercise-start\}", re.MULTILINE)
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


def minutes(notebook) -> tuple[float, int]:
    """Return the minutes that a chapter takes to read, without its solutions, and its exercises."""
    cells = without_solutions(notebook).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    words = len(re.findall(r"\w[\w'’-]*", EQUATIONS.sub("", text)))
    found = words / WORDS + EQUATION * len(EQUATIONS.findall(text))
    found += FIGURE * len(TABLE.findall(text))
    for cell in cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "code" and not tags & HIDDEN:
            found += len(cell.source.splitlines()) / CODE_LINES
        if cell.cell_type == "code" and "remove-cell" not in tags:
            shown = [{"image/png", "text/html"} & set(o.get("data", {})) for o in cell.outputs]
            found += FIGURE * sum(map(bool, shown))
    return found, len(EXERCISES.findall(text))


def rounded(found: float) -> int:
    """Round up to five minutes."""
    return 5 * ceil(found / 5)


def chapter_minutes(env, config) -> list[str]:
    """Show how long each chapter with exercises takes, a table for each part of the book."""
    contents = yaml.safe_load(Path(env.srcdir, "_toc.yml").read_text(encoding="utf-8"))
    lines = [RULE, ""]
    for part in contents.get("parts", []):
        rows = []
        for name in (chapter["file"] for chapter in part["chapters"]):
            path = Path(env.srcdir, f"{name}.ipynb")
            if name == env.docname or name.startswith("labs/") or not path.is_file():
                continue
            env.note_dependency(str(path))
            reading, exercises = minutes(nbformat.read(path, as_version=4))
            times = rounded(reading), rounded(TEACHING * reading), EXERCISE * exercises
            rows += [f"| {{doc}}`/{name}` | {' | '.join(map(str, times))} |"] if exercises else []
        if rows:
            head = ["| chapter | read | teach | exercises |", "|---|---|---|---|"]
            lines += [f"**{part['caption']}**", "", *head, *rows, ""]
    return lines


def lab_minutes(env, config) -> list[str]:
    """Say how long the lab of this page takes."""
    reading, steps = minutes(nbformat.read(env.doc2path(env.docname), as_version=4))
    return [
        f"About **{rounded(reading + LAB_STEP * steps + LAB_TALK)} minutes**: an estimate from "
        f"its words and cells, with {LAB_STEP} minutes for each of its {steps} steps and "
        f"{LAB_TALK} for the discussion. Nobody has timed yours."
    ]


def lecture_table(env, config) -> list[str]:
    """List the lectures, with links where they are built."""
    places = [Path(extra, "slides") for extra in config.html_extra_path]
    built = next((place for place in places if (place / "index.html").is_file()), None)
    root = "../" * env.docname.count("/")
    lines = ["| | lecture | slides |", "|---|---|---|"]
    for number, (name, title, count) in enumerate(lectures(), 1):
        shown = f'<a href="{root}slides/{name}.html">{title}</a>' if built else title
        pdf = built and (built / f"{name}.pdf").is_file()
        printed = f', <a href="{root}slides/{name}.pdf">PDF</a>' if pdf else ""
        lines.append(f"| {number} | {shown} | {count}{printed} |")
    unbuilt = "This copy of the site was built without them: `make slides`, then `make book`."
    return lines if built else [*lines, "", unbuilt]


SHOWS = {"chapter-minutes": chapter_minutes, "lab-minutes": lab_minutes, "lectures": lecture_table}


class Counted(SphinxDirective):
    """Show the lines of Markdown that a function returns."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        text = StringList(SHOWS[self.name](self.env, self.config), self.env.docname)
        self.state.nested_parse(text, self.content_offset, node)
        for child in node.children:
            child["classes"].append("counted")  # no description of the page
        return node.children


def setup(app) -> dict:
    for name in SHOWS:
        app.add_directive(name, Counted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
