"""Execute the reference notebooks that tests compare with, and keep them without images."""

import nbformat

from book.build.execute import execute_all
from book.build.project import Chapter, Project, front_matter


def references(project: Project) -> list[Chapter]:
    """Return the sources of the reference notebooks."""
    paths = sorted((project.root / "tests" / "reference").glob("*.md"))
    return [Chapter(path.stem, path, front_matter(path)) for path in paths]


def write_references(project: Project) -> None:
    """Execute each of them and write the notebook beside it."""
    chapters = references(project)
    execute_all(project, chapters, force=True, folder="references")
    for chapter in chapters:
        notebook = nbformat.read(project.executed(chapter, "references"), as_version=4)
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                output.get("data", {}).pop("image/png", None)
        path = chapter.path.with_suffix(".ipynb")
        nbformat.write(notebook, path)
        print(f"wrote {path.relative_to(project.root)}")
