"""The minutes of the teaching page, counted from the chapters; the plans of the courses add up."""

import re

import nbformat
import pytest
from helpers import ROOT

from book.build.minutes import minutes, rounded

COURSES = (ROOT / "chapters" / "use" / "courses.md").read_text(encoding="utf-8")


def chapter(*cells):
    made = nbformat.v4.new_notebook()
    for cell in cells:
        markdown = isinstance(cell, str)
        made.cells.append(nbformat.v4.new_markdown_cell(cell) if markdown else cell)
    return made


def code(source, *tags, outputs=()):
    shown = [nbformat.v4.new_output("display_data", {kind: ""}) for kind in outputs]
    return nbformat.v4.new_code_cell(source, metadata={"tags": [*tags]}, outputs=shown)


def test_words_equations_code_and_figures_take_their_minutes():
    found, exercises = minutes(
        chapter(
            "# Title\n" + "word " * 99,
            "## First\n" + "word " * 399 + "\n$$\na + b\n$$\n",
            code("x\n" * 30, outputs=["image/png"]),
            code("x\n" * 30, "hide-input", outputs=["text/html"]),
            code("x\n" * 30, "remove-cell", outputs=["image/png"]),
            "## Second\n| a |\n|---|\n| b |",
        )
    )
    assert found == pytest.approx(2.5 + 0.5 + (2 + 1) + 1 + (1 + 3 / 200))
    assert exercises == 0


def test_exercises_are_counted_and_solutions_are_not_read():
    text = "## Exercises\n```{exercise-start} A\n```\none two\n```{exercise-end}\n```\n"
    solution = "```{solution-start} a\n```\n" + "word " * 500 + "\n```{solution-end}\n```"
    found, exercises = minutes(chapter("# Title", text + solution))
    assert exercises == 1
    assert found < 0.1


def test_totals_are_rounded_up_to_five():
    assert [rounded(time) for time in (0.1, 5, 5.1)] == [5, 5, 10]


def plan(title):
    """Return the numbers in the first column of a course's table."""
    section = COURSES.split(f"## {title}")[1].split("\n## ")[0]
    return re.findall(r"^\| ([\d.]+) \|", section, re.MULTILINE)


def test_the_lecture_takes_ninety_minutes():
    assert sum(map(int, plan("One lecture, 90 minutes"))) == 90


def test_the_day_takes_a_working_day():
    assert 6 * 60 <= sum(map(int, plan("One day"))) <= 8 * 60


def test_four_weeks_have_two_sessions_each():
    assert plan("Four weeks") == "1.1 1.2 2.1 2.2 3.1 3.2 4.1 4.2".split()
