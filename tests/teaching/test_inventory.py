"""The concept inventory on simulated classes of thirty whose truth is known."""

import csv
import io
import zipfile

import numpy as np
import pytest

from teaching.inventory.answers import Answers, read_answers
from teaching.inventory.measures import (
    calibration,
    difficulty,
    discrimination,
    reliability,
)
from teaching.inventory.report import items
from teaching.inventory.statements import ASKED, ITEMS, TRUE
from teaching.tables import CourseError

N, K = 30, len(ITEMS)
EASE = np.random.default_rng(0).permutation(np.linspace(-0.5, 2.5, K))  # in logits


def a_class(kind, seed, n=N):
    """Answers of a class, and the chance of each student to be right on each item.

    "calibrated": say the chance; "overconfident": know as much and double its logit; "guessing":
    know nothing and say anything.
    """
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-(rng.normal(scale=1.2, size=(n, 1)) + EASE)))
    chance = np.maximum(chance, 0.5) if kind != "guessing" else np.full((n, K), 0.5)
    sure = chance
    if kind == "overconfident":
        sure = chance**2 / (chance**2 + (1 - chance) ** 2)
    if kind == "guessing":
        sure = rng.uniform(0.5, 1, size=(n, K))
    is_right = rng.random((n, K)) < chance
    sure = np.maximum(sure, 0.5 + 1e-9)  # one has to lean
    prob = np.where(is_right == TRUE, sure, 1 - sure)
    return Answers([f"s{i}" for i in range(n)], prob), chance


def over_seeds(kind, measure, seeds=20):
    return np.array([measure(a_class(kind, seed)[0]) for seed in range(seeds)])


def test_difficulty_and_discrimination_find_the_items_that_are_hard_and_tell():
    """On average over classes what a class of 3000 has; an item with a wrong key tells nothing."""
    large, chance = a_class("calibrated", 99, n=3000)
    assert np.allclose(difficulty(large), chance.mean(axis=0), atol=0.03)
    assert np.allclose(
        over_seeds("calibrated", difficulty).mean(axis=0), difficulty(large), atol=0.06
    )
    answers = over_seeds("calibrated", discrimination)
    guessed = over_seeds("guessing", discrimination)
    assert np.nanmean(answers) > 0.15 and abs(np.nanmean(guessed)) < 0.05
    turned = Answers(large.students, large.prob.copy())
    easy = int(np.argmax(EASE < 1))
    turned.prob[:, easy] = 1 - turned.prob[:, easy]
    assert discrimination(turned)[easy] < -0.1 < 0.1 < discrimination(large)[easy]


def test_reliability_is_that_of_the_large_class_and_zero_where_all_guess():
    """Against the correlation of two halves, stepped up (Spearman and Brown)."""
    large, _ = a_class("calibrated", 99, n=4000)
    halves = large.right[:, ::2].sum(axis=1), large.right[:, 1::2].sum(axis=1)
    r = np.corrcoef(*halves)[0, 1]
    assert np.isclose(reliability(large), 2 * r / (1 + r), atol=0.03)
    assert abs(over_seeds("calibrated", reliability).mean() - reliability(large)) < 0.1
    assert abs(over_seeds("guessing", reliability).mean()) < 0.2


def test_three_classes_of_thirty_have_the_calibration_that_is_true_of_them():
    calibrations = {kind: [calibration(a_class(kind, seed)[0]) for seed in range(20)]
             for kind in ("calibrated", "overconfident", "guessing")}  # fmt: skip
    excess = {
        kind: np.mean([c.excess for c in of_kind])
        for kind, of_kind in calibrations.items()
    }
    assert abs(excess["calibrated"]) < 0.01
    assert 0.05 < excess["overconfident"] < 0.12 and 0.23 < excess["guessing"] < 0.27
    ratio = {
        kind: np.median([c.ece / c.chance for c in of_kind])
        for kind, of_kind in calibrations.items()
    }
    assert (
        0.7 < ratio["calibrated"] < 1.3
        and ratio["overconfident"] > 2
        and ratio["guessing"] > 5
    )


def test_answers_of_50_per_cent_are_neither_right_nor_wrong():
    """By hand: 80 % on one true and one false item; 50 % on true items must change nothing."""
    prob = np.full((1, K), np.nan)
    true_items, false_items = np.flatnonzero(TRUE), np.flatnonzero(~TRUE)
    prob[0, [true_items[0], false_items[0]]] = 0.8  # right once, wrong once
    prob[0, true_items[1:]] = 0.5
    measured = calibration(Answers(["s"], prob))
    assert np.isclose(measured.excess, 0.8 - 0.5) and np.isclose(measured.ece, 0.3)
    assert measured.bins.count.sum() == 2
    prob[np.isfinite(prob)] = 0.5
    with pytest.raises(CourseError, match="no answer leans"):
        calibration(Answers(["s"], prob))


HEADINGS = {  # of a file of answers as our form, Moodle, or Canvas writes it
    "own": ["student", *(item["id"] for item in ITEMS)],
    "moodle": ["Last name", "Email address", *(f"Response {i + 1}" for i in range(K))],
    "canvas": ["name", "id"]
    + [f"{i}9: {item['text']} {ASKED}" for i, item in enumerate(ITEMS)],
}
WHO = {
    "own": lambda student: [student],
    "moodle": lambda student: ["X", student],
    "canvas": lambda student: [student, "1"],
}


def responses(answers, form):
    """A file of answers as our form, Moodle, or Canvas writes it."""
    text = io.StringIO()
    write = csv.writer(text).writerow
    write(HEADINGS[form])
    for student, row in zip(answers.students, answers.prob, strict=True):
        shown = ["" if np.isnan(p) else f"{100 * p:.0f} %" for p in row]
        write([*WHO[form](student), *shown])
    return text.getvalue()


