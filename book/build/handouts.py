"""Notebooks to hand out: a page's text as plain Markdown, by Sphinx, between its code cells.

While the pages are built, each resolved page is written once more with the translator of
sphinx-markdown-builder. Students get stubs and checks, teachers the solutions as well.
"""

import ast
import hashlib
import json
import os
import re
from pathlib import Path
from posixpath import dirname, join, normpath

import nbformat
from docutils import nodes
from sphinx.util.math import get_node_equation_number
from sphinx_exercise.nodes import solution_node
from sphinx_markdown_builder.contexts import SubContextParams, WrappedContext
from sphinx_markdown_builder.translator import MarkdownTranslator

import calib
from book.build.project import zipped
from book.build.students import solution_cells

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^@@cell (\d+)@@$", re.MULTILINE)
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
SUPPORT = "calibration-book"
LARGE = {  # notebooks that fetch what no other needs, so that the archive stays small
    "recalibrate/arena",
    "recalibrate/choosing-a-method",
    "recalibrate/trained-to-be-calibrated",
    "replicate/nixon2019-audit",
    "replicate/zoo",
}
PREPARE = (ROOT / "book" / "templates" / "prepare.txt").read_text(encoding="utf-8")


def wheel_name() -> str:
    """Return the name of the file that holds the library."""
    return f"neural_calibration-{calib.__version__}-py3-none-any.whl"


class PlainMarkdown(MarkdownTranslator):
    """Markdown that every notebook shows; a code cell leaves its number behind."""

    def visit_container(self, node):
        if node.get("nb_element") == "cell_code":
            self._alone(f"@@cell {node['cell_index']}@@")

    def visit_raw(self, node):
        raise nodes.SkipNode

    def visit_title(self, node):
        if isinstance(node.parent, nodes.section | nodes.document):
            super().visit_title(node)
        else:
            self._push_context(WrappedContext("**", "**", params=SubContextParams(2, 2)))

    def depart_title(self, node):
        self._pop_context()

    def _alone(self, text):
        self.add(text, prefix_eol=2, suffix_eol=2)
        raise nodes.SkipNode

    def visit_exercise_title(self, node):
        self._alone(f"**Exercise. {node.astext().strip(' ()')}**")

    def visit_solution_title(self, node):
        self._alone("**Solution**")

    def visit_reference(self, node):
        address = node.get("refuri", "")
        if not node.get("internal") and "://" in address:
            return super().visit_reference(node)
        base, page = self.config.html_baseurl, self.builder.current_docname
        path, _, anchor = address.partition("#")
        anchor = node.get("refid", anchor)
        path = normpath(join(dirname(page), path)) if path else f"{page}.html"
        self._push_context(
            WrappedContext("[", f"]({base}{path}#{anchor})") if base else WrappedContext("", "")
        )

    def depart_reference(self, node):
        self._pop_context()

    def visit_target(self, node):
        pass

    def visit_math_block(self, node):
        number = get_node_equation_number(self, node) if node.get("number") else ""
        tag = f"\n\\tag{{{number}}}" if number else ""
        self._alone(f"$$\n{node.astext().strip()}{tag}\n$$")

    def unknown_visit(self, node):
        """Show what a box or a span holds."""

    def unknown_departure(self, node):
        pass


def handout(app, doctree, notebook, *, solutions: bool):
    """Return a page as a notebook to work in, not executed."""
    tree = doctree.deepcopy()
    dropped = set() if solutions else solution_cells(notebook)
    for node in [] if solutions else list(tree.findall(solution_node)):
        node.parent.remove(node)
    writer = PlainMarkdown(tree, app.builder)
    tree.walkabout(writer)
    pieces = MARK.split(writer.astext())
    seen = {int(number) for number in pieces[1::2]}
    about = {"page": app.builder.current_docname, "site": app.config.html_baseurl or ""}
    given = PREPARE.format(wheel=wheel_name(), support=SUPPORT, **about)
    cells = [nbformat.v4.new_markdown_cell(pieces[0].strip()), nbformat.v4.new_code_cell(given)]
    done = 0
    for number, text in zip(map(int, pieces[1::2]), pieces[2::2], strict=True):
        for i in range(done, number + 1):
            cell, shown = notebook.cells[i], i in seen
            if cell.cell_type == "code" and i not in dropped and (shown or computes(cell.source)):
                tags = {"stub", "check", "solution"}.intersection(cell.metadata.get("tags", []))
                metadata = {"tags": sorted(tags)} if tags else {}
                if not shown or "check" in tags:
                    metadata["jupyter"] = {"source_hidden": True}
                cells.append(nbformat.v4.new_code_cell(cell.source, metadata=metadata))
        done = number + 1
        if text.strip():
            cells.append(nbformat.v4.new_markdown_cell(text.strip()))
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number:03d}"
    return nbformat.v4.new_notebook(cells=cells, metadata=KERNEL)


def computes(source: str) -> bool:
    """Tell whether a hidden cell does more than keep numbers for the text and assert them."""
    return not all(
        isinstance(node, ast.Assert)
        or getattr(getattr(getattr(node, "value", None), "func", None), "id", "") == "glue"
        for node in ast.parse(source).body
    )


def write(app, doctree, docname) -> None:
    """Write the handouts of a page beside the pages' folder."""
    source = Path(app.srcdir, f"{docname}.ipynb")
    if app.builder.name != "html" or not source.is_file():
        return
    app.builder.current_docname = docname
    notebook = nbformat.read(source, as_version=4)
    for reader in ("student", "teacher"):
        path = folder(app) / reader / f"{docname}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(handout(app, doctree, notebook, solutions=reader == "teacher"), path)


def folder(app) -> Path:
    return Path(app.outdir).parent / "handouts"


def pack(app, exception) -> None:
    """Put on the site what students get: notebooks with what they need, and both apart."""
    if exception or app.builder.name != "html" or app.config.root_doc != "index":
        return
    place, source = Path(app.outdir, "_static"), Path(os.environ.get("CALIB_DATA") or ROOT / "data")
    declared = json.loads(Path(app.srcdir, "data.json").read_text())
    names = sorted({name for names in declared.values() for name in names})
    data = {name: (source / name).read_bytes() for name in names}
    for name, content in data.items():
        path = place / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in data.items()}
    listed = {page: {name: digests[name] for name in names} for page, names in declared.items()}
    rooms = ("__init__.py", "show/**/*.py", "evidence/**/*.py")
    code = [path for room in rooms for path in ROOT.glob(f"book/{room}")]
    files = {f"{SUPPORT}/{p.relative_to(ROOT).as_posix()}": p.read_bytes() for p in sorted(code)}
    files[f"{SUPPORT}/data.json"] = json.dumps(listed, indent=0, sort_keys=True).encode()
    (place / f"{SUPPORT}.zip").write_bytes(zipped(files))
    needed = {n for page, names in declared.items() if page not in LARGE for n in names}
    files |= {f"{SUPPORT}/data/{name}": data[name] for name in sorted(needed)}
    made = folder(app) / "student"
    for path in sorted(made.rglob("*.ipynb")):
        files[f"exercises/{path.relative_to(made).as_posix()}"] = path.read_bytes()
    (place / "exercises.zip").write_bytes(zipped(files))


def setup(app) -> dict:
    app.setup_extension("sphinx_markdown_builder")
    app.connect("doctree-resolved", write, priority=900)
    app.connect("build-finished", pack)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
