"""The notebooks of the built book that students and teachers get."""

import json
import re

import jupytext
import nbformat
from helpers import ROOT, skip_unless
from practised import PROJECT

from book.build import students

CHAPTERS = [chapter for chapter in PROJECT.on_disk() if chapter.is_notebook]


HANDOUTS = ROOT / "_build" / "sphinx" / "handouts"


# The book.


def test_every_exercise_was_proved_and_students_get_stubs_and_checks_in_plain_markdown():
    skip_unless(HANDOUTS.is_dir(), "the site is not built: make book")
    counted = 0
    for chapter in CHAPTERS:
        labels = [one.label for one in students.exercises(jupytext.read(chapter.path))]
        executed = json.loads(PROJECT.executed(chapter).read_text("utf-8"))
        refused = executed["metadata"].get("exercises", {})
        assert sorted(refused) == sorted(labels), chapter.name
        assert all(number >= 3 for number in refused.values())
        counted += len(labels)
        student, teacher = (
            nbformat.read(HANDOUTS / reader / f"{chapter.name}.ipynb", as_version=4)
            for reader in ("student", "teacher")
        )
        tags = [tag for cell in student.cells for tag in cell.metadata.get("tags", [])]
        assert tags == ["stub", "check"] * len(labels), chapter.name
        checks = [
            c.source for c in student.cells if "check" in c.metadata.get("tags", [])
        ]
        assert all(
            re.fullmatch(r'check\("[\w-]+"\)\.run\(globals\(\)\)', one)
            for one in checks
        )
        assert len(student.cells[1].source.splitlines()) <= 21
        text = "\n".join(c.source for c in student.cells if c.cell_type == "markdown")
        assert "```{" not in text and ":::" not in text, chapter.name
        assert not re.search(r"\{[\w:]+\}`", text), chapter.name
        assert "myst_nb" not in "".join(c.source for c in student.cells)
        solved = sum("solution" in c.metadata.get("tags", []) for c in teacher.cells)
        assert solved >= len(labels)
    assert counted >= 104
