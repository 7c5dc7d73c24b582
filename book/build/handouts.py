"""Notebooks to hand out: a page's text as plain Markdown, by Sphinx, between its code cells.

While the pages are built, each resolved page is written once more with the translator of
sphinx-markdown-builder. Students get stubs and checks, teachers the solutions as well.
"""

import json
import re
import shutil
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.util.math import get_node_equation_number
from sphinx_exercise.nodes import solution_node
from sphinx_markdown_builder.contexts import (
    SubContext,
    SubContextParams,
    TableContext,
    WrappedContext,
)
from sphinx_markdown_builder.translator import MarkdownTranslator

from book.build import wheel
from book.build.project import zipped
from book.build.publish import published
from book.build.students import exercises, solution_cells
from book.show.seal import EVERYBODY
from book.show.sealed_checks import sealed
from evidence import data_folder

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^@@cell (\d+)@@$", re.MULTILINE)
# a title of both
TWICE = re.compile(r"^(#+ Step \d+: (.+))\n+\*\*\2\*\*$", re.MULTILINE)
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
}
SUPPORT = "calibration-book"
LARGE = {  # notebooks that fetch what no other needs, so that the archive stays small
    "recalibrate/arena",
    "recalibrate/choosing-a-method",
    "recalibrate/trained-to-be-calibrated",
    "replicate/evidence",
    "replicate/guo2017",
    "replicate/gupta2021",
    "replicate/minderer2021",
    "replicate/nixon2019",
    "replicate/vasilev2021",
}
TEMPLATES = ROOT / "book" / "templates"
PREPARE = (TEMPLATES / "prepare.txt").read_text(encoding="utf-8").strip()
KIT = {  # what lies beside the notebooks, and its source
    "README.md": "kit.md",
    "start.py": "../../teaching/start.py",
    "LICENSE": "../../LICENSE",
}
CHECKS, SEALS = "checks.json", f"seals/{EVERYBODY}.json"
TALK = "*Your answers to the discussion, up to half a page.*"


def with_bars(rows: list[list[str]]) -> list[str]:
    """Return the lines of a table of equally long rows, the first of them its head."""
    head, *body = [f"| {' | '.join(row)} |" for row in rows]
    return [head, f"|{' --- |' * len(rows[0])}", *body]


class TableAsPrinted(TableContext):
    """A table whose numbers keep their last zeros: a cell is text, 9.10 is not 9.1."""

    def make(self) -> str:
        """Return the table with bars, below what stood before it."""
        rows = [self.make_row(row) for row in (*self.headers, *self.body)]
        context = SubContext()
        context.add(self.internal_context.make())
        if rows:
            context.add("\n".join(with_bars(rows)), prefix_eol=2)
        return context.make()


class PlainMarkdown(MarkdownTranslator):
    """Markdown that every notebook shows; a code cell leaves its number behind."""

    def visit_container(self, node: nodes.Element) -> None:
        if node.get("nb_element") == "cell_code":
            self._alone(f"@@cell {node['cell_index']}@@")

    def visit_raw(self, node: nodes.Element) -> None:
        raise nodes.SkipNode  # HTML: interactive figures, which a notebook cannot show

    def visit_title(self, node: nodes.Element) -> None:
        if isinstance(node.parent, nodes.section | nodes.document):
            super().visit_title(node)
        else:
            text = node.astext().strip()
            self._alone(f"**{text[1:-1] if text.startswith('(') else text}**")

    def depart_title(self, node: nodes.Element) -> None:
        self._pop_context()

    def visit_table(self, node: nodes.Element) -> None:
        self._push_context(TableAsPrinted(params=SubContextParams(2, 1)))

    def depart_table(self, node: nodes.Element) -> None:
        self._pop_context()

    def _alone(self, text: str) -> None:
        self.add(text, prefix_eol=2, suffix_eol=2)
        raise nodes.SkipNode

    def visit_dropdown_main(self, node: nodes.Element) -> None:
        self.add("<details>", prefix_eol=2, suffix_eol=1)

    def depart_dropdown_main(self, node: nodes.Element) -> None:
        self.add("</details>", prefix_eol=2, suffix_eol=2)

    def visit_dropdown_title(self, node: nodes.Element) -> None:
        texts = node.findall(nodes.Text)  # without the mark that unfolds, which is HTML
        words = "".join(t for t in texts if not isinstance(t.parent, nodes.raw))
        self.add(f"<summary>{words.strip()}</summary>", suffix_eol=2)
        raise nodes.SkipNode

    def visit_solution_title(self, node: nodes.Element) -> None:
        self._alone("**Solution**")

    def visit_reference(self, node: nodes.Element) -> None:
        address = node.get("refuri", "")
        if not node.get("internal") and "://" in address:
            return super().visit_reference(node)
        base, page = self.config.html_baseurl, self.builder.current_docname
        path, _, anchor = address.partition("#")
        anchor = node.get("refid", anchor)
        path = normpath(join(dirname(page), path)) if path else f"{page}.html"
        self._push_context(
            WrappedContext("[", f"]({base}{path}#{anchor})")
            if base
            else WrappedContext("", "")  # without an address of the site no link works
        )

    def visit_math_block(self, node: nodes.Element) -> None:
        number = get_node_equation_number(self, node) if node.get("number") else ""
        tag = f"\n\\tag{{{number}}}" if number else ""
        self._alone(f"$$\n{node.astext().strip()}{tag}\n$$")

    def unknown_visit(self, node: nodes.Element) -> None:
        """Show what a box or a span holds."""

    visit_target = unknown_departure = unknown_visit
    depart_reference = depart_title


