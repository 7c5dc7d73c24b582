"""The command `items`: forms out, and then what a class tells."""

import csv
import io
import re
import zipfile

import numpy as np
import pytest
from simulated_class import K, N, a_class, responses

from teaching.inventory import forms, report
from teaching.inventory.answers import Answers
from teaching.inventory.measures import calibration
from teaching.inventory.report import items
from teaching.inventory.statements import ITEMS, LEVELS, TRUE


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder with a roster of three; forms and drawings are tried elsewhere."""
    monkeypatch.setattr(report, "diagram", lambda by_time: b"")
    monkeypatch.setattr(
        report, "write_forms", lambda folder: folder.mkdir(exist_ok=True)
    )
    (tmp_path / "roster.csv").write_text("student,name\na,A\nb,B\nc,C\n")
    return tmp_path


def answers_of(**right):
    """Students who are sure of the truth of so many items, and of the contrary of the others."""
    sure = np.array([np.where(np.arange(K) < n, 1, 0) for n in right.values()])
    return Answers(list(right), np.where(TRUE, sure, 1 - sure).astype(float))


def lines_of(folder, before=None, after=None):
    (folder / "items").mkdir(exist_ok=True)
    for when, answers in (("before", before), ("after", after)):
        if answers is not None:
            path = folder / "items" / f"{when}.csv"
            path.write_text(responses(answers, "own"))
    return list(items(folder))


def test_without_answers_the_command_says_what_to_do(course):
    inventory = course / "items"
    todo = f"{inventory}: print inventory.html or import it; put the answers into before.csv"
    assert lines_of(course) == [todo]
    (inventory / "before.csv").write_text(
        "student,i01\n"
    )  # as it is written, without answers
    assert lines_of(course) == [todo]
    assert not (inventory / "items.csv").exists()


def test_a_line_on_a_class_says_what_it_knows_and_how_sure_it_is(course):
    """Sure of all: over by the share that is wrong, which is the ECE; by hand .3."""
    line, last = lines_of(course, answers_of(a=K, b=K // 2, c=K * 6 // 10))
    assert line.startswith("before: 3 students, 70% right, reliability ")
    assert line.endswith("; ECE 0.300 (chance alone 0.000), overconfident by 0.300")
    assert last == f"{course / 'items' / 'items.csv'}, class.svg"


def test_a_class_that_is_right_and_unsure_is_underconfident():
    prob = np.where(TRUE, 0.8, 0.2)[np.newaxis]
    line = report.summary(
        "after", Answers(["a"], prob), calibration(Answers(["a"], prob))
    )
    assert line.startswith("after: 1 students, 100% right")
    assert "ECE 0.200" in line and line.endswith("underconfident by 0.200")


def test_the_gain_is_of_those_who_answered_twice(course):
    """Gains of .1 and .3: mean .2, and Student's quantile of two, 12.706, times .1."""
    before = answers_of(a=10, b=4, c=20)
    lines = lines_of(course, before, answers_of(b=10, a=12, d=0))
    assert lines[-2] == "gain of the 2 who answered twice: +0.200 ± 1.271"
    assert "after: d is nobody of the roster" in lines
    lines = lines_of(course, before, answers_of(a=12, d=0))
    assert not any(line.startswith("gain") for line in lines)


