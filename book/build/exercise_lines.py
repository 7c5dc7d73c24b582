"""Below each exercise: its level, and where its Python runs.

In the page where the site has Python, else in the page's notebook, which works where it was
downloaded, or in the archive of all notebooks. What a browser keeps of it is in `run/run.js`.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.osutil import relative_uri

LEVELS = ("easy", "medium", "hard")
NOTEBOOKS = "_static/notebooks"
ARCHIVE = "_static/exercises.zip"
ICON = re.compile(r'(<a href="[./]*)_sources/([^"]+\.ipynb") target="_blank"')


def has_python(app: Sphinx) -> bool:
    """Return whether the site has Python for its pages (`make runtime`)."""
    folders = [Path(app.srcdir, folder) for folder in app.config.html_extra_path]
    return any((folder / "python" / "manifest.json").is_file() for folder in folders)


def level_of(classes: list[str]) -> str:
    """Return the level of an exercise, empty if it has none."""
    return next((name for name in LEVELS if name in classes), "")


def where_to_work(docname: str, label: str, *, python: bool) -> str:
    """Return the line that says where to work, as HTML."""
    notebook = relative_uri(f"{docname}.html", f"{NOTEBOOKS}/{docname}.ipynb")
    archive = relative_uri(f"{docname}.html", ARCHIVE)
    here = f'<a class="run-here" href="#{escape(label)}">Run it here</a>'
    links = [
        *([here] if python else []),
        f'<a download href="{notebook}">Notebook of this page</a>',
        f'<a download href="{archive}">All notebooks (zip)</a>',
    ]
    return f'<span class="exercise-places">Where to work: {" · ".join(links)}</span>'


class ExerciseLines(SphinxPostTransform):
    """Put level and places below the title of each exercise."""

    default_priority = 500

    def run(self, **_: Any) -> None:
        for node in self.document.findall(_is_exercise):
            name = level_of(node["classes"])
            line = nodes.paragraph(classes=["exercise-line"])
            if name:
                line += nodes.inline(
                    "", name.capitalize(), classes=["exercise-grade", name]
                )
            if self.app.builder.name == "html":
                line += nodes.raw("", self._where_to_work(node), format="html")
            if len(line):
                node.insert(_after_title(node), line)

    def _where_to_work(self, node: nodes.Element) -> str:
        python = has_python(self.app)
        return where_to_work(self.env.docname, node["ids"][0], python=python)


def _is_exercise(node: nodes.Node) -> bool:
    return (
        isinstance(node, nodes.Element)
        and node.get("type") == "exercise"
        and "label" in node
    )


def _after_title(node: nodes.Element) -> int:
    titles = [i for i, child in enumerate(node) if isinstance(child, nodes.title)]
    return titles[0] + 1 if titles else 0


def to_notebooks(page: str) -> str:
    """Lead the icon that downloads a page to the notebook that works where it lies."""
    return ICON.sub(rf"\1{NOTEBOOKS}/\2 download", page)