def name_checks(notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """Leave of each check its name, as in what is handed out; return checks and seals by label."""
    labels, checks = labels_of_sources(notebook), sealed_checks(notebook)
    for cell in notebook.cells:
        if "check" in cell.metadata.get("tags", []):
            cell.source = check_call(labels[cell.source])
    return checks


def sealed_checks(notebook: NotebookNode) -> dict[str, dict[str, Any]]:
    """Return of each exercise its check that holds no answer, and the seals that it asks."""
    seals = notebook.metadata.get("seals", {})
    return {
        exercise.label: {
            "check": sealed(exercise.check, exercise.answers),
            "seals": seals[exercise.label],
        }
        for exercise in exercises(notebook)
        if exercise.label in seals
    }


def check_call(label: str) -> str:
    """Return the call of a check that lies beside the data."""
    return f'check("{label}").run(globals())'


def handout(
    app: Sphinx, doctree: nodes.document, notebook: NotebookNode, *, solutions: bool
) -> NotebookNode:
    """Return a page as a notebook to work in, not executed."""
    about = {"page": app.builder.current_docname, "site": app.config.html_baseurl or ""}
    opening, texts = page_texts(app, doctree, solutions=solutions)
    cells = [
        nbformat.v4.new_markdown_cell(opening.strip()),
        nbformat.v4.new_code_cell(PREPARE.format(support=SUPPORT, **about)),
    ]
    shown = {number for number, _ in texts}
    code = code_cells(notebook, shown, solutions=solutions)
    first = 0
    for number, text in texts:
        # of neighbouring code cells the page shows the last one only
        cells += [code[i] for i in range(first, number + 1) if i in code]
        cells += text_cells(text, is_lab=about["page"].startswith("labs/"))
        first = number + 1
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number:03d}"
    return nbformat.v4.new_notebook(
        cells=cells, metadata=KERNEL | {"calibration": about}
    )


def page_texts(
    app: Sphinx, doctree: nodes.document, *, solutions: bool
) -> tuple[str, list[tuple[int, str]]]:
    """Return a page's text before its first code cell, and behind each by its number."""
    tree = doctree.deepcopy()
    if not solutions:
        for node in list(tree.findall(solution_node)):
            node.parent.remove(node)
    writer = PlainMarkdown(tree, app.builder)
    tree.walkabout(writer)
    opening, *marked = MARK.split(TWICE.sub(r"\1", writer.astext()))
    numbers = [int(number) for number in marked[::2]]
    return opening, list(zip(numbers, marked[1::2], strict=True))


def code_cells(
    notebook: NotebookNode, shown: set[int], *, solutions: bool
) -> dict[int, Any]:
    """Return the code cells of a handout by their numbers, folded where not `shown`."""
    dropped = set() if solutions else solution_cells(notebook)
    labels = labels_of_sources(notebook)
    return {
        number: code_cell(cell, labels, number not in shown, solutions)
        for number, cell in enumerate(notebook.cells)
        if cell.cell_type == "code" and number not in dropped
    }


def labels_of_sources(notebook: NotebookNode) -> dict[str, str]:
    """Return the label of the exercise that each stub and each check belongs to, by its source."""
    labels = {}
    for exercise in exercises(notebook):
        labels[exercise.stub] = labels[exercise.check] = exercise.label
    return labels


def code_cell(
    cell: NotebookNode, labels: dict[str, str], hidden: bool, solutions: bool
) -> NotebookNode:
    """Return a code cell of a handout; without solutions a check is no more than its name."""
    tags = {"stub", "check", "solution"}.intersection(cell.metadata.get("tags", []))
    source = cell.source
    metadata: dict[str, Any] = {"tags": sorted(tags)} if tags else {}
    if source in labels:
        metadata["exercise"] = labels[source]
    if hidden:
        metadata["jupyter"] = {"source_hidden": True}
    if "check" in tags and not solutions:  # its assertions lie beside the data
        source = check_call(labels[source])
    return nbformat.v4.new_code_cell(source, metadata=metadata)


