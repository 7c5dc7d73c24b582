"""Stage the executed notebooks and build the pages; the last good site stays until a new one is."""

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import yaml

from book import runtime, slides
from book.executor import data_files, executed_path
from book.forks import end_with_parent
from book.project import BookError, Chapter, Project
from book.runner import run_supervised
from book.students import without_answers, without_solutions
from calib.files import sealed, unsealed, write_whole

HERE = Path(__file__).parent
COLAB = """\
# On Colab this fetches the book's library and data; elsewhere it does nothing.
import os
import sys

if "google.colab" in sys.modules:
    !git clone --quiet --depth 1 {address} /content/calibration-book
    %pip install --quiet "/content/calibration-book[book]"
    os.environ["CALIB_DATA"] = "/content/calibration-book/data"
    sys.path.insert(0, "/content/calibration-book")\
"""
FOOTER = """<div style="font: 8px sans-serif; text-align: center; width: 100%">
<span class="pageNumber"></span></div>"""
PRINT = {
    "margin": {"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
    "format": "A4",
    "scale": 0.8,  # 16 px on a screen are 9.6 points on paper
    "outline": True,
    "tagged": True,
    "display_header_footer": True,
    "header_template": "<span></span>",
    "footer_template": FOOTER,
}
ANSI = re.compile(r"\x1b\[[0-9;]*m")
RECORD = "built site", 1
REFERENCES = ["ref.*", "myst.xref_missing"]
UNWRITABLE = 3  # exit status of Sphinx's process where a file cannot be written


def stage(project, chapters: list[Chapter], contents: dict, folder: Path, *, pdf=True) -> None:
    """Bring a source folder for Sphinx up to date, leaving untouched what is unchanged.

    The printed book goes along where there is one, unless `pdf` is false.
    """
    pdf = pdf and pdf_path(project).is_file()
    wanted = {
        "_config.yml": _yaml(site_config(project, pdf=pdf)),
        "_toc.yml": _yaml(contents),
        "references.bib": (project.root / "book" / "references.bib").read_bytes(),
        "data.json": json.dumps({c.name: _data(project, c) for c in chapters}).encode(),
    }
    for chapter in chapters:
        source = executed_path(project, chapter) if chapter.is_notebook else chapter.path
        content = source.read_bytes()
        if b'"text/csv"' in content:  # apart, below
            content = without_tables(content)
        wanted[f"{chapter.name}{source.suffix}"] = content
    for path in project.chapters.rglob("*"):
        if path.is_file() and path.suffix not in {".md", ".ipynb"}:
            wanted[path.relative_to(project.chapters).as_posix()] = path.read_bytes()
    for path in (HERE / "assets").rglob("*"):
        if path.is_file():
            wanted[f"assets/{path.relative_to(HERE / 'assets').as_posix()}"] = path.read_bytes()
    for name, content in _figure_tables(project, chapters):
        wanted[f"assets/figures/{name}.csv"] = content
    for path in (project.data / "results").glob("arena*.csv"):
        wanted[f"assets/{path.name}"] = path.read_bytes()
    wanted["assets/references.bib"] = wanted["references.bib"]
    if (project.root / "CITATION.cff").is_file():
        wanted["assets/cite.bib"] = citation(project).encode()
    if pdf:
        wanted["book.pdf"] = pdf_path(project).read_bytes()
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, content in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, content)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:  # that of a full disk does not name the file
        raise OSError(error.errno, error.strerror, str(path)) from None


def _figure_tables(project: Project, chapters: list[Chapter]):
    """Yield the data of each figure, by the SHA-256 of its picture, its name on the site."""
    for chapter in chapters:
        if chapter.is_notebook:
            notebook = nbformat.read(executed_path(project, chapter), as_version=4)
            for cell in notebook.cells:
                for output in cell.get("outputs", []):
                    found = output.get("data", {})
                    if {"image/png", "text/csv"} <= set(found):
                        picture = base64.b64decode(found["image/png"])
                        yield hashlib.sha256(picture).hexdigest(), found["text/csv"].encode()


def without_tables(content: bytes) -> bytes:
    """Return a notebook less the tables of its figures, which lie beside them on the site."""
    notebook = nbformat.reads(content.decode(), as_version=4)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("text/csv", None)
    return f"{nbformat.writes(notebook)}\n".encode()


