"""The notebooks of the built book that students and teachers get."""

import json
import re
from types import SimpleNamespace

import jupytext
import nbformat
import pytest
from helpers import ROOT, skip_unless
from one_exercise import RIGHT, run, twice
from practised import PROJECT

from book.build import handouts, students

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


# A cell, a text.


def tags_of(cells):
    return {number: cell.metadata.get("tags", []) for number, cell in cells.items()}


@pytest.mark.parametrize("solutions", [True, False])
def test_students_get_stub_and_named_check_and_teachers_all(solutions):
    notebook = run(twice())
    numbers = [n for n, c in enumerate(notebook.cells) if c.cell_type == "code"]
    cells = handouts.code_cells(notebook, {numbers[0]}, solutions=solutions)
    tags = tags_of(cells)
    assert (["solution"] in tags.values()) == solutions
    (check,) = (cells[number] for number, tag in tags.items() if tag == ["check"])
    assert check.source == (RIGHT if solutions else 'check("ex").run(globals())')
    of_exercise = [n for n, tag in tags.items() if {"stub", "check"} & {*tag}]
    assert all(cells[n].metadata["exercise"] == "ex" for n in of_exercise)
    hidden = {n for n, cell in cells.items() if "jupyter" in cell.metadata}
    assert hidden == {*cells} - {numbers[0]}


def test_a_cell_that_is_no_part_of_an_exercise_has_its_source_alone():
    cell = nbformat.v4.new_code_cell("x = 1", metadata={"tags": ["hide-input"]})
    plain = handouts.code_cell(cell, {}, hidden=False, solutions=False)
    assert plain.source == "x = 1" and plain.metadata == {}


def test_a_lab_has_an_empty_cell_for_its_discussion():
    text = "\n## Discussion\n\nWhy?\n"
    told, empty = handouts.text_cells(text, is_lab=True)
    assert told.source == "## Discussion\n\nWhy?"
    assert empty.metadata == {"exercise": "discussion"}
    assert len(handouts.text_cells(text, is_lab=False)) == 1
    assert len(handouts.text_cells("Other.", is_lab=True)) == 1
    assert handouts.text_cells(" \n", is_lab=True) == []


# A whole page: of cells 1 and 2 that neighbour each other, the page shows the last alone.


@pytest.fixture
def app(tmp_path, monkeypatch):
    sources = ("# Text", None, None, "# More", None)
    cells = [
        nbformat.v4.new_code_cell(f"x = {number}")
        if source is None
        else nbformat.v4.new_markdown_cell(source)
        for number, source in enumerate(sources)
    ]
    (tmp_path / "src" / "labs").mkdir(parents=True)
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbformat.write(notebook, tmp_path / "src" / "labs" / "one.ipynb")
    texts = " Opening. ", [(2, "Between.\n\n## Discussion"), (4, "")]
    monkeypatch.setattr(handouts, "page_texts", lambda *_, **__: texts)
    return SimpleNamespace(
        srcdir=tmp_path / "src",
        outdir=tmp_path / "raw",
        builder=SimpleNamespace(name="html", current_docname="labs/one"),
        config=SimpleNamespace(html_baseurl=None),
    )


def test_a_handout_has_the_texts_and_cells_of_its_page_in_their_order(app):
    handouts.write_handouts(app, None, "labs/one")
    for reader in ("student", "teacher"):
        path = app.outdir.parent / "handouts" / reader / "labs" / "one.ipynb"
        made = nbformat.read(path, as_version=4)
        opening, prepare, *cells = made.cells
        assert opening.source == "Opening." and "labs/one" in prepare.source
        between = ["Between.\n\n## Discussion", handouts.TALK]
        assert [cell.source for cell in cells] == ["x = 1", "x = 2", *between, "x = 4"]
        hidden = [
            cell.metadata.get("jupyter", {}).get("source_hidden", False)
            for cell in cells
        ]
        assert hidden == [True, False, False, False, False]
        assert [cell.id for cell in made.cells[:2]] == ["cell-000", "cell-001"]
        assert made.metadata["calibration"] == {"page": "labs/one", "site": ""}
        assert made.metadata["kernelspec"]["name"] == "python3"


@pytest.mark.parametrize(
    ("builder", "page"), [("singlehtml", "labs/one"), ("html", "two")]
)
def test_a_print_and_a_page_without_cells_have_no_handout(app, builder, page):
    app.builder.name = builder
    handouts.write_handouts(app, None, page)
    assert not handouts.folder(app).exists()
