"""Notebooks to hand out: a page's text as plain Markdown, by Sphinx, between its code cells.

While the pages are built, each resolved page is written once more with the translator of
sphinx-markdown-builder. Students get stubs and checks, teachers the solutions as well.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from posixpath import dirname, join, normpath

import nbformat
from docutils import nodes
from sphinx.util.math import get_node_equation_number
from sphinx_exercise.nodes import solution_node
from sphinx_markdown_builder.contexts import WrappedContext
from sphinx_markdown_builder.translator import MarkdownTranslator

import calib
from book.build.lighter import published
from book.build.project import BookError, zipped
from book.build.students import exercises, solution_cells
from evidence import data_folder

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"^@@cell (\d+)@@$", re.MULTILINE)
TWICE = re.compile(r"^(#+ Step \d+: (.+))\n+\*\*\2\*\*$", re.MULTILINE)  # a title of both
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
SUPPORT = "calibration-book"
LARGE = {  # notebooks that fetch what no other needs, so that the archive stays small
    *("recalibrate/arena", "recalibrate/choosing-a-method", "replicate/guo2017"),
    *("recalibrate/trained-to-be-calibrated", "replicate/evidence", "replicate/nixon2019-audit"),
}
TEMPLATES = ROOT / "book" / "templates"
PREPARE = (TEMPLATES / "prepare.txt").read_text(encoding="utf-8").strip()
TALK = "*Your answers to the discussion, up to half a page.*"


def wheel_name() -> str:
    """Return the name of the file that holds the library."""
    return f"neural_calibration-{calib.__version__}-py3-none-any.whl"


def wheel() -> bytes:
    """Return the library as one file that pip installs; setuptools leaves no trace in the tree."""
    with tempfile.TemporaryDirectory() as copy:
        for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        compiled = shutil.ignore_patterns("__pycache__")
        for room in ("calib", "calib_report"):
            shutil.copytree(ROOT / room, Path(copy, room), ignore=compiled)
        command = "from setuptools.build_meta import build_wheel; build_wheel('.')"
        given = {"cwd": copy, "env": os.environ | {"SOURCE_DATE_EPOCH": "315532800"}}
        done = subprocess.run(
            [sys.executable, "-c", command], **given, capture_output=True, text=True
        )
        if done.returncode:
            raise BookError(f"the library was not packed\n{done.stdout}{done.stderr}")
        return Path(copy, wheel_name()).read_bytes()


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
            text = node.astext().strip()
            self._alone(f"**{text[1:-1] if text.startswith('(') else text}**")

    def depart_title(self, node):
        self._pop_context()

    def _alone(self, text):
        self.add(text, prefix_eol=2, suffix_eol=2)
        raise nodes.SkipNode

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

    def visit_math_block(self, node):
        number = get_node_equation_number(self, node) if node.get("number") else ""
        tag = f"\n\\tag{{{number}}}" if number else ""
        self._alone(f"$$\n{node.astext().strip()}{tag}\n$$")

    def unknown_visit(self, node):
        """Show what a box or a span holds."""

    visit_target = unknown_departure = unknown_visit
    depart_reference = depart_title


def seal_checks(notebook) -> dict[str, str]:
    """Leave of each check its name, as in what is handed out; return the checks by label."""
    checks = {one.label: one.check for one in exercises(notebook)}
    labels = {check: label for label, check in checks.items()}
    for cell in notebook.cells:
        if "check" in cell.metadata.get("tags", []):
            cell.source = sealed(labels[cell.source])
    return checks


def sealed(label: str) -> str:
    """Return the call of a check that lies beside the data."""
    return f'check("{label}").run(globals())'


def handout(app, doctree, notebook, *, solutions: bool):
    """Return a page as a notebook to work in, not executed."""
    tree = doctree.deepcopy()
    dropped = set() if solutions else solution_cells(notebook)
    for node in [] if solutions else list(tree.findall(solution_node)):
        node.parent.remove(node)
    writer = PlainMarkdown(tree, app.builder)
    tree.walkabout(writer)
    pieces = MARK.split(TWICE.sub(r"\1", writer.astext()))
    seen = {int(number) for number in pieces[1::2]}
    about = {"page": app.builder.current_docname, "site": app.config.html_baseurl or ""}
    given = PREPARE.format(support=SUPPORT, **about)
    cells = [nbformat.v4.new_markdown_cell(pieces[0].strip()), nbformat.v4.new_code_cell(given)]
    done, labels = 0, {s: one.label for one in exercises(notebook) for s in (one.stub, one.check)}
    for number, text in zip(map(int, pieces[1::2]), pieces[2::2], strict=True):
        for i in range(done, number + 1):
            cell, shown = notebook.cells[i], i in seen
            if cell.cell_type == "code" and i not in dropped:
                tags = {"stub", "check", "solution"}.intersection(cell.metadata.get("tags", []))
                source, metadata = cell.source, {"tags": sorted(tags)} if tags else {}
                if source in labels:
                    metadata["exercise"] = labels[source]
                if not shown:
                    metadata["jupyter"] = {"source_hidden": True}
                if "check" in tags and not solutions:  # its assertions lie beside the data
                    source = sealed(labels[source])
                cells.append(nbformat.v4.new_code_cell(source, metadata=metadata))
        done = number + 1
        if text.strip():
            cells.append(nbformat.v4.new_markdown_cell(text.strip()))
            if "## Discussion" in text and about["page"].startswith("labs/"):
                place = {"exercise": "discussion"}
                cells.append(nbformat.v4.new_markdown_cell(TALK, metadata=place))
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number:03d}"
    return nbformat.v4.new_notebook(cells=cells, metadata=KERNEL | {"calibration": about})


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
    place = published(app) / "_static"
    listed = json.loads(Path(app.srcdir, "data.json").read_text())
    for name in {name for names in listed.values() for name in names}:
        path = place / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data_folder() / name, path)
    files = support(listed, Path(app.srcdir))
    (place / "data").mkdir(parents=True, exist_ok=True)  # also where no page declares data
    (place / "data" / "checks.json").write_bytes(files[f"{SUPPORT}/checks.json"])
    needed = {n for page, names in listed.items() if page not in LARGE for n in names}
    files |= {
        f"{SUPPORT}/data/{name}": (data_folder() / name).read_bytes() for name in sorted(needed)
    }
    kit = {"README.md": "kit.md", "start.py": "../../teaching/start.py", "LICENSE": "../../LICENSE"}
    files |= {name: (TEMPLATES / source).read_bytes() for name, source in kit.items()}
    kept = folder(app) / wheel_name()  # the folder goes when what the library is made of changes
    if not kept.is_file():
        kept.write_bytes(wheel())
    files[wheel_name()] = kept.read_bytes()
    made = folder(app) / "student"
    for path in sorted(made.rglob("*.ipynb")):
        files[f"exercises/{path.relative_to(made).as_posix()}"] = path.read_bytes()
    (place / "exercises.zip").write_bytes(zipped(files))


def support(listed: dict, source: Path) -> dict[str, bytes]:
    """Return what notebooks import, the checks that they name, and the list of their data."""
    modules = ("book/__init__.py", "book/show/**/*.py", "evidence/**/*.py")
    rooms = (*modules, "book/show/*.html", "book/show/*.ttf", "evidence/*.toml")
    code = [path for room in rooms for path in ROOT.glob(room)]
    files = {f"{SUPPORT}/{p.relative_to(ROOT).as_posix()}": p.read_bytes() for p in sorted(code)}
    notebooks = [source / f"{page}.ipynb" for page in sorted(listed)]
    found = (nbformat.v4.reads(path.read_text("utf-8")) for path in notebooks if path.is_file())
    checks = {one.label: one.check for notebook in found for one in exercises(notebook)}
    if (source / "checks.json").is_file():  # the site for students: its pages only name them
        checks = json.loads((source / "checks.json").read_text(encoding="utf-8"))
    for name, content in (("data", listed), ("checks", checks)):
        text = json.dumps(content, indent=0, sort_keys=True)
        files[f"{SUPPORT}/{name}.json"] = text.encode()
    return files


def setup(app) -> dict:
    app.setup_extension("sphinx_markdown_builder")
    app.connect("doctree-resolved", write, priority=900)
    app.connect("build-finished", pack, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
