"""Lectures: the decks of the folder `slides`, shown by reveal.js and printed to PDF.

sphinx-revealjs builds them, reveal.js included, so that nothing is fetched when they are shown.
Numbers are those of the executed chapters, ``{{ glued_name }}``; figures are drawn anew for the
room, ``{shown} fig-name``. A slide that the last row cannot read is refused.
"""

import base64
import io
import json
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import jupytext
import nbformat
import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from book.build import room
from book.build.execute import execute_all
from book.build.project import BookError, Project

BOOK = Path(__file__).parents[1]
LECTURES = BOOK.parent / "teaching" / "slides"
GLUED = "application/papermill.record/text/plain"
NUMBER = re.compile(r"\{\{ (\w+) \}\}")
SHOWN = re.compile(r"\{shown\} (\S+)\n(?::panels: (.*)\n)?")
UNREADABLE = (BOOK / "build" / "slides.js").read_text(encoding="utf-8")
SIZE = {"width": 1280, "height": 720}


def lectures() -> list[tuple[str, str, int]]:
    """Return name, title and number of slides of each lecture."""
    found = []
    for path in sorted(LECTURES.glob("*.md")):
        headings = re.findall(r"^##? (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        found.append((path.stem, headings[0], len(headings)))
    return found


def folder(project: Project) -> Path:
    """Where the slides lie, in a folder that the site takes up as it is."""
    return project.build / "slides" / "site" / "slides"


def shown() -> dict[str, list[int]]:
    """Return the figures that the lectures show, each with the panels that it keeps."""
    texts = (path.read_text(encoding="utf-8") for path in LECTURES.glob("*.md"))
    found = (one for text in texts for one in SHOWN.findall(text))
    return {name: [int(number) for number in panels.split()] for name, panels in found}


def outputs(project: Project, chapters: list, folder: str) -> Iterator[tuple]:
    """Yield each cell of the executed chapters with each of its outputs."""
    for chapter in chapters:
        for cell in nbformat.read(project.executed(chapter, folder), as_version=4).cells:
            yield from ((cell, output) for output in cell.get("outputs", []))


def texts_and_numbers(project: Project) -> tuple[dict, dict]:
    """Return the text alternatives of figures, and the glued numbers, of the executed chapters."""
    texts, numbers = {}, {}
    chapters = [chapter for chapter in project.listed() if chapter.is_notebook]
    for cell, output in outputs(project, chapters, "executed"):
        data = output.get("data", {})
        if GLUED in data:
            name = output["metadata"]["scrapbook"]["name"].replace("-", "_")
            numbers[name] = data[GLUED].strip("'").replace("\\xa0", "\N{NO-BREAK SPACE}")
        if "image/png" in data and figure(cell):
            texts[figure(cell)] = cell.metadata.mystnb["image"]["alt"]
    return texts, numbers


def figures_for_the_room(project: Project) -> dict[str, bytes]:
    """Return the pictures that the lectures show, by their names; their chapters are executed."""
    panels, wanted, chapters = {}, shown(), []
    for chapter in project.listed():
        cells = jupytext.read(chapter.path).cells if chapter.is_notebook else []
        own = {cell.source: wanted[name] for cell in cells if (name := figure(cell)) in wanted}
        chapters += [chapter] if own else []
        panels |= own
    given = {"BOOK_STARTUP": "book.build.room", "BOOK_PANELS": json.dumps(panels)}
    execute_all(project, chapters, folder="room", environment=given)
    return {
        figure(cell): base64.b64decode(output["data"]["image/png"])
        for cell, output in outputs(project, chapters, "room")
        if figure(cell) in wanted and "image/png" in output.get("data", {})
    }


def figure(cell) -> str:
    """Return the name of the figure that a cell draws."""
    return cell.metadata.get("mystnb", {}).get("figure", {}).get("name", "")


def with_numbers_in_notes(text: str, numbers: dict) -> str:
    """Fill in the numbers of the speaker's notes, which are comments and no text of the slide."""
    if unknown := set(NUMBER.findall(text)) - set(numbers):
        raise BookError(f"slides: the chapters have no number {', '.join(sorted(unknown))}")
    lines = text.splitlines(keepends=True)
    return "".join(
        NUMBER.sub(lambda found: numbers[found[1]], line) if line.startswith("% ") else line
        for line in lines
    )


class Shown(SphinxDirective):
    """A figure of a chapter, drawn for the room."""

    required_arguments = 1
    option_spec: ClassVar = {"panels": str}  # numbers of those to keep, side by side

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in self.config.book_figures:
            raise self.error(f"no chapter has a figure {name}")
        return [nodes.image(uri=f"figures/{name}.png", alt=self.config.book_figures[name])]


def setup(app) -> dict:
    app.add_config_value("book_figures", {}, "env")
    app.add_directive("shown", Shown)
    return {"parallel_read_safe": True}


def write_slides(project: Project) -> Path:
    """Build all lectures from the chapters that have been executed; raise on any warning."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    work = project.build / "slides"
    shutil.rmtree(work, ignore_errors=True)
    source = work / "src"
    texts, numbers = texts_and_numbers(project)
    for name in ("figures", "static"):
        (source / name).mkdir(parents=True)
    for path in LECTURES.glob("*.md"):
        text = with_numbers_in_notes(path.read_text(encoding="utf-8"), numbers)
        (source / path.name).write_text(text, encoding="utf-8")
    for name, picture in figures_for_the_room(project).items():
        (source / "figures" / f"{name}.png").write_bytes(picture)
    shutil.copy(BOOK / "assets" / "slides.css", source / "static")
    shutil.copytree(BOOK / "assets" / "mathjax", source / "static" / "mathjax")
    toc = "\n".join(name for name, *_ in lectures())
    (source / "index.md").write_text(f"# Lectures\n\n```{{toctree}}\n{toc}\n```\n")
    config = yaml.safe_load((BOOK / "build" / "slides.yml").read_text(encoding="utf-8"))
    config |= {"myst_substitutions": numbers, "book_figures": texts}
    problems = io.StringIO()
    places = source, None, work / "html", work / "doctrees", "revealjs"
    with patch_docutils(None), docutils_namespace():
        Sphinx(*places, config, status=io.StringIO(), warning=problems).build(force_all=True)
    if problems.getvalue():
        raise BookError(f"the slides were not built\n{problems.getvalue()}")
    folder(project).parent.mkdir()
    (work / "html").rename(folder(project))
    return folder(project)


@contextmanager
def chromium():
    """Start the browser that prints; end it."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise BookError("Chromium is needed to print; install the package chromium")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic"]
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


def print_slides(project: Project) -> None:
    """Print each lecture beside its slides; refuse what cannot be read from afar."""
    problems = []
    with chromium() as browser:
        for name, *_ in lectures():
            page = browser.new_page(viewport=SIZE)
            deck = folder(project) / f"{name}.html"
            page.goto(f"{deck.as_uri()}?print-pdf", timeout=120_000)
            page.evaluate("() => window.MathJax && MathJax.startup.promise.then(() => true)")
            page.wait_for_selector(".pdf-page", state="attached")
            drawn = 2 * room.PIXELS * room.LETTERS / 72  # px of a figure's letters in its file
            problems += [f"{name}, {one}" for one in page.evaluate(UNREADABLE, drawn)]
            page.pdf(path=deck.with_suffix(".pdf"), prefer_css_page_size=True)
            page.close()
    if problems:
        raise BookError("\n".join(problems))
    print(f"printed {len(lectures())} lectures", file=sys.stderr)
