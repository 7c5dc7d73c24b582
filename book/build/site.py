"""Build the pages; the last good site stays until a new one is.

In: a project whose chapters are executed. Out: `_build/html`, or one page.
"""

import hashlib
import shutil
from pathlib import Path

from book.build import runtime, slides, wheel
from book.build.project import Chapter, Project
from book.build.sphinx_run import run_sphinx
from book.build.staging import BOOK, stage
from calib.files import write_whole

SHARED = "calib calib_report teaching pyproject.toml setup.py README.md LICENSE requirements.lock"


def build_site(
    project: Project, chapters: list[Chapter], *, force: bool = False
) -> None:
    """Build all pages, every warning an error, and move them over the last good site."""
    source, work = project.build / "src", project.build / "sphinx"
    wheel.build(project)
    stage(project, chapters, project.contents(), source)
    digests = [_digest(shared_by_pages(project, source)), _digest([source])]
    record = project.build / "site.sha256"
    before = record.read_text().split() if record.is_file() and not force else []
    if before == digests and project.site.is_dir():
        print(f"nothing changed: {project.site / 'index.html'}")
        return
    record.unlink(missing_ok=True)  # what a build that fails leaves is not built upon
    if before[:1] != digests[:1]:  # none of the pages can stay
        shutil.rmtree(work, ignore_errors=True)
    # Sphinx copies what is new and never takes away what is gone
    shutil.rmtree(work / "raw" / "_static", ignore_errors=True)
    run_sphinx(source, work, "html")
    shutil.rmtree(project.site, ignore_errors=True)
    (work / "html").rename(project.site)
    write_whole(record, "\n".join(digests).encode())
    print(f"built {project.site / 'index.html'}")


def shared_by_pages(project: Project, source: Path) -> list[Path]:
    """Return the files and folders that each page depends on: where one changes, all do."""
    staged = ("_config.yml", "_toc.yml", "references.bib", "data.json")
    return [
        *map(source.joinpath, staged),
        BOOK,
        *map(project.root.joinpath, SHARED.split()),
        slides.folder(project),
        runtime.folder(project) / "manifest.json",
    ]


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


def _digest(trees: list[Path]) -> str:
    digest = hashlib.sha256()
    for tree in trees:
        for path in [tree, *sorted(tree.rglob("*"))]:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()
