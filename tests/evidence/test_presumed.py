"""What the sentences of chapters take for granted is so: see ``presumed.yml``."""

import operator
import re

import nbformat
import pytest
import yaml
from helpers import ROOT, skip_unless

from book.build.project import Project
from book.show.verdicts import effects_of
from evidence import claims

GLUED = "application/papermill.record/text/plain"
COMPARED = {"<": operator.lt, ">": operator.gt}
PRESUMED = yaml.safe_load(
    (ROOT / "tests" / "evidence" / "presumed.yml").read_text(encoding="utf-8")
)
EXECUTED = ROOT / "_build" / "executed"
LEDGER = claims.load_ledger().set_index(["id", "evidence"])


def of_each(part):
    return pytest.mark.parametrize(
        "chapter", [name for name in PRESUMED if part in PRESUMED[name]]
    )


def flat(table):
    return {
        (claim, evidence): number
        for claim, of in table.items()
        for evidence, number in of.items()
    }


@of_each("verdicts")
def test_verdicts_are_those_that_a_chapter_was_written_for(chapter):
    presumed = flat(PRESUMED[chapter]["verdicts"])
    rows = LEDGER.loc[list(presumed)]
    assert rows.verdict.to_dict() == presumed


def sides(row):
    """How many intervals of an effect lie where the claim puts it, across, and beyond."""
    effects = effects_of(row)
    agree = sum(
        effect["low"] > row.least and effect["high"] < row.most for effect in effects
    )
    against = sum(
        effect["high"] < row.least or effect["low"] > row.most for effect in effects
    )
    return [agree, len(effects) - agree - against, against]


@of_each("effects")
def test_effects_lie_where_a_chapter_says(chapter):
    presumed = flat(PRESUMED[chapter]["effects"])
    assert {key: sides(LEDGER.loc[key]) for key in presumed} == presumed


def number(text):
    """Return the first number of a text."""
    return float(
        re.search(r"-?\d[\d ]*(\.\d+)?", text.replace("−", "-"))[0].replace(" ", "")
    )


def as_presumed(given, numbers):
    """Say whether a number is as presumed: a text, or above or below a number or another one."""
    text, presumed = numbers[given[0]], str(given[1])
    if presumed[0] not in COMPARED:
        return text == presumed
    name = presumed[1:].strip()
    return COMPARED[presumed[0]](number(text), number(numbers.get(name, name)))


def test_a_number_is_compared_by_size_or_as_text():
    numbers = {"a": "−1.5 [−2, 3]", "b": "12 032 of 925", "c": "mixed"}
    true = [("a", "< 0"), ("b", "> a"), ("b", "> 12000"), ("c", "mixed")]
    assert all(as_presumed(sentence, numbers) for sentence in true)
    assert not any(
        as_presumed(sentence, numbers)
        for sentence in [("a", "> 0"), ("b", "< a"), ("c", "x")]
    )


@of_each("numbers")
def test_numbers_are_those_that_a_chapter_was_written_for(chapter):
    skip_unless(EXECUTED.is_dir(), "the chapters are not executed: make book")
    project = Project(ROOT)
    path = next(project.executed(c) for c in project.on_disk() if c.name == chapter)
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    glued = {
        o["metadata"]["scrapbook"]["name"]: o["data"][GLUED]
        .strip("'")
        .replace("\\xa0", " ")
        for o in outputs
        if GLUED in o.get("data", {})
    }
    presumed = PRESUMED[chapter]["numbers"].items()
    assert [sentence for sentence in presumed if not as_presumed(sentence, glued)] == []


def test_the_readme_says_what_the_front_page_says():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for name, text in PRESUMED["index"]["numbers"].items():
        words = {"5": "5 of 42", "1": "1 refutes"}.get(text, text.replace("%", " %"))
        assert re.search(rf"(?<!\d){re.escape(words)}", readme), name