def citation(project: Project) -> str:
    """Return the entry with which BibTeX cites the book, made from CITATION.cff."""
    said = yaml.safe_load((project.root / "CITATION.cff").read_text(encoding="utf-8"))
    fields = {
        "title": f"{{{said['title']}}}",
        "author": " and ".join(f"{{{author['name']}}}" for author in said["authors"]),
        "year": said["date-released"][:4],
        "version": said["version"],
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join(["@software{calibration_book,", *lines, "}", ""])


def _data(project: Project, chapter: Chapter) -> list[str]:
    return [path.relative_to(project.data).as_posix() for path in data_files(project, chapter)]


def pdf_path(project: Project) -> Path:
    """The PDF of the whole book, which the site links to where it exists."""
    return project.build / "book.pdf"


def build_pdf(project: Project, chapters: list[Chapter]) -> Path:
    """Print the book, as one page, with Chromium; the site links to it from its next build on."""
    chromium = find_chromium()
    folder = project.build / "print"
    stage(project, chapters, project.contents(), folder / "src", pdf=False)
    shutil.rmtree(folder / "work", ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "singlehtml", strict=False)
    part = folder / "book.pdf"
    print_page(chromium, folder / "work" / "singlehtml" / "index.html", part)
    part.replace(pdf_path(project))
    print(f"printed {pdf_path(project)}")
    return pdf_path(project)


def find_chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, names)), None)
    if chromium is None:
        raise BookError("Chromium is needed to print; install the package chromium")
    return chromium


def print_page(chromium: str, page: Path, output: Path) -> None:
    """Print a page to A4 once its mathematics is set and its figures are drawn."""
    from playwright.sync_api import sync_playwright

    ready = "() => window.setMathematics?.().then(() => true)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-quic"]
        )
        sheet = browser.new_page(color_scheme="light")
        sheet.goto(page.as_uri(), timeout=120_000)
        sheet.evaluate(ready)
        sheet.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        sheet.pdf(path=output, **PRINT)
        browser.close()


def site_config(project: Project, *, pdf: bool = False) -> dict:
    """Return `_config.yml` with the buttons that need the address of the repository, if known.

    The environment gives it: BOOK_REPOSITORY (https://github.com/owner/name) and BOOK_BRANCH;
    BOOK_ADDRESS is that of the site.
    """
    config = project.config()
    if address := os.environ.get("BOOK_ADDRESS", "").rstrip("/"):
        config["sphinx"]["config"]["html_baseurl"] = f"{address}/"
    extra = ["book.pdf"] if pdf else []
    if runtime.folder(project).is_dir():
        extra.append(str(runtime.folder(project).parent))
    if slides.folder(project).is_dir():
        extra.append(str(slides.folder(project).parent))
    config["sphinx"]["config"]["html_extra_path"] = extra
    address = os.environ.get("BOOK_REPOSITORY", "").rstrip("/")
    if not address:
        return config
    branch = os.environ.get("BOOK_BRANCH", "main")
    config["repository"] = {"url": address, "branch": branch, "path_to_book": "chapters"}
    buttons = ("use_repository_button", "use_edit_page_button", "use_issues_button")
    config.setdefault("html", {}).update(dict.fromkeys(buttons, True))
    config["launch_buttons"] = {
        "notebook_interface": "jupyterlab",
        "binderhub_url": "https://mybinder.org",
        "colab_url": "https://colab.research.google.com",
    }
    return config


def build_site(project: Project, chapters: list[Chapter], *, force: bool = False) -> Path:
    """Build all pages, every warning an error, and move them over the last good site."""
    source, work = project.build / "src", project.build / "sphinx"
    stage(project, chapters, project.contents(), source)
    frozen = [project.root / "requirements.lock", runtime.folder(project) / "manifest.json"]
    trees = [source, HERE, project.root / "calib", slides.folder(project)]
    inputs = _digest(trees, *frozen)
    record = project.build / "site.json"
    if not force and project.site.is_dir() and _built(record, inputs, project.site):
        print(f"nothing changed: {project.site / 'index.html'}")
        return project.site
    frame = [source / name for name in ("_config.yml", "_toc.yml", "references.bib")]
    frame_digest = _digest([*frame, HERE], project.root / "requirements.lock")
    if force or _read(record).get("frame") != frame_digest:
        shutil.rmtree(work, ignore_errors=True)
    record.unlink(missing_ok=True)
    shutil.rmtree(work / "html", ignore_errors=True)
    run_sphinx(source, work, "html", strict=True)
    old = project.build / "html.old"
    shutil.rmtree(old, ignore_errors=True)
    if project.site.exists():
        project.site.rename(old)
    (work / "html").rename(project.site)
    shutil.rmtree(old, ignore_errors=True)
    about = {"inputs": inputs, "frame": frame_digest, "site": _digest([project.site])}
    write_whole(record, json.dumps(sealed(*RECORD, about)).encode())
    print(f"built {project.site / 'index.html'}")
    return project.site


def build_student_site(project: Project, chapters: list[Chapter]) -> Path:
    """Build the site without the solutions, from the executed chapters."""
    folder = project.build / "student"
    stage(project, chapters, project.contents(), folder / "src", pdf=False)  # it has solutions
    for path in (folder / "src").rglob("*.ipynb"):
        notebook = without_solutions(nbformat.read(path, as_version=4))
        path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
    for path in (folder / "src").rglob("*.md"):
        path.write_text(without_answers(path.read_text(encoding="utf-8")), encoding="utf-8")
    for stale in (folder / "work", folder / "html"):
        shutil.rmtree(stale, ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "html", strict=True)
    (folder / "work" / "html").rename(folder / "html")
    print(f"built {folder / 'html' / 'index.html'}")
    return folder / "html"


