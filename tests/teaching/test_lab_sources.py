"""What a course asks of every lab: read in its source, in a moment."""

import ast
import re

import pytest
from helpers import ROOT

from book.build.project import CELL
from book.show.exercises import open_names
from teaching.course import number_of_lab
from teaching.judge import HIDDEN

LABS = {path.stem: path.read_text("utf-8")
        for path in sorted((ROOT / "chapters/labs").glob("*.md"))}  # fmt: skip


DISCUSSIONS = (ROOT / "teaching/discussions.md").read_text("utf-8")


LABEL = re.compile(r"exercise-start\}[^\n]*\n:label: (\S+)", re.MULTILINE)


N_STEPS = 4


def stubs_of(source):
    """The stubs of a lab by label: each is the first cell with the tag behind its exercise."""
    cells = [cell for cell in CELL.finditer(source) if "[stub]" in cell["options"]]
    labels = list(LABEL.finditer(source))
    assert len(labels) == len(cells)
    return {label[1]: cell["source"] for label, cell in zip(labels, cells, strict=True)}


def faults_of(name, source):
    """What a course would not take of a lab, as text."""
    faults = []
    title = re.search(r"^# (.*)$", source, re.MULTILINE)[1]
    if not re.fullmatch(r"Lab \d+: .+", title):
        faults.append(f"{name}: the title is {title!r}, expected `Lab N: NAME`")
    stubs = stubs_of(source)
    if len(stubs) != N_STEPS:
        faults.append(f"{name}: {len(stubs)} steps, expected {N_STEPS}")
    names = [each for stub in stubs.values() for each in open_names(stub)]
    faults += [f"{name}: {each} is open twice" for each in set(names)
               if names.count(each) > 1]  # fmt: skip
    for label, stub in stubs.items():
        has_function = any(
            isinstance(node, ast.FunctionDef) and node.name in open_names(stub)
            for node in ast.parse(stub).body
        )
        if has_function and label not in HIDDEN:
            faults.append(f"{name}: {label} has a function and no test in hidden.yml")
    return faults


@pytest.mark.parametrize("lab", LABS)
def test_a_lab_is_one_that_a_course_takes(lab):
    assert faults_of(lab, LABS[lab]) == []


def test_labs_are_numbered_without_a_gap_and_each_has_marks_for_its_discussion():
    numbers = sorted(number_of_lab(lab, text.encode()) for lab, text in LABS.items())
    assert numbers == list(range(1, len(LABS) + 1))
    for number in numbers:
        assert f"**{number}, " in DISCUSSIONS, number


def test_a_hidden_test_belongs_to_a_step_of_a_lab():
    labels = {label for source in LABS.values() for label in stubs_of(source)}
    assert set(HIDDEN) <= labels


def test_what_a_course_would_not_take_is_named():
    source = LABS["first-diagrams"]
    stub = next(iter(stubs_of(source).values()))
    for change, fault in {
        ("# Lab 1: ", "# Laboratory "): "the title is 'Laboratory Draw",
        ("[stub]", "[other]"): "0 steps, expected 4",
        ("lab1-groups", "lab1-grupos"): "lab1-grupos has a function and no test",
        (list(stubs_of(source).values())[-1], stub): "is open twice",
    }.items():
        if fault.startswith("0 steps"):
            broken = LABEL.sub("exercise-start} none", source.replace(*change))
        else:
            broken = source.replace(*change)
        assert any(fault in line for line in faults_of("a", broken)), fault