@pytest.mark.parametrize("form", ["own", "moodle", "canvas"])
def test_answers_are_read_as_each_platform_writes_them(form, tmp_path):
    answers, _ = a_class("calibrated", 3)
    answers.prob[2, 5] = np.nan
    answers.prob[:] = np.round(answers.prob, 1)
    (tmp_path / "before.csv").write_text(responses(answers, form))
    from_csv = read_answers(tmp_path / "before.csv")
    assert from_csv.students == answers.students
    assert np.allclose(from_csv.prob, answers.prob, equal_nan=True)


def file_of(*answers):
    """Our form of one student a line: what each types for the first items, and no more."""
    empty = [""] * K
    lines = [["s", *typed, *empty[len(typed) :]] for typed in answers]
    return "\n".join(map(",".join, [HEADINGS["own"], *lines]))


def read(folder, text):
    (folder / "before.csv").write_text(text)
    return read_answers(folder / "before.csv").prob


@pytest.mark.parametrize("typed, expected", [
    (("70 %", "1 %", "0", "100%"), (0.7, 0.01, 0, 1)),
    (("70", "1", "0", "100"), (0.7, 0.01, 0, 1)),
    (("0.7", "1", "0", "1.0"), (0.7, 1, 0, 1)),
    (("0.5 %", "70", "", "-"), (0.005, 0.7, np.nan, np.nan)),
    (("0", "0", "", ""), (0, 0, np.nan, np.nan)),
])  # fmt: skip
def test_the_unit_is_that_of_the_whole_file(typed, expected, tmp_path):
    """The 1 of one student is 1 % or 100 % by what another one types."""
    assert np.allclose(
        read(tmp_path, file_of(typed))[0, :4], expected, equal_nan=True, atol=0
    )
    by_two = read(tmp_path, file_of(typed[:1], ("0", *typed[1:])))
    assert np.allclose(by_two[1, 1:4], expected[1:], equal_nan=True, atol=0)


@pytest.mark.parametrize("answers, fault", [
    ((("0", "70"), ("1", "0.7")),
     "before.csv: line 2, i02: '70' is in per cent, line 3, i02: '0.7' is a share of 1; "
     "type all answers in per cent, as 70 %, or all as shares, as 0.7"),
    ((("0.7", "1"), ("0.8", "30 %")), "line 3, i02: '30 %' is in per cent, line 2, i01: '0.7'"),
    ((("0", "0"), ("1", "0")), "line 3, i01: '1' may be 1 % or 100 %"),
    ((("0.7",), ('"0,7"',)), "line 3, i01: '0,7' is no probability"),
    ((("70",), ("120",)), "line 3, i01: '120' is no probability, expected 0 % to 100 %"),
    ((("70",), ("-5 %",)), "line 3, i01: '-5 %' is no probability"),
    ((("70",), ("nan",)), "line 3, i01: 'nan' is no probability"),
    ((("70",), ("%",)), "line 3, i01: '%' is no probability"),
])  # fmt: skip
def test_a_file_whose_unit_is_mixed_or_unknown_is_refused(answers, fault, tmp_path):
    with pytest.raises(CourseError, match=fault):
        read(tmp_path, file_of(*answers))


@pytest.mark.parametrize("text, fault", [
    ("student,i01\ns,1\n", "no column of i02"), ("i01\n1\n", "no column says who"),
    (responses(a_class("guessing", 1)[0], "own").replace("s3,", "s3,x", 1),
     "line 5, i01: 'x.* is no probability"),
])  # fmt: skip
def test_what_cannot_be_read_is_named(text, fault, tmp_path):
    with pytest.raises(CourseError, match=fault):
        read(tmp_path, text)


@pytest.mark.slow
def test_the_command_writes_forms_and_then_what_a_class_tells(tmp_path):
    (tmp_path / "roster.csv").write_text(
        "student,name\n" + "".join(f"s{i},S{i}\n" for i in range(N))
    )
    assert "put the answers into before.csv" in list(items(tmp_path))[-1]
    place = tmp_path / "items"
    gift = (place / "inventory.gift").read_text("utf-8")
    assert gift.count("~%100%") == 11 * K and all(
        f"::{item['id']}::" in gift for item in ITEMS
    )
    with zipfile.ZipFile(place / "inventory-qti.zip") as packed:
        text = "".join(packed.read(name).decode() for name in packed.namelist())
    assert all(item["id"] in text for item in ITEMS)
    assert (place / "inventory.html").read_text("utf-8").count("&#9633;") == 11 * K
    before, after = a_class("guessing", 1)[0], a_class("calibrated", 2)[0]
    before.prob[0, 3:] = np.nan
    (place / "before.csv").write_text(responses(before, "own"))
    (place / "after.csv").write_text(responses(after, "moodle"))
    lines = list(items(tmp_path))
    assert lines[0] == "before: s0 answered less than half, left out"
    assert "before: 29 students" in lines[1] and "after: 30 students" in lines[2]
    assert (
        "overconfident" in lines[1]
        and "gain of the 29 who answered twice: +" in lines[3]
    )
    again = (place / "class.svg").read_bytes()
    list(items(tmp_path))
    assert again == (place / "class.svg").read_bytes() and b"chance alone" in again
    table = list(csv.DictReader(io.StringIO((place / "items.csv").read_text("utf-8"))))
    assert len(table) == K and 0 <= float(table[0]["difficulty after"]) <= 1
