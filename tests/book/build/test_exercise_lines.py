"""The line below each exercise of the built site."""

import re
from types import SimpleNamespace

import nbformat
import pytest
from docutils import nodes
from docutils.utils import new_document
from helpers import SITE, skip_unless
from practised import chapters_to_learn_by, parts_of_exercises

from book.build.exercise_lines import ExerciseLines, to_notebooks


def test_each_exercise_to_learn_by_says_its_grade_and_where_to_run_it():
    skip_unless(SITE.is_dir(), "the site is not built")
    has_python = (SITE / "python" / "manifest.json").is_file()
    for chapter in chapters_to_learn_by():
        exercises = parts_of_exercises(chapter.path.read_text("utf-8"))
        page = (SITE / f"{chapter.name}.html").read_text("utf-8")
        for label, (grade, _) in exercises.items():
            _, _, shown = page.partition(f'id="{label}"')
            line = re.search(r'<p class="exercise-line">(.*?)</p>', shown, re.DOTALL)[1]
            assert f">{grade.capitalize()}<" in line
            assert (">Run it here<" in line) == has_python
            assert f"_static/notebooks/{chapter.name}.ipynb" in line
            assert "_static/exercises.zip" in line
        if exercises:
            alone = SITE / "_static" / "notebooks" / f"{chapter.name}.ipynb"
            cells = nbformat.read(alone, as_version=4).cells
            open_there = {cell.metadata.get("exercise") for cell in cells} - {None}
            assert open_there == set(exercises)
            n_hints = "".join(c.source for c in cells).count("<summary>Hint")
            assert n_hints == sum(len(hints) for _, hints in exercises.values())


def lines(folder, *classes, builder="html", title=True, python=False):
    """The children of an exercise once its line is put there."""
    if python:
        (folder / "python").mkdir()
        (folder / "python" / "manifest.json").touch()
    exercise = nodes.admonition(
        type="exercise", label="ex", ids=["ex"], classes=[*classes]
    )
    exercise += [nodes.title("", "An exercise")] * title + [
        nodes.paragraph("", "Text.")
    ]
    document = new_document("page")
    document += [exercise, nodes.admonition("", nodes.paragraph("", "No exercise."))]
    config = SimpleNamespace(html_extra_path=["book.pdf", "."])
    app = SimpleNamespace(
        srcdir=folder, config=config, builder=SimpleNamespace(name=builder)
    )
    document.settings.env = SimpleNamespace(app=app, docname="part/page")
    ExerciseLines(document).run()
    assert len(document[1]) == 1
    return exercise.children


@pytest.mark.parametrize("python", [True, False])
def test_a_line_below_the_title_says_level_and_places(tmp_path, python):
    title, line, text = lines(tmp_path, "exercise", "hard", python=python)
    level, places = line.children
    assert level.astext() == "Hard" and level["classes"] == ["exercise-grade", "hard"]
    assert line["classes"] == ["exercise-line"] and places["format"] == "html"
    assert ('href="#ex">Run it here' in places.astext()) == python
    assert 'href="../_static/notebooks/part/page.ipynb"' in places.astext()
    assert (title.astext(), text.astext()) == ("An exercise", "Text.")


def test_an_exercise_without_title_or_level_has_its_places_first(tmp_path):
    line, text = lines(tmp_path, title=False)
    assert len(line) == 1 and "Where to work" in line.astext()
    assert text.astext() == "Text."


def test_in_print_an_exercise_has_its_level_alone(tmp_path):
    _, line, _ = lines(tmp_path, "easy", builder="singlehtml")
    assert line.astext() == "Easy"
    _, text = lines(tmp_path, builder="singlehtml")
    assert text.astext() == "Text."


def test_the_icon_of_a_page_downloads_the_notebook_that_works_alone():
    icon = '<a href="../{}" target="_blank" class="btn">'
    old, new = "_sources/part/a.ipynb", "_static/notebooks/part/a.ipynb"
    page = to_notebooks(icon.format(old) + icon.format("_sources/part/a.md"))
    first = f'<a href="../{new}" download class="btn">'
    assert page == first + icon.format("_sources/part/a.md")
