"""Students get exercises without solutions, from the same source."""

import io
import re
import zipfile

import nbformat
import pytest
from helpers import ROOT

from book import site
from book.project import Project
from book.students import exercise_notebook, exercises_zip, without_solutions

CHAPTERS = [chapter for chapter in Project(ROOT).found() if chapter.is_notebook]
SOLUTION = re.compile(r"^```+\{solution-start\}.*?^```+\{solution-end\}", re.DOTALL | re.MULTILINE)


def notebook(*cells):
    made = nbformat.v4.new_notebook()
    for kind, source in cells:
        new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        made.cells.append(new(source))
    return made


def test_what_stands_in_a_solution_goes_and_the_rest_stays():
    before = notebook(
        ("md", "Text\n```{solution-start} ex\n:class: dropdown\n```\nThe answer is"),
        ("code", "6 * 7"),
        ("md", "so 42.\n```{solution-end}\n```\nMore text"),
        ("code", "x = 1"),
    )
    after = without_solutions(before)
    assert [cell.source for cell in after.cells] == ["Text", "More text", "x = 1"]


def test_an_open_solution_is_an_error():
    with pytest.raises(ValueError, match="does not end"):
        without_solutions(notebook(("md", "```{solution-start} ex\n```")))


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_no_solution_is_left(chapter):
    text = chapter.path.read_text(encoding="utf-8")
    outside = SOLUTION.sub("", text)
    left = "\n".join(cell.source for cell in exercise_notebook(chapter).cells)
    assert "{solution" not in left
    only_inside = {
        line
        for solution in SOLUTION.findall(text)
        for line in solution.splitlines()
        if line.strip("`") and line not in outside
    }
    assert not [line for line in left.splitlines() if line in only_inside]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_each_exercise_has_a_solution(chapter):
    text = chapter.path.read_text(encoding="utf-8")
    exercises = re.findall(r"\{exercise-start\}[^\n]*\n:label: (\S+)", text)
    assert exercises == re.findall(r"\{solution-start\} (\S+)", text)


def test_the_archive_holds_every_chapter_and_is_the_same_each_time():
    content = exercises_zip(CHAPTERS)
    assert content == exercises_zip(CHAPTERS)
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert names == [f"exercises/{chapter.name}.ipynb" for chapter in CHAPTERS]


def test_the_student_site_leaves_out_the_printed_book(tmp_path, monkeypatch):
    """The PDF file holds the solutions."""
    for name in ("_config.yml", "book/references.bib"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "index.md").write_text("# Landing\n")
    (tmp_path / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    project = Project(tmp_path)
    site.pdf_path(project).parent.mkdir()
    site.pdf_path(project).write_bytes(b"solutions")
    built = []
    monkeypatch.setattr(
        site,
        "run_sphinx",
        lambda source, work, *_, **__: built.append((work / "html").mkdir(parents=True)),
    )
    site.build_student_site(project, project.listed())
    staged = project.build / "student" / "src"
    assert built and (staged / "index.md").is_file()
    assert not (staged / "book.pdf").exists()
    assert "book.pdf" not in (staged / "_config.yml").read_text()