def test_who_answered_little_is_left_out_and_named(course):
    """Half of the items are enough."""
    answers = answers_of(a=20, b=20, c=20)
    answers.prob[0, K // 2 :] = np.nan
    answers.prob[1, K // 2 - 1 :] = np.nan
    lines = lines_of(course, answers)
    assert lines[0] == "before: b answered less than half, left out"
    assert lines[1].startswith("before: 2 students")


def test_a_class_without_a_roster_has_no_strangers(course):
    (course / "roster.csv").write_text("student,name\n")
    assert not any("nobody" in line for line in lines_of(course, answers_of(z=20, y=9)))


def test_the_table_of_items_has_what_is_measured_of_each(course):
    """Of the first item all know; the tenth is known by one of two, as are the others after it."""
    lines_of(course, answers_of(a=20, b=9), answers_of(a=20, b=20))
    text = (course / "items" / "items.csv").read_text("utf-8")
    first, *_, last = list(csv.DictReader(io.StringIO(text)))
    assert first == {
        "item": ITEMS[0]["id"],
        "true": "yes" if ITEMS[0]["holds"] else "no",
        "difficulty before": "1.00",
        "discrimination before": "",
        "difficulty after": "1.00",
        "discrimination after": "",
        "about": ITEMS[0]["about"],
        "text": ITEMS[0]["text"],
    }
    assert (last["difficulty before"], last["discrimination before"]) == (
        "0.50",
        "1.00",
    )
    assert {row["true"] for row in csv.DictReader(io.StringIO(text))} == {"yes", "no"}


def test_each_class_has_a_line_in_the_diagram_over_bins_that_are_not_empty():
    half_sure = Answers(["a"], np.where(TRUE, 0.8, 0.2)[np.newaxis])
    by_time = {"before": calibration(answers_of(a=15)), "after": calibration(half_sure)}
    drawing = report.diagram(by_time)
    assert drawing.startswith(b"<?xml")
    for label in (b"before: ECE 0.250, chance alone 0.000", b"after: ECE 0.200"):
        assert label in drawing


@pytest.mark.parametrize("form", ["inventory_as_gift", "inventory_as_quiz"])
def test_a_form_asks_each_item_with_eleven_answers(form):
    text = getattr(forms, form)()
    assert all(text.count(f"{item['text'][:30]}") for item in ITEMS)
    for level in LEVELS:
        # "0 %" stands at the end of the others too
        assert len(re.findall(rf"(?<!\d){re.escape(level)}$", text, re.M)) == K, level


def test_the_form_that_needs_a_right_answer_has_the_sure_one():
    """Of an item that holds 100 %, of one that does not 0 %."""
    blocks = forms.inventory_as_quiz().split("Title: ")[1:]
    right = [re.findall(r"^\*\w\)  (.+)$", block, re.M) for block in blocks]
    assert right == [["100 %"] if item["holds"] else ["0 %"] for item in ITEMS]


@pytest.mark.slow
def test_the_command_writes_forms_and_then_what_a_class_tells(tmp_path):
    (tmp_path / "roster.csv").write_text(
        "student,name\n" + "".join(f"s{i},S{i}\n" for i in range(N))
    )
    assert "put the answers into before.csv" in list(items(tmp_path))[-1]
    inventory = tmp_path / "items"
    gift = (inventory / "inventory.gift").read_text("utf-8")
    assert gift.count("~%100%") == 11 * K and all(
        f"::{item['id']}::" in gift for item in ITEMS
    )
    with zipfile.ZipFile(inventory / "inventory-qti.zip") as packed:
        text = "".join(packed.read(name).decode() for name in packed.namelist())
    assert all(item["id"] in text for item in ITEMS)
    assert (inventory / "inventory.html").read_text("utf-8").count("&#9633;") == 11 * K
    before, after = a_class("guessing", 1)[0], a_class("calibrated", 2)[0]
    before.prob[0, 3:] = np.nan
    (inventory / "before.csv").write_text(responses(before, "own"))
    (inventory / "after.csv").write_text(responses(after, "moodle"))
    lines = list(items(tmp_path))
    assert lines[0] == "before: s0 answered less than half, left out"
    assert "before: 29 students" in lines[1] and "after: 30 students" in lines[2]
    assert (
        "overconfident" in lines[1]
        and "gain of the 29 who answered twice: +" in lines[3]
    )
    again = (inventory / "class.svg").read_bytes()
    list(items(tmp_path))
    assert again == (inventory / "class.svg").read_bytes() and b"chance alone" in again
    table = list(
        csv.DictReader(io.StringIO((inventory / "items.csv").read_text("utf-8")))
    )
    assert len(table) == K and 0 <= float(table[0]["difficulty after"]) <= 1
