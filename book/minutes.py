"""The minutes that chapters take to read and to teach, counted from the chapters themselves.

``{chapter-minutes}`` shows a table for each part of the book, and one for its sections.
"""

import re
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import nbformat
import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from book.slides import lectures
from book.students import without_solutions

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
HEADING = re.compile(r"^(#{1,2}) +(.+)$", re.MULTILINE)
HIDDEN = {"remove-cell", "remove-input", "hide-input", "hide-cell"}


@dataclass
class Section:
    """A section of a chapter, and the minutes it takes."""

    title: str
    reading: float = 0.0
    exercises: int = 0

    def read(self, text: str) -> None:
        """Add a piece of Markdown."""
        equations, tables = len(EQUATIONS.findall(text)), len(TABLE.findall(text))
        words = re.findall(r"\w[\w'’-]*", EQUATIONS.sub("", text))
        self.reading += len(words) / WORDS + EQUATION * equations + FIGURE * tables
        self.exercises += len(EXERCISES.findall(text))

    def run(self, cell) -> None:
        """Add a cell of code: its lines where they are shown, its figures and tables."""
        tags = set(cell.metadata.get("tags", []))
        if not tags & HIDDEN:
            self.reading += len(cell.source.splitlines()) / CODE_LINES
        if "remove-cell" not in tags:
            seen = [set(output.get("data", {})) for output in cell.get("outputs", [])]
            self.reading += FIGURE * sum(bool(s & {"image/png", "text/html"}) for s in seen)


def sections(notebook) -> list[Section]:
    """Return the sections of a chapter, solutions left out; the first holds its title."""
    found = [Section("")]
    for cell in without_solutions(notebook).cells:
        if cell.cell_type == "code":
            found[-1].run(cell)
            continue
        before, *rest = HEADING.split(cell.source)
        found[-1].read(before)
        for level, title, text in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
            found = [Section(title)] if level == "#" else [*found, Section(title)]
            found[-1].read(text)
    return found


def rounded(minutes: float) -> int:
    """Round up to five minutes."""
    return 5 * ceil(minutes / 5)


def chapter_row(name: str, parts: list[Section]) -> str:
    reading = sum(section.reading for section in parts)
    exercises = EXERCISE * sum(section.exercises for section in parts)
    times = rounded(reading), rounded(TEACHING * reading), exercises
    return f"| {{doc}}`/{name}` | {times[0]} | {times[1]} | {times[2]} |"


def section_rows(name: str, parts: list[Section]) -> list[str]:
    opening, *others = parts
    shown = {f"**{{doc}}`/{name}`**, opening": opening}
    shown |= {section.title: section for section in others if not section.exercises}
    return [
        f"| {title} | {max(1, round(section.reading))} "
        f"| {max(1, round(TEACHING * section.reading))} |"
        for title, section in shown.items()
    ]


def plan(part: str, chapters: dict[str, list[Section]]) -> list[str]:
    """Return the tables of one part of the book, in Markdown."""
    lines = [f"**{part}**", "", "| chapter | read | teach | exercises |", "|---|---|---|---|"]
    lines += [chapter_row(name, parts) for name, parts in chapters.items()]
    lines += ["", f":::{{dropdown}} {part}, section by section"]
    lines += ["| section | read | teach |", "|---|---|---|"]
    for name, parts in chapters.items():
        lines += section_rows(name, parts)
    return [*lines, ":::", ""]


class ChapterMinutes(SphinxDirective):
    """Show how long each chapter of the book, and each of its sections, takes."""

    def run(self) -> list[nodes.Node]:
        folder = Path(self.env.srcdir)
        contents = yaml.safe_load((folder / "_toc.yml").read_text(encoding="utf-8"))
        lines = [RULE, ""]
        for part in contents.get("parts", []):
            names = [chapter["file"] for chapter in part["chapters"]]
            told = {self.env.docname, *(name for name in names if name.startswith("labs/"))}
            paths = {name: folder / f"{name}.ipynb" for name in names if name not in told}
            chapters = {
                name: sections(nbformat.read(path, as_version=4))
                for name, path in paths.items()
                if path.is_file()
            }
            exercised = {n: s for n, s in chapters.items() if any(one.exercises for one in s)}
            lines += plan(part["caption"], exercised) if exercised else []
        for path in folder.rglob("*.ipynb"):
            self.env.note_dependency(str(path))
        node = nodes.container()
        self.state.nested_parse(StringList(lines, self.env.docname), self.content_offset, node)
        return node.children


class LabMinutes(SphinxDirective):
    """Say how long the lab of this page takes."""

    def run(self) -> list[nodes.Node]:
        notebook = nbformat.read(self.env.doc2path(self.env.docname), as_version=4)
        parts = sections(notebook)
        steps = sum(section.exercises for section in parts)
        minutes = rounded(sum(s.reading for s in parts) + LAB_STEP * steps + LAB_TALK)
        text = (
            f"About **{minutes} minutes**: an estimate from its words and cells, with {LAB_STEP} "
            f"minutes for each of its {steps} steps and {LAB_TALK} for the discussion. "
            "Nobody has timed yours."
        )
        node = nodes.container()
        self.state.nested_parse(StringList([text], self.env.docname), self.content_offset, node)
        return node.children


class Lectures(SphinxDirective):
    """List the lectures, with links where they are built."""

    def run(self) -> list[nodes.Node]:
        built = [Path(extra, "slides") for extra in self.config.html_extra_path]
        built = next((place for place in built if (place / "index.html").is_file()), None)
        root = "../" * self.env.docname.count("/")
        lines = ["| | lecture | slides |", "|---|---|---|"]
        for number, (name, title, count) in enumerate(lectures(), 1):
            shown, printed = f"{title}", ""
            if built:
                shown = f'<a href="{root}slides/{name}.html">{title}</a>'
            if built and (built / f"{name}.pdf").is_file():
                printed = f', <a href="{root}slides/{name}.pdf">PDF</a>'
            lines.append(f"| {number} | {shown} | {count}{printed} |")
        if not built:
            lines += [
                "",
                "This copy of the site was built without them: `make slides`, then `make book`.",
            ]
        node = nodes.container()
        self.state.nested_parse(StringList(lines, self.env.docname), self.content_offset, node)
        return node.children


def setup(app) -> dict:
    app.add_directive("lab-minutes", LabMinutes)
    app.add_directive("lectures", Lectures)
    app.add_directive("chapter-minutes", ChapterMinutes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
