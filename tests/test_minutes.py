"""The minutes of the teaching page: counted from the chapters, and its plans add up."""

import re

import nbformat
import pytest
from helpers import ROOT

from book.minutes import rounded, sections

TEACHING = (ROOT / "chapters" / "use" / "teaching.md").read_text(encoding="utf-8")


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
    found = sections(
        chapter(
            "# Title\n" + "word " * 100,
            "## First\n" + "word " * 400 + "\n$$\na + b\n$$\n",
            code("x\n" * 30, outputs=["image/png"]),
            code("x\n" * 30, "hide-input", outputs=["text/html"]),
            code("x\n" * 30, "remove-cell", outputs=["image/png"]),
            "## Second\n| a |\n|---|\n| b |",
        )
    )
    assert [section.title for section in found] == ["Title", "First", "Second"]
    assert found[0].reading == 0.5
    assert found[1].reading == 2 + 0.5 + (2 + 1) + 1
    assert found[2].reading == pytest.approx(1 + 2 / 200)


def test_exercises_are_counted_and_solutions_are_not_read():
    text = "## Exercises\n```{exercise-start} A\n```\none two\n```{exercise-end}\n```\n"
    solution = "```{solution-start} a\n```\n" + "word " * 500 + "\n```{solution-end}\n```"
    (_, found) = sections(chapter("# Title", text + solution))
    assert found.exercises == 1
    assert found.reading < 0.1


def test_totals_are_rounded_up_to_five():
    assert [rounded(minutes) for minutes in (0.1, 5, 5.1)] == [5, 5, 10]


def test_the_half_day_takes_three_hours_and_a_half():
    plan = TEACHING.split("## A half-day tutorial")[1].split("\n## ")[0]
    assert sum(map(int, re.findall(r"^\| (\d+) \|", plan, re.MULTILINE))) == 210
    assert "Three and a half hours" in plan


def test_the_module_has_six_weeks():
    plan = TEACHING.split("## A six-week module")[1].split("\n## ")[0]
    assert re.findall(r"^\| (\d+) \|", plan, re.MULTILINE) == [*"123456"]
