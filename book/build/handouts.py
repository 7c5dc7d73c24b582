"""Notebooks to hand out: a page's text as plain Markdown between its code cells.

While the pages are built, each resolved page is written once more. Students get stubs and checks,
teachers the solutions as well.
"""

import re
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx_exercise.nodes import solution_node

from book.build.handout_checks import check_call, labels_of_sources
from book.build.page_markdown import PlainMarkdown
from book.build.students import solution_cells

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^@@cell (\d+)@@$", re.MULTILINE)
# a title of both
TWICE = re.compile(r"^(#+ Step \d+: (.+))\n+\*\*\2\*\*$", re.MULTILINE)
KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
}
SUPPORT = "calibration-book"
TEMPLATES = ROOT / "book" / "templates"
PREPARE = (TEMPLATES / "prepare.txt").read_text(encoding="utf-8").strip()
TALK = "*Your answers to the discussion, up to half a page.*"


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


def write_handouts(app: Sphinx, doctree: nodes.document, docname: str) -> None:
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
