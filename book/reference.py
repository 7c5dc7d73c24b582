"""Execute the reference notebooks that tests compare with, and keep them without images."""

import nbformat

from book.executor import execute, project_runner
from book.project import Chapter, Project, front_matter


def references(project: Project) -> list[Chapter]:
    """Return the sources of the reference notebooks."""
    paths = sorted((project.root / "tests" / "reference").glob("*.md"))
    return [Chapter(path.stem, path, front_matter(path)) for path in paths]


def write_references(project: Project) -> None:
    """Execute each of them and write the notebook beside it."""
    with project_runner(project) as runner:
        for chapter in references(project):
            notebook = execute(project, runner, chapter)
            for cell in notebook.cells:
                for output in cell.get("outputs", []):
                    output.get("data", {}).pop("image/png", None)
            path = chapter.path.with_suffix(".ipynb")
            nbformat.write(notebook, path)
            print(f"wrote {path.relative_to(project.root)}")
