"""The line below each exercise of the built site."""

import re

import nbformat
from helpers import SITE, skip_unless
from practised import chapters_to_learn_by, parts_of_exercises


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
