"""Plans of a course: their minutes, their order, what they may ask."""

import re
import types

import pytest
import yaml
from helpers import ROOT, skip_unless

from book.build import minutes
from book.build.counted_texts import filled_text
from book.build.plans import read_plans, week_of

CHAPTERS = ROOT / "chapters"


REFERENCES = re.compile(r"\{ref\}`([\w-]+)`")


ANCHORS = re.compile(r"^\(([^)]+)\)=", re.MULTILINE)


@pytest.fixture(scope="module")
def plans():
    return read_plans()


def page_text(name):
    return (CHAPTERS / f"{name}.md").read_text("utf-8")


def labels_read(weeks):
    """The labels of all pages that some weeks read."""
    names = [name for week in weeks for name in week["reading"]]
    return {label for name in names for label in ANCHORS.findall(page_text(name))}


def quiz_answer(question):
    """The answer of a question such as "Measure 3"."""
    door, number = question.rsplit(" ", 1)
    section = page_text("use/quizzes").split(f"## {door}")[1].split("\n## ")[0]
    return section.split(f"**{number}.**")[1].split(":::\n")[0]


@pytest.fixture(scope="module")
def counted():
    """What a table of minutes says, its lines."""
    executed = ROOT / "_build" / "executed"
    skip_unless(executed.is_dir(), "the chapters are not executed")
    counts = {}
    for path in CHAPTERS.rglob("*.md"):
        name = path.relative_to(CHAPTERS).with_suffix("").as_posix()
        notebook = executed / f"{name}.ipynb"
        counts[name] = minutes.estimate_of_file(
            notebook if notebook.is_file() else path
        )
    env = types.SimpleNamespace(minutes=counts, docname="", metadata={"": {}})
    return lambda table: filled_text(table, env).splitlines()


def test_a_guest_lecture_takes_90_minutes(counted):
    assert counted("plan-guest")[-1] == "| **90** | | |"


@pytest.mark.parametrize("table", ["plan-week", "plan-weeks"])
def test_no_day_of_a_plan_is_too_long_and_its_sums_are_right(table, counted):
    rows = [line.split(" | ") for line in counted(table)[2:]]
    *days, sums = ([cell.strip("| ") for cell in row] for row in rows if len(row) == 7)
    numbers = [[int((cell.split() or "0")[0]) for cell in day[1:]] for day in days]
    for *teaching, total, reading in numbers:
        assert sum(teaching) == total <= 210 and reading <= 120
    totals = [str(sum(column)) for column in zip(*numbers, strict=True)]
    assert [cell.strip("*") for cell in sums[5:]] == totals[4:]


def test_a_plan_reads_in_the_order_of_the_book(plans):
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    order = [chapter["file"] for door in toc["parts"] for chapter in door["chapters"]]
    for week in plans["weeks"]:
        places = [order.index(name) for name in week["reading"]]
        assert places == sorted(places), week["title"]


@pytest.mark.parametrize("plan", ["week", "weeks"])
def test_labs_and_questions_of_a_plan_come_after_their_chapters(plan, plans):
    weeks = week_of(plans) if plan == "week" else plans["weeks"]
    for number, week in enumerate(weeks):
        known = labels_read(weeks[: number + 1])
        if "lab" in week:
            needs = re.search(
                r"\*\*You need\*\* (.+)", page_text(f"labs/{week['lab']}")
            )
            assert set(REFERENCES.findall(needs[1])) <= known, week["lab"]
        for question in week.get("opener", ()):
            assert number, "the first week has nothing to ask about"
            assert set(REFERENCES.findall(quiz_answer(question))) <= known, question
