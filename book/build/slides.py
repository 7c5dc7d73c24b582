"""Lectures: the decks of the folder `slides`, shown by reveal.js and printed to PDF.

sphinx-revealjs builds them, reveal.js included, so that nothing is fetched when they are shown.
Numbers are those of the executed chapters, ``{{ glued_name }}``, and so are figures, ``{shown}
fig-name``. A slide whose text the last row cannot read is refused.
"""

import base64
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.build.project import BookError, Project
from book.show.looks import stylesheet

BOOK = Path(__file__).parents[1]
LECTURES = BOOK.parent / "teaching" / "slides"
GLUED = "application/papermill.record/text/plain"
NUMBER = re.compile(r"\{\{ (\w+) \}\}")
EXPLORABLE = re.compile(r'<([a-z]+(?:-[a-z]+)+) id="\1"')
UNREADABLE = (BOOK / "build" / "slides.js").read_text(encoding="utf-8")
SIZE = {"width": 1280, "height": 720}


def lectures() -> list[tuple[str, str, int]]:
    """Return name, title and number of slides of each lecture."""
    listed = []
    for path in sorted(LECTURES.glob("*.md")):
        headings = re.findall(
            r"^##? (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        listed.append((path.stem, headings[0], len(headings)))
    return listed


def folder(project: Project) -> Path:
    """Where the slides lie, in a folder that the site takes up as it is."""
    return project.build / "slides" / "site" / "slides"


@dataclass(frozen=True)
class ChapterOutputs:
    """What slides show of executed chapters, each by its name."""

    numbers: dict[str, str] = field(default_factory=dict)  # glued
    texts: dict[str, str] = field(default_factory=dict)  # words or an explorable
    pictures: dict[str, str] = field(default_factory=dict)  # PNG, in base64

    def add(self, output: Any, display: dict[str, Any]) -> None:
        """Take up what an output of a cell shows; `display` is the cell's `mystnb`."""
        data = output.get("data", {})
        if GLUED in data:
            # slides name numbers by words of a template, which hold no hyphen
            name = output["metadata"]["scrapbook"]["name"].replace("-", "_")
            number = data[GLUED].strip("'")
            self.numbers[name] = number.replace("\\xa0", "\N{NO-BREAK SPACE}")
        figure = display.get("figure", {}).get("name", "")
        if figure and "image/png" in data:
            self.texts[figure] = display["image"]["alt"]
            self.pictures[figure] = data["image/png"]
        explorable = EXPLORABLE.match(data.get("text/html", ""))
        if explorable:
            self.texts[explorable[1]] = data["text/html"]


def of_chapters(project: Project) -> ChapterOutputs:
    """Return glued numbers, figures and explorables of the executed chapters."""
    outputs = ChapterOutputs()
    for chapter in project.listed():
        if not chapter.is_notebook:
            continue
        notebook = nbformat.read(project.executed(chapter), as_version=4)
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                outputs.add(output, cell.metadata.get("mystnb", {}))
    return outputs


def with_numbers(text: str, numbers: dict[str, str]) -> str:
    """Fill in the numbers of slides and of the speaker's notes."""
    if unknown := set(NUMBER.findall(text)) - set(numbers):
        raise BookError(
            f"slides: the chapters have no number {', '.join(sorted(unknown))}"
        )
    return NUMBER.sub(lambda name: numbers[name[1]], text)


class Shown(SphinxDirective):
    """A figure of a chapter, or an explorable with its scripts."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        if name not in self.config.book_figures:
            raise self.error(f"no chapter has a figure {name}")
        text = self.config.book_figures[name]
        if not EXPLORABLE.match(text):
            return [nodes.image(uri=f"figures/{name}.png", alt=text)]
        loaded = self.env.temp_data.setdefault("book_scripts", [])
        new = [
            widget
            for widget in ("base", "definitions", "diagram", name)
            if widget not in loaded
        ]
        loaded += new
        scripts = [
            f'<script defer src="_static/widgets/{widget}.js"></script>'
            for widget in new
        ]
        return [nodes.raw("", text + "".join(scripts), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("book_figures", {}, "env")
    app.add_directive("shown", Shown)
    return {"parallel_read_safe": True}


def write_slides(project: Project) -> Path:
    """Build all lectures from the chapters that have been executed; raise on any warning."""
    # here, since it asks this module for the folder
    from book.build.sphinx_run import run_sphinx

    work = project.build / "slides"
    shutil.rmtree(work, ignore_errors=True)
    shown = of_chapters(project)
    stage_lectures(work / "src", shown)
    config = yaml.safe_load((BOOK / "build" / "slides.yml").read_text(encoding="utf-8"))
    config["book_figures"] = shown.texts
    run_sphinx(work / "src", work, "revealjs", config)
    folder(project).parent.mkdir()
    (work / "raw").rename(folder(project))
    return folder(project)


def stage_lectures(source: Path, shown: ChapterOutputs) -> None:
    """Write the folder that Sphinx reads: lectures with their numbers, figures, what they load."""
    for name in ("figures", "static"):
        (source / name).mkdir(parents=True)
    for path in LECTURES.glob("*.md"):
        text = with_numbers(path.read_text(encoding="utf-8"), shown.numbers)
        (source / path.name).write_text(text, encoding="utf-8")
    for name, picture in shown.pictures.items():
        (source / "figures" / f"{name}.png").write_bytes(base64.b64decode(picture))
    assets = BOOK / "assets"
    shutil.copy(assets / "slides.css", source / "static")
    sheet = stylesheet() + (assets / "widgets.css").read_text(encoding="utf-8")
    (source / "static" / "widgets.css").write_text(sheet, encoding="utf-8")
    for name in ("widgets", "mathjax"):
        shutil.copytree(assets / name, source / "static" / name)
    names = "\n".join(name for name, *_ in lectures())
    toctree = f"# Lectures\n\n```{{toctree}}\n{names}\n```\n"
    (source / "index.md").write_text(toctree, encoding="utf-8")


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser that prints; end it."""
    from playwright.sync_api import sync_playwright

    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
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
            page.evaluate(
                "() => window.MathJax && MathJax.startup.promise.then(() => true)"
            )
            page.wait_for_selector(".pdf-page", state="attached")
            problems += [f"{name}, {problem}" for problem in page.evaluate(UNREADABLE)]
            page.pdf(path=deck.with_suffix(".pdf"), prefer_css_page_size=True)
            page.close()
    if problems:
        raise BookError("\n".join(problems))
    print(f"printed {len(lectures())} lectures", file=sys.stderr)