def text_cells(text: str, *, is_lab: bool) -> list[NotebookNode]:
    """Return the cell of a text, and in a lab the empty one to write the discussion into."""
    if not text.strip():
        return []
    cells = [nbformat.v4.new_markdown_cell(text.strip())]
    if is_lab and "## Discussion" in text:
        cells.append(
            nbformat.v4.new_markdown_cell(TALK, metadata={"exercise": "discussion"})
        )
    return cells


def write(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the handouts of a page beside the pages' folder."""
    source = Path(app.srcdir, f"{docname}.ipynb")
    if app.builder.name != "html" or not source.is_file():
        return
    app.builder.current_docname = docname
    notebook = nbformat.read(source, as_version=4)
    for reader in ("student", "teacher"):
        path = folder(app) / reader / f"{docname}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(
            handout(app, doctree, notebook, solutions=reader == "teacher"), path
        )


def folder(app: Sphinx) -> Path:
    return Path(app.outdir).parent / "handouts"


def pack(app: Sphinx, exception: Exception | None) -> None:
    """Put on the site what students get: notebooks with what they need, and both apart."""
    if exception or app.builder.name != "html" or app.config.root_doc != "index":
        return
    static = published(app) / "_static"
    data_of_pages = json.loads(Path(app.srcdir, "data.json").read_text())
    copy_data(data_of_pages, static / "data")
    files = support(data_of_pages, Path(app.srcdir))
    (static / "data" / SEALS).parent.mkdir(exist_ok=True)
    for name in (CHECKS, SEALS):
        (static / "data" / name).write_bytes(files[f"{SUPPORT}/{name}"])
    files |= data_of_small_pages(data_of_pages)
    files |= {name: (TEMPLATES / source).read_bytes() for name, source in KIT.items()}
    files[wheel.NAME] = stored_wheel(app)
    files |= exercise_notebooks(app)
    (static / "exercises.zip").write_bytes(zipped(files))


def data_of_small_pages(data_of_pages: dict[str, list[str]]) -> dict[str, bytes]:
    """Return the data of pages that are not `LARGE`, where the archive has them."""
    small_pages = [names for page, names in data_of_pages.items() if page not in LARGE]
    names = sorted(set(chain.from_iterable(small_pages)))
    return {
        f"{SUPPORT}/data/{name}": (data_folder() / name).read_bytes() for name in names
    }


def stored_wheel(app: Sphinx) -> bytes:
    """Return the library as a wheel, built once: a change of it takes the folder away."""
    path = folder(app) / wheel.NAME
    if not path.is_file():
        path.write_bytes(wheel.content(ROOT))
    return path.read_bytes()


def exercise_notebooks(app: Sphinx) -> dict[str, bytes]:
    """Return the notebooks that students get; the site has each of them alone as well."""
    notebooks, alone = folder(app) / "student", published(app) / "_static" / "notebooks"
    files = {}
    for path in sorted(notebooks.rglob("*.ipynb")):
        name = path.relative_to(notebooks).as_posix()
        files[f"exercises/{name}"] = path.read_bytes()
        copy = alone / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return files


def copy_data(data_of_pages: dict[str, list[str]], place: Path) -> None:
    """Copy the data that pages declare to where the site has them."""
    place.mkdir(parents=True, exist_ok=True)  # also where no page declares any
    for name in set(chain.from_iterable(data_of_pages.values())):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data_folder() / name, path)


def support(data_of_pages: dict[str, list[str]], source: Path) -> dict[str, bytes]:
    """Return what notebooks import, the checks that they name, and the list of their data."""
    modules = ("book/__init__.py", "book/show/**/*.py", "evidence/**/*.py")
    rooms = (*modules, "book/show/**/*.html", "book/show/*.ttf", "evidence/*.toml")
    code = sorted(chain.from_iterable(map(ROOT.glob, rooms)))
    files = {
        f"{SUPPORT}/{path.relative_to(ROOT).as_posix()}": path.read_bytes()
        for path in code
    }
    stored = checks_of(data_of_pages, source)
    checks = {label: entry["check"] for label, entry in stored.items()}
    seals = {label: entry["seals"] for label, entry in stored.items()}
    for name, content in (
        ("data.json", data_of_pages),
        (CHECKS, checks),
        (SEALS, seals),
    ):
        text = json.dumps(content, indent=0, sort_keys=True)
        files[f"{SUPPORT}/{name}"] = text.encode()
    return files


def checks_of(pages: Iterable[str], source: Path) -> dict[str, dict[str, Any]]:
    """Return the checks of all exercises, and what they ask, by label."""
    stored = source / CHECKS
    if stored.is_file():  # the site for students: its pages only name them
        return json.loads(stored.read_text(encoding="utf-8"))
    checks: dict[str, dict[str, Any]] = {}
    for page in sorted(pages):
        path = source / f"{page}.ipynb"
        if path.is_file():
            notebook = nbformat.v4.reads(path.read_text("utf-8"))
            checks |= sealed_checks(notebook)
    return checks
