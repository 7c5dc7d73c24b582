"""A chapter in its kernel gets the parameters of the command."""

import nbformat
from one_chapter import cell, notebook

from book.build.execute import execute_all


def executed_notebook(project, chapter, parameters=None):
    execute_all(project, [chapter], parameters)
    return nbformat.read(project.executed(chapter), as_version=4)


def test_parameters_come_from_the_command(project):
    body = cell("n = 1\nm: int = 2", ":tags: [parameters]\n") + cell("print(n, m)")
    executed = executed_notebook(project, notebook(project, body), {"n": 5, "m": 7})
    assert executed.cells[-1].outputs[0].text == "5 7\n"
    injected = [
        c for c in executed.cells if "injected-parameters" in c.metadata.get("tags", [])
    ]
    assert "remove-cell" in injected[0].metadata.tags
    assert "papermill" not in executed.metadata
