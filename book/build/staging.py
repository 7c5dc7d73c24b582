"""The folder that Sphinx reads: executed chapters, their figures' tables, what pages load.

What is staged is compared by content, so that only what changed is built.
"""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

from book.build import desk
from book.build.configuration import site_config
from book.build.project import Chapter, Project
from book.show.looks import stylesheet

BOOK = Path(__file__).parents[1]


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
            {c.name: project.data_digests(c) for c in chapters}
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
        content, tables = _without_tables(content)
    return tables | {f"{chapter.name}{source.suffix}": content}


def assets_of(project: Project) -> dict[str, bytes]:
    """Return what lies beside the chapters, what pages load, and what they offer as a file."""
    files = {}
    for root, prefix in ((project.chapters, ""), (BOOK / "assets", "assets/")):
        for path in root.rglob("*"):
            if path.is_file() and path.suffix not in {".md", ".ipynb"}:
                files[f"{prefix}{path.relative_to(root).as_posix()}"] = (
                    path.read_bytes()
                )
    files["assets/widgets.css"] = stylesheet().encode() + files["assets/widgets.css"]
    files["assets/desk/texts.js"] = desk.script().encode()
    changes = project.root / "CHANGELOG.md"
    if changes.is_file():  # the tree of a test has none
        files["assets/CHANGELOG.md"] = changes.read_bytes()
    for path in (project.data / "results" / "arena").glob("arena*.csv"):
        files[f"assets/{path.name}"] = path.read_bytes()
    return files


def pdf_path(project: Project) -> Path:
    """The PDF of the whole book, which the site links to where it exists."""
    return project.build / "book.pdf"


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


def _without_tables(content: bytes) -> tuple[bytes, dict[str, bytes]]:
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
