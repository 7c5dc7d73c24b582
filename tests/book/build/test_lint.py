"""The code cells of chapters, read and mended by ruff."""

import pytest
from one_chapter import cell, notebook

from book.build import lint
from book.build.project import BookError


def test_lint_reads_and_mends_the_code_cells(project):
    options = "---\ntags: [hide-input]\n---\n"
    chapter = notebook(
        project, "Prose  'stays'.\n" + cell("import os\nx = {'a':1}", options)
    )
    with pytest.raises(BookError, match=r"one:cell 1:1:8: F401"):
        lint.check(project, [chapter])
    lint.check(project, [chapter], fix=True)
    text = chapter.path.read_text()
    assert 'x = {"a": 1}' in text and "import os" not in text
    assert options in text and "Prose  'stays'." in text
