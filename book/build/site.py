"""Stage the executed notebooks and build the pages; the last good site stays until a new one is.

In: a project whose chapters are executed. Out: `_build/html`, or one page, the book in print, the
site without solutions. What is staged is compared by content, so that only what changed is built.
"""

import atexit
import base64
import gc
import hashlib
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import nbformat
import yaml

from book.build import desk, runtime, slides, wheel
from book.build.project import BookError, Chapter, Project
from book.build.students import without_answers, without_solutions
from book.show.looks import stylesheet
from calib.files import write_whole

BOOK = Path(__file__).parents[1]
PAGE = '<div style="font: 8px sans-serif; text-align: center; width: 100%">{}</div>'
PRINT = {
    "margin": {"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
    "format": "A4",
    "scale": 0.8,  # 16 px on a screen are 9.6 points on paper
    "outline": True,
    "tagged": True,
    "display_header_footer": True,
    "header_template": PAGE.format(""),
    "footer_template": PAGE.format('<span class="pageNumber"></span>'),
}
REFERENCES = ["ref.*", "myst.xref_missing"]
FRAME = "calib calib_report teaching pyproject.toml setup.py README.md LICENSE requirements.lock"


def stage(
    project: Project,
    chapters: list[Chapter],
    contents: dict[str, Any],
    folder: Path,
    *,
    pdf: bool = True,
) -> None:
    """Bring a source folder for Sphinx up to date, leaving untouched what is unchanged."""
    pdf = pdf and pdf_path(project).is_file()
    files = {
        "_config.yml": yaml.safe_dump(
            site_config(project, pdf=pdf), sort_keys=False
        ).encode(),
        "_toc.yml": yaml.safe_dump(contents, sort_keys=False).encode(),
        "references.bib": (project.root / "book" / "references.bib").read_bytes(),
        "data.json": json.dumps(
            {c.name: project.declared(c) for c in chapters}
        ).encode(),
    }
    for chapter in chapters:
        files |= staged_chapter(project, chapter)
    files |= assets_of(project)
    files["assets/references.bib"] = files["references.bib"]
    if pdf:
        files["book.pdf"] = pdf_path(project).read_bytes()
    mirror(files, folder)


def staged_chapter(project: Project, chapter: Chapter) -> dict[str, bytes]:
    """Return a chapter, executed, with the tables of its figures in files of their own."""
    source = project.executed(chapter) if chapter.is_notebook else chapter.path
    content = source.read_bytes()
    tables: dict[str, bytes] = {}
    if b'"text/csv"' in content:
        content, tables = _apart(content)
    return tables | {f"{chapter.name}{source.suffix}": content}


def assets_of(project: Project) -> dict[str, bytes]:
    """Return what lies beside the chapters, what pages load, and the tables of the arena."""
    files = {}
    for root, prefix in ((project.chapters, ""), (BOOK / "assets", "assets/")):
        for path in root.rglob("*"):
            if path.is_file() and path.suffix not in {".md", ".ipynb"}:
                files[f"{prefix}{path.relative_to(root).as_posix()}"] = (
                    path.read_bytes()
                )
    files["assets/widgets.css"] = stylesheet().encode() + files["assets/widgets.css"]
    files["assets/desk/texts.js"] = desk.script().encode()
    for path in (project.data / "results" / "arena").glob("arena*.csv"):
        files[f"assets/{path.name}"] = path.read_bytes()
    return files


def mirror(files: dict[str, bytes], folder: Path) -> None:
    """Let a folder hold these files alone; one that is unchanged keeps its time."""
    for path in list(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _apart(content: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Return a notebook less its figures' tables; these by the SHA-256 of their pictures."""
    notebook, tables = json.loads(content), {}
    for cell in notebook["cells"]:
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            # an SVG has none; a table that is kept in the notebook would be in the page as well
            table = data.pop("text/csv", None)
            if table and "image/png" in data:
                picture = hashlib.sha256(
                    base64.b64decode(data["image/png"])
                ).hexdigest()
                tables[f"assets/figures/{picture}.csv"] = "".join(table).encode()
    return f"{json.dumps(notebook, indent=1, ensure_ascii=False)}\n".encode(), tables


def pdf_path(project: Project) -> Path:
    """The PDF of the whole book, which the site links to where it exists."""
    return project.build / "book.pdf"


def build_pdf(project: Project, chapters: list[Chapter]) -> None:
    """Print the book, as one page, with Chromium; the site links to it from its next build on."""
    folder = project.build / "print"
    stage(project, chapters, project.contents(), folder / "src", pdf=False)
    shutil.rmtree(folder / "work", ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "singlehtml", strict=False)
    print_pages({folder / "work" / "raw" / "index.html": folder / "book.pdf"})
    (folder / "book.pdf").replace(pdf_path(project))
    print(f"printed {pdf_path(project)}")


def print_pages(pages: dict[Path, Path]) -> None:
    """Print pages to A4 once their mathematics is set and their figures are drawn."""
    with slides.chromium() as browser:
        sheet = browser.new_page(color_scheme="light")
        for page, output in pages.items():
            sheet.goto(page.as_uri(), timeout=120_000)
            ready = "(window.setMathematics?.() ?? window.MathJax?.startup.promise)"
            sheet.evaluate(f"async () => {{ await {ready} }}")
            # figures draw themselves for paper then; printing to a file does not say so
            sheet.evaluate("() => dispatchEvent(new Event('beforeprint'))")
            sheet.pdf(path=output, **PRINT)


def site_config(project: Project, *, pdf: bool = False) -> dict[str, Any]:
    """Return `_config.yml` with what BOOK_ADDRESS, BOOK_REPOSITORY and BOOK_BRANCH add."""
    config = project.config()
    sphinx = config["sphinx"]["config"]
    address = os.environ.get("BOOK_ADDRESS", "").rstrip("/")
    if address:
        sphinx["html_baseurl"] = f"{address}/"
    sphinx["html_extra_path"] = _extra_files(project, pdf=pdf)
    repository = os.environ.get("BOOK_REPOSITORY", "").rstrip("/")
    if repository:
        _add_repository(config, repository, os.environ.get("BOOK_BRANCH", "main"))
    return config


def _extra_files(project: Project, *, pdf: bool) -> list[str]:
    """Return what the site takes up as it is: the PDF, Python, the lectures, the wheel."""
    names = ["book.pdf"] if pdf else []
    for folder in (runtime.folder(project), slides.folder(project)):
        if folder.is_dir():
            names.append(str(folder.parent))  # a page finds them as python/ and slides/
    if wheel.folder(project).is_dir():
        names.append(str(wheel.folder(project)))
    return names


def _add_repository(config: dict[str, Any], address: str, branch: str) -> None:
    """Let pages lead to their source, and to where it is edited."""
    config["repository"] = {
        "url": address,
        "branch": branch,
        "path_to_book": "chapters",
    }
    for button in ("repository", "edit_page", "issues"):
        config["html"][f"use_{button}_button"] = True
    # a page is built from its notebook, and written in Markdown
    name = "{{ file_name.replace('.ipynb', '.md') }}"
    config["sphinx"]["config"]["html_context"] |= {
        "edit_page_url_template": f"{address}/edit/{branch}/chapters/{name}",
        "edit_page_provider_name": "GitHub",
    }


def build_site(
    project: Project, chapters: list[Chapter], *, force: bool = False
) -> None:
    """Build all pages, every warning an error, and move them over the last good site."""
    source, work = project.build / "src", project.build / "sphinx"
    wheel.build(project)
    stage(project, chapters, project.contents(), source)
    frame = [
        source / name
        for name in ("_config.yml", "_toc.yml", "references.bib", "data.json")
    ]
    frame += [BOOK, *map(project.root.joinpath, FRAME.split()), slides.folder(project)]
    frame.append(runtime.folder(project) / "manifest.json")
    digests, record = [_digest(frame), _digest([source])], project.build / "site.sha256"
    before = record.read_text().split() if record.is_file() and not force else []
    if before == digests and project.site.is_dir():
        print(f"nothing changed: {project.site / 'index.html'}")
        return
    record.unlink(missing_ok=True)  # what a build that fails leaves is not built upon
    if before[:1] != digests[:1]:  # what all pages share: none of them can stay
        shutil.rmtree(work, ignore_errors=True)
    # Sphinx copies what is new and never takes away what is gone
    shutil.rmtree(work / "raw" / "_static", ignore_errors=True)
    run_sphinx(source, work, "html")
    shutil.rmtree(project.site, ignore_errors=True)
    (work / "html").rename(project.site)
    write_whole(record, "\n".join(digests).encode())
    print(f"built {project.site / 'index.html'}")


def build_student_site(project: Project, chapters: list[Chapter]) -> None:
    """Build the site without the solutions, from the executed chapters."""
    from book.build.handouts import name_checks  # it needs Sphinx

    folder = project.build / "student"
    # it has solutions
    stage(project, chapters, project.contents(), folder / "src", pdf=False)
    checks: dict[str, Any] = {}
    for path in (folder / "src").rglob("*.ipynb"):
        notebook = without_solutions(nbformat.read(path, as_version=4))
        checks |= name_checks(notebook)
        nbformat.write(notebook, path)
    (folder / "src" / "checks.json").write_text(json.dumps(checks), encoding="utf-8")
    for path in (folder / "src").rglob("*.md"):
        path.write_text(
            without_answers(path.read_text(encoding="utf-8")), encoding="utf-8"
        )
    for stale in (folder / "work", folder / "html"):
        shutil.rmtree(stale, ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "html")
    (folder / "work" / "html").rename(folder / "html")
    print(f"built {folder / 'html' / 'index.html'}")


def build_chapter(project: Project, chapter: Chapter) -> Path:
    """Build one page alone; references to other chapters stay open."""
    folder = project.build / "chapter" / chapter.name
    cited = {"file": "cited-works"}
    contents = {"format": "jb-book", "root": chapter.name, "chapters": [cited]}
    stage(project, [chapter], contents, folder / "src")
    (folder / "src" / "cited-works.md").write_text(
        "# Cited works\n\n```{bibliography}\n```\n"
    )
    shutil.rmtree(folder / "work", ignore_errors=True)
    run_sphinx(folder / "src", folder / "work", "html", strict=False)
    return folder / "work" / "html" / f"{chapter.name}.html"


def run_sphinx(
    source: Path,
    work: Path,
    builder: str,
    config: dict[str, Any] | None = None,
    *,
    strict: bool = True,
) -> None:
    """Run Sphinx, into `work / "raw"`; what it complains of is a `BookError` if strict."""
    from sphinx.application import Sphinx
    from sphinx.errors import SphinxError
    from sphinx.util.console import nocolor
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    nocolor()  # the warnings go into an error, which a log may hold
    gc.set_threshold(200_000, 50, 100)  # seldom search the large trees of pages,
    atexit.register(gc.freeze)  # and not at the end
    config, warnings = config or sphinx_config(source, strict), io.StringIO()
    failed = True
    try:
        with patch_docutils(str(source)), docutils_namespace():
            app = Sphinx(
                source,
                None,
                work / "raw",
                work / "doctrees",
                builder,
                config,
                status=None,
                warning=warnings,
                warningiserror=strict,
                keep_going=True,
            )
            app.build()
            failed = app.statuscode != 0
    except SphinxError as error:
        warnings.write(f"{error}\n")
    problems = warnings.getvalue().replace(f"{source}/", "chapters/").strip()
    if failed:
        raise BookError(f"the pages were not built: see the warnings\n{problems}")
    if problems:
        print(problems)


def sphinx_config(source: Path, strict: bool) -> dict[str, Any]:
    """Return the configuration that Jupyter Book derives from a staged folder."""
    from jupyter_book.config import get_final_config

    config, _ = get_final_config(
        user_yaml=source / "_config.yml",
        cli_config={"latex_individualpages": False},
        sourcedir=source,
        raise_on_invalid=True,
    )
    unused = {"sphinx_thebe", "sphinx_comments", "sphinx_jupyterbook_latex"}
    config["extensions"] = [name for name in config["extensions"] if name not in unused]
    config["extensions"].append("book.build.extension")
    config.pop("comments_config", None)
    config["nitpicky"] = strict
    config["suppress_warnings"] = [
        *config["suppress_warnings"],
        *([] if strict else REFERENCES),
    ]
    return config


def _digest(trees: list[Path]) -> str:
    digest = hashlib.sha256()
    for tree in trees:
        for path in [tree, *sorted(tree.rglob("*"))]:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()
