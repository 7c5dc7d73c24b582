"""The site without the solutions of its exercises."""

import json
import shutil
from typing import Any

import nbformat

from book.build.project import Chapter, Project
from book.build.sphinx_run import run_sphinx
from book.build.staging import stage
from book.build.students import without_answers, without_solutions


def build_student_site(project: Project, chapters: list[Chapter]) -> None:
    """Build the site without the solutions, from the executed chapters."""
    from book.build.handout_checks import name_checks  # it needs Sphinx

    folder = project.build / "student"
    # without the PDF, which has the solutions
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