def build_chapter(project: Project, chapter: Chapter) -> Path:
    """Build one page alone; references to other chapters stay open."""
    folder = project.build / "chapter" / chapter.name
    cited = {"file": "cited-works"}
    contents = {"format": "jb-book", "root": chapter.name, "chapters": [cited]}
    stage(project, [chapter], contents, folder / "src")
    (folder / "src" / "cited-works.md").write_text("# Cited works\n\n```{bibliography}\n```\n")
    shutil.rmtree(folder / "work", ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "html", strict=False)
    return folder / "work" / "html" / f"{chapter.name}.html"


def write_runnable(project: Project, chapter: Chapter) -> Path:
    """Write the executed notebook beside its chapter, headed by a cell that prepares Colab."""
    notebook = nbformat.read(executed_path(project, chapter), as_version=4)
    address = os.environ.get("BOOK_REPOSITORY", "").rstrip("/")
    if address:
        cell = nbformat.v4.new_code_cell(COLAB.format(address=address), id="prepare-colab")
        notebook.cells.insert(0, cell)
    path = chapter.path.with_suffix(".ipynb")
    nbformat.write(notebook, path)
    return path


def run_sphinx(source: Path, work: Path, builder: str, *, strict: bool) -> None:
    """Run Sphinx in a process of its own and raise `BookError` with its warnings."""
    command = [sys.executable, "-m", "book.site", str(source), str(work), builder, str(strict)]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "PYTHONDONTWRITEBYTECODE": ""}
    status, problems = run_supervised(command, env=environment, stderr=subprocess.PIPE)
    problems = ANSI.sub("", problems).replace(f"{source}/", "chapters/").strip()
    if status == UNWRITABLE:
        raise BookError(f"the pages were not built: {problems.splitlines()[-1]}")
    if status:
        raise BookError(f"the pages were not built\n{problems}")
    if problems:
        print(problems)


def sphinx_main(source: str, work: str, builder: str, strict: bool) -> int:
    """Run Sphinx on a staged folder with the configuration that Jupyter Book derives."""
    from jupyter_book.config import get_final_config
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    config, _ = get_final_config(
        user_yaml=Path(source, "_config.yml"),
        cli_config={"latex_individualpages": False},
        sourcedir=Path(source),
        raise_on_invalid=True,
    )
    unused = {"sphinx_thebe", "sphinx_comments", "sphinx_jupyterbook_latex"}
    config["extensions"] = [name for name in config["extensions"] if name not in unused]
    config["extensions"].append("book.extension")
    config.pop("comments_config", None)
    config["nitpicky"] = strict
    if not strict:
        config["suppress_warnings"] = [*config["suppress_warnings"], *REFERENCES]
    with patch_docutils(None), docutils_namespace():
        app = Sphinx(
            source,
            None,
            Path(work, builder),
            Path(work, "doctrees"),
            builder,
            config,
            status=io.StringIO(),
            warning=sys.stderr,
            warningiserror=strict,
            keep_going=True,
        )
        if "numbered: true" in Path(source, "_toc.yml").read_text():
            app.setup_extension("sphinx_multitoc_numbering")
        app.build(force_all=True)
        return app.statuscode


def _yaml(content: dict) -> bytes:
    return yaml.safe_dump(content, sort_keys=False).encode()


def _digest(trees: list[Path], *files: Path) -> str:
    digest = hashlib.sha256()
    paths = [*files]
    for tree in trees:
        paths += sorted(tree.rglob("*")) if tree.is_dir() else [tree]
    for path in paths:
        if path.is_file() and path.suffix != ".pyc":
            digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _built(record: Path, inputs: str, site: Path) -> bool:
    """Tell whether the site was built from these inputs and is still as it was written."""
    known = _read(record)
    return known.get("inputs") == inputs and known.get("site") == _digest([site])


def _read(record: Path) -> dict:
    try:
        return unsealed(*RECORD, json.loads(record.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return {}


def _unwritable(error: BaseException | None) -> OSError | None:
    """Return the error of a file that an exception of Sphinx came from, if it did."""
    while error is not None and not isinstance(error, OSError):
        error = error.__cause__ or error.__context__
    return error


if __name__ == "__main__":
    end_with_parent()
    try:
        sys.exit(sphinx_main(*sys.argv[1:4], sys.argv[4] == "True"))
    except Exception as error:
        found = _unwritable(error)
        if found is None:
            raise
        name = found.filename2 or found.filename or "a file"
        print(f"{name}: {found.strerror}", file=sys.stderr)
        sys.exit(UNWRITABLE)
