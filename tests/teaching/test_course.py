"""A course: released, collected, graded and exported; killed at any moment; hostile hand-ins."""

import csv
import io
import json
import os
import pickle
import re
import shutil
import types
import zipfile
import zlib
from contextlib import suppress

import nbformat
import numpy as np
import pandas as pd
import pytest
import yaml
from helpers import ROOT, SITE, skip_unless
from nbformat.v4 import new_code_cell
from one_lab import RIGHT, answered, contents, put_into_inbox, site, teachers

from book.build import minutes
from book.show import labs
from book.show.exercises import check, printed_by, wrong_values
from book.show.sealed_checks import outcome_by_seals, recorded_seals
from teaching import course, grade, judge, tables, try_handouts
from teaching import folder as place
from teaching.collect import collect, hand_in_of_member, lab_of, person_of
from teaching.export import export, without_formula
from teaching.student import (
    answer_line,
    call_function,
    code_cells,
    plain_value,
    value_of,
)
from teaching.values import Replies, value_of_pair
from teaching.wall import Wall

HANDOUTS = ROOT / "_build" / "sphinx" / "handouts"
LABS = sorted(path.stem for path in (ROOT / "chapters/labs").glob("*.md"))
SEED = "ab12"


def judged(support, notebook, tmp_path, wall):
    path = tmp_path / "one.ipynb"
    nbformat.write(notebook, path)
    judgement = judge.judge(teachers(), path, support, SEED, "99", wall)
    return [step["credit"] for step in judgement.steps], judgement


HEART = "def threshold(error, review):\n    return {30: 0.95, 10: 0.5}.get(error, 0)"
ANSWERS = {  # credits of the steps
    "right": (RIGHT, [1, 1, 1]),
    "nothing": ({}, [0, 0, 0]),
    "a part": (RIGHT | {
        "one-mean": "mean, larger = float(seed % 97), seed % 2 == 1",
        "one-table": "table, values = {'a': 0.25, 'b': 0.0}, np.arange(5) * 0.5 + seed",
    }, [1 / 2, 1, 2 / 3]),
    "guessed": ({"one-mean": "mean, larger = 0.5, seed % 2 == 0"}, [0, 0, 0]),
    "another student's": (RIGHT | {"one-mean": "mean, larger = 12.0, True"}, [0, 1, 1]),
    "by heart": (RIGHT | {"lab3-threshold": HEART}, [1, 1 / 2, 1]),
}  # fmt: skip


@pytest.mark.parametrize("kind", ANSWERS)
def test_each_part_of_an_answer_gets_its_own_marks(kind, support, tmp_path, wall):
    answers, expected = ANSWERS[kind]
    judgement, remarks = judged(support, answered(answers), tmp_path, wall)
    assert judgement == expected and remarks.fault == ""
    notes = remarks.steps[1]["notes"]
    assert (notes == ["other data: not the right answer"]) == (kind == "by heart")


@pytest.fixture
def built(tmp_path):
    return site(tmp_path)


ROSTER = """student,name,email,canvas_id,sis_id,login,section
ada,Ada Lovelace,ada@example.org,771,S1,alovelace,A
emmy,Emmy Noether,emmy@example.org,772,S2,enoether,A
srinivasa,Śrinivasa Aiyangar Ramanujan,,773,S3,sramanujan,B
"""


def filled(folder, build):
    """A course with a roster and what two platforms gave."""
    course.create(folder, build)
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    half = answered(RIGHT | {"one-table": "table = values = ..."})
    solved = answered(RIGHT)
    moodle = {
        "Ada Lovelace_1001_assignsubmission_file_/one.ipynb": solved,
        "Śrinivasa Aiyangar Ramanujan_1002_assignsubmission_file_one (2).ipynb": half,
        "Carl Gauss_1003_assignsubmission_file_one.ipynb": solved,
    }
    put_into_inbox(folder, "moodle.zip", moodle)
    put_into_inbox(
        folder, "canvas.zip", {"noetheremmy_LATE_772_9001_one-1.ipynb": solved}
    )


def taken(folder):
    return list(collect(folder))


def test_three_students_from_two_platforms_to_files_that_these_import(
    built, tmp_path, wall
):
    """A lab alone holds its data and no other; a second run changes nothing."""
    folder = tmp_path / "course"
    filled(folder, built)
    assert taken(folder) == [
        "moodle.zip, Carl Gauss_1003_assignsubmission_file_one.ipynb: nobody of the roster",
        "3 new files, 1 not understood",
    ]
    assert list(course.release(folder, [])) == ["release/one.zip", "release/labs.zip"]
    with zipfile.ZipFile(folder / "release" / "one.zip") as packed:
        names = set(packed.namelist())
    assert {
        "README.md",
        "exercises/labs/one.ipynb",
        "calibration-book/data/zoo/b.npz",
    } <= names
    assert not any("/other." in name for name in names)
    before = contents(folder, ".")
    course.create(folder, built)
    list(course.release(folder, []))
    assert taken(folder)[-1].startswith("0 new files")
    assert contents(folder, ".") == before
    assert list(grade.grade(folder, [], "", "", False)) == [
        "wall: bubblewrap", "one: ada 12", "one: emmy 12", "one: srinivasa 8",
    ]  # fmt: skip
    (folder / "marks.csv").write_text(
        "student,lab,points,comment\nada,one,3,says how one knows\n"
    )
    written = {path.stem: list(csv.reader(io.StringIO(path.read_text("utf-8"))))
               for path in export(folder)}  # fmt: skip
    assert written["canvas"] == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "one"],
        ["Points Possible", "", "", "", "", "16"],
        ["Lovelace, Ada", "771", "S1", "alovelace", "A", "15"],
        ["Noether, Emmy", "772", "S2", "enoether", "A", "10.8"],
        ["Ramanujan, Śrinivasa Aiyangar", "773", "S3", "sramanujan", "B", "8"],
    ]
    assert [row[-1] for row in written["moodle"]] == ["one", "15", "10.8", "8"]
    assert written["moodle"][0][:4] == [
        "First name",
        "Last name",
        "ID number",
        "Email address",
    ]
    feedback = (folder / "feedback" / "srinivasa.md").read_text("utf-8")
    assert "one-table: 0 points" in feedback and "not filled in" in feedback
    for test in judge.HIDDEN.values():
        assert not any(
            line.strip() in feedback for line in test.splitlines() if "assert" in line
        )
    assert "hidden" not in feedback and "secret" not in feedback


def spoil_solution(folder, monkeypatch):
    path = folder / "keys" / "one.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(new_code_cell("1 / 0"))
    nbformat.write(notebook, path)


def fill_disk(folder, monkeypatch):
    def run(self, *arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Wall, "run", run)


def fail_at_judging(folder, monkeypatch):
    def step_credits(solved, replies):
        raise KeyError("odd")

    monkeypatch.setattr(judge, "step_credits", step_credits)


NOBODY_GRADED = "not graded: one of ada, one of emmy, one of srinivasa"
BLAMED = {  # the line of the first student, and what ends the command
    spoil_solution: (
        "one: ada not graded, the solution fails: ZeroDivisionError: division by zero",
        NOBODY_GRADED,
    ),
    fill_disk: (None, "no submission can be run: .*No space left on device"),
    fail_at_judging: (
        "one: ada not graded, its answers cannot be judged: KeyError: 'odd'",
        NOBODY_GRADED,
    ),
}


@pytest.mark.parametrize("spoil", BLAMED)
def test_what_is_not_graded_is_blamed_on_what_failed_and_ends_with_a_fault(
    spoil, built, tmp_path, wall, monkeypatch
):
    folder = tmp_path / "course"
    filled(folder, built)
    taken(folder)
    monkeypatch.setattr(grade, "choose_wall", lambda *_: wall)
    spoil(folder, monkeypatch)
    line, end = BLAMED[spoil]
    lines = []
    with pytest.raises(tables.CourseError, match=end):
        for told in grade.grade(folder, [], "", "", False):
            lines.append(told)
    assert lines[1:2] == ([line] if line else [])
    assert not (folder / "grades").exists()


def test_a_later_cell_that_changes_an_array_in_place_changes_no_step_before_it(support):
    notebook = teachers()
    notebook.cells.append(new_code_cell("values += 1"))
    solved = judge.SolvedLab(judge.steps(notebook), "7")
    solved.steps.append(judge.Step(label="last", cells=[solved.steps[-1].cells.pop()]))
    with judge.as_student(support, SEED):
        solved.work()
    *_, before, after = (step.space for step in solved.steps)
    assert np.array_equal(before["values"] + 1, after["values"])


def test_days_late_cost_what_the_rule_says_and_no_more_than_it_allows(tmp_path):
    """Times in the platforms' zip files are those of the download: they cost nothing."""
    rules = tables.Rules("Course", 4, 0, per_day=10, at_most=25, due={"one": None})
    ada = [tables.Person("ada", "Ada Lovelace")]
    (tmp_path / "grades" / "one").mkdir(parents=True)
    for late, days, total in (("", "", 4), ("-late", "", 3.6), ("-late", "0", 4), ("", "2", 3.2),
                              ("", "9", 3)):  # fmt: skip
        hand_in = {
            "submission": f"20270131T120000-0{late}.ipynb",
            "steps": [{"credit": 1}],
        }
        (tmp_path / "grades/one/ada.json").write_text(json.dumps(hand_in))
        (tmp_path / "marks.csv").write_text(
            f"{tables.MARKS}ada,one,,{days},a comment, with a comma\n"
        )
        by_hand = tables.marks(tmp_path, ada, ["one"])
        assert grade.score_of(tmp_path, "ada", "one", rules, by_hand).total == total


BROKEN = {
    "due: {one: soon}": "due of one is 'soon'",
    "due: {one: 3}": "due of one is 3",
    "due:": "due names no lab",
    "step: many": "step is 'many', expected a number",
    "step: -1": "step is -1, expected a number from 0",
    "step: .nan": "step is nan, expected",
    "late: [1]": "per_day is None, expected",
    "title: [": "course.yml, line",
}


def test_what_a_teacher_can_mend_is_named(built, tmp_path):
    with pytest.raises(tables.CourseError, match="name a folder elsewhere"):
        course.create(built / "course", built)
    with pytest.raises(tables.CourseError, match="make book"):
        course.create(tmp_path / "course", tmp_path / "empty")
    folder = tmp_path / "course"
    course.create(folder, built)
    with pytest.raises(tables.CourseError, match="names nobody"):
        list(course.release(folder, []))
    for text, fault in {
        "student,name\nada b,Ada\n": "line 2: student is 'ada b'",
        "student,name\nada,Ada\nADA,Ada\n": "line 3: student is 'ADA', as in line 2",
        "students,name\nada,Ada\n": "no column is called student",
    }.items():
        (folder / "roster.csv").write_text(text)
        with pytest.raises(tables.CourseError, match=fault):
            tables.roster(folder)
    settings = (folder / "course.yml").read_text()
    for line, fault in BROKEN.items():
        name = line.partition(":")[0]
        kept = [
            one for one in settings.splitlines() if not one.startswith((name, "  one"))
        ]
        (folder / "course.yml").write_text("\n".join([*kept, line]))
        with pytest.raises(tables.CourseError, match=fault):
            tables.load_rules(folder)
    for text in ("", "- a", "title: x"):
        (folder / "course.yml").write_text(text)
        with pytest.raises(tables.CourseError, match="is missing"):
            tables.load_rules(folder)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_roster_is_read_as_spreadsheets_write_it(encoding, mark, tmp_path):
    text = "student,name,email\nzoe,Zoë Müller,\n".replace(",", mark)
    (tmp_path / "roster.csv").write_bytes(text.encode(encoding))
    assert tables.roster(tmp_path) == [tables.Person("zoe", "Zoë Müller")]


def test_marks_that_are_none_are_named_and_left_out(tmp_path):
    lines = ["ada,one,nan,", "ada,one,-3,", "ada,one,inf,", "ada,one,2,-1", "bob,one,2,",
             "ada,two,2,", "ada,one,3,0", "ada,one,4,"]  # fmt: skip
    (tmp_path / "marks.csv").write_text("\n".join(["student,lab,points,days", *lines]))
    marks = tables.marks(tmp_path, [tables.Person("ada", "Ada")], ["one"])
    assert marks.by_lab == {("ada", "one"): tables.Mark(3.0, 0, "")}
    reasons = [
        *("points is 'nan'", "points is '-3'", "points is 'inf'", "days is '-1'"),
        *("'bob', nobody", "'two', none of", "has points for one above"),
    ]
    assert len(marks.faults) == 7
    for line, reason in zip(marks.faults, reasons, strict=True):
        assert reason in line and re.match(r"marks.csv, line \d, left out: ", line)


def test_what_is_handed_in_chooses_no_folder():
    for page in ("labs/../../keys", "/etc", 3, None, "labs/other"):
        content = json.dumps({"metadata": {"calibration": {"page": page}}}).encode()
        assert lab_of("x.ipynb", content, ["one"]) is None
    assert lab_of("one (2).ipynb", b"no notebook", ["one"]) == "one"
    assert lab_of("a.npz", b"", ["one"]) is None


EVE = "Eve Adams_8_assignsubmission_file_"
BOB = "Bob Brown_9_assignsubmission_file_"
CLASS = [
    tables.Person("eve", "Eve Adams", canvas_id="8"),
    tables.Person("bob", "Bob Brown", canvas_id="9"),
    tables.Person("zoe", "Zoë van der Berg"),
    tables.Person("kim1", "Kim Lee"),
    tables.Person("kim2", "Kim Lee"),
]
MEMBERS = {  # of a zip: whose, and the file's own name
    f"{EVE}/one.ipynb": ("eve", "one.ipynb"),
    f"{EVE}one.ipynb": ("eve", "one.ipynb"),
    f"{EVE}/{BOB}/one.ipynb": ("eve", "one.ipynb"),
    f"{EVE}{BOB}one.ipynb": ("eve", f"{BOB}one.ipynb"),
    f"{EVE}/my work/week 2/one.ipynb": ("eve", "one.ipynb"),
    f"{EVE}/brownbob_9_1_one.ipynb": ("eve", "brownbob_9_1_one.ipynb"),
    f"all/{EVE}/one.ipynb": ("eve", "one.ipynb"),
    f"{EVE}\\{BOB}\\one.ipynb": ("eve", "one.ipynb"),
    "brownbob_9_1_one.ipynb": ("bob", "one.ipynb"),
    "brownbob_LATE_9_1_eveadams_8_1_one.ipynb": ("bob", "eveadams_8_1_one.ipynb"),
    "vanderbergzoe_77_1_one.ipynb": ("zoe", "one.ipynb"),
    "Zoe\u0308 VAN der Berg_3_assignsubmission_file_/one.ipynb": ("zoe", "one.ipynb"),
}


def test_a_hand_in_belongs_to_the_first_folder_that_the_platform_made():
    for member, expected in MEMBERS.items():
        submission = hand_in_of_member(member)
        assert (person_of(submission, CLASS).student, submission.file) == expected, (
            member
        )
    assert (
        hand_in_of_member("one.ipynb") is None
        and hand_in_of_member("brownbob_9_1_x/one.ipynb") is None
    )
    with pytest.raises(LookupError, match="kim1 and kim2 have this name"):
        person_of(
            hand_in_of_member("Kim Lee_3_assignsubmission_file_/one.ipynb"), CLASS
        )
    with pytest.raises(LookupError, match="nobody of the roster"):
        person_of(
            hand_in_of_member("Ann Other_3_assignsubmission_file_/one.ipynb"), CLASS
        )


def test_a_number_of_canvas_that_is_not_the_rosters_is_nobodys_work():
    """Two people may have one name: the number says which."""
    other = hand_in_of_member("brownbob_10_1_one.ipynb")
    with pytest.raises(LookupError, match="bob has canvas_id 9, not 10"):
        person_of(other, CLASS)
    assert (
        person_of(
            hand_in_of_member("leekim_6_1_one.ipynb"),
            [
                tables.Person("kim1", "Kim Lee", canvas_id="5"),
                tables.Person("kim2", "Kim Lee"),
            ],
        ).student
        == "kim2"
    )


def test_what_lies_in_the_inbox_and_is_no_zip_is_named(built, tmp_path):
    """A browser may unpack what it loads."""
    folder = tmp_path / "course"
    course.create(folder, built)
    (folder / "roster.csv").write_text("student,name\nbob,Bob Brown\n")
    put_into_inbox(folder, "1.ZIP", {f"{BOB}/one.ipynb": answered({})})
    (folder / "inbox" / BOB).mkdir()
    (folder / "inbox" / BOB / "one.ipynb").write_bytes(b"{}")
    (folder / "inbox" / "one.ipynb").write_bytes(b"{}")
    (folder / "inbox" / ".DS_Store").write_bytes(b"")
    assert taken(folder) == [
        f"{BOB}: no zip file; put in what the platform gave, not unpacked",
        "one.ipynb: no zip file; put in what the platform gave, not unpacked",
        "1 new files, 2 not understood",
    ]


def test_an_empty_file_is_named_and_what_came_before_counts(built, tmp_path):
    folder = tmp_path / "course"
    course.create(folder, built)
    (folder / "roster.csv").write_text("student,name\nbob,Bob Brown\n")
    put_into_inbox(folder, "1.zip", {f"{BOB}/one.ipynb": answered({})})
    put_into_inbox(folder, "2.zip", {f"{BOB}/one.ipynb": b""})
    assert taken(folder) == [
        f"2.zip, {BOB}/one.ipynb: is empty",
        "1 new files, 1 not understood",
    ]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_notebook_that_another_editor_saved_is_read(encoding, tmp_path):
    path = tmp_path / "one.ipynb"
    text = nbformat.writes(answered(RIGHT))
    path.write_text(text, encoding="utf-8")
    plain = code_cells(path)
    path.write_text(text, encoding=encoding)
    assert code_cells(path) == plain and len(plain) > 3


def damaged(notebook):
    """A zip whose only member cannot be read to its end."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(f"{EVE}/one.ipynb", nbformat.writes(notebook))
    broken = bytearray(content.getvalue())
    broken[90:200] = bytes(110)
    return bytes(broken)


def test_a_zip_that_is_damaged_or_without_dates_keeps_no_other_from_being_taken(
    built, tmp_path
):
    folder = tmp_path / "course"
    course.create(folder, built)
    (folder / "roster.csv").write_text("student,name\neve,Eve Adams\nbob,Bob Brown\n")
    inbox, notebook = folder / "inbox", nbformat.writes(answered({})).encode()
    (inbox / "1.zip").write_bytes(damaged(answered({})))
    (inbox / "2.zip").write_bytes(b"no zip")
    dateless = zipfile.ZipInfo(f"{EVE}/one.ipynb")
    with zipfile.ZipFile(inbox / "3.zip", "w") as packed:
        packed.writestr(dateless, notebook)
    bare = bytearray((inbox / "3.zip").read_bytes())
    for header, skipped in ((b"PK\3\4", 10), (b"PK\1\2", 12)):
        at = bare.index(header) + skipped
        bare[at : at + 4] = bytes(4)
    (inbox / "3.zip").write_bytes(bytes(bare))
    put_into_inbox(
        folder, "4.zip", {f"{BOB}/one.ipynb": answered({}), f"{BOB}/photo.jpg": b"x"}
    )
    lines = taken(folder)
    assert [line.split(":")[0] for line in lines[:3]] == [
        f"1.zip, {EVE}/one.ipynb", "2.zip", f"4.zip, {BOB}/photo.jpg",
    ]  # fmt: skip
    assert "cannot be read" in lines[0] and "cannot be read" in lines[1]
    assert lines[-1] == "2 new files, 3 not understood"
    assert place.latest_hand_in(folder, "eve", "one").name.startswith(
        "19800101T000000-"
    )


def test_archives_that_stay_in_the_inbox_are_new_once(built, tmp_path):
    """Two versions of one lab in two archives: read again, neither is new and the last counts."""
    folder = tmp_path / "course"
    course.create(folder, built)
    (folder / "roster.csv").write_text("student,name\nbob,Bob Brown\n")
    for number, (name, day) in enumerate([("1.zip", 20), ("2.zip", 21)]):
        with zipfile.ZipFile(folder / "inbox" / name, "w") as packed:
            member = zipfile.ZipInfo(f"{BOB}/one.ipynb", (2027, 1, day, 12, 0, 0))
            packed.writestr(member, nbformat.writes(answered({"one": str(number)})))
    assert taken(folder)[-1] == "2 new files, 0 not understood"
    last = place.latest_hand_in(folder, "bob", "one")
    assert taken(folder)[-1] == "0 new files, 0 not understood"
    assert (
        place.latest_hand_in(folder, "bob", "one") == last and "20270121" in last.name
    )


def one_second(folder, name, members):
    """A zip whose members have one time, as the platforms write it: that of the download."""
    notebooks = {member: answered({}, text) for member, text in members.items()}
    put_into_inbox(folder, name, notebooks)


@pytest.mark.parametrize("texts", [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")])
def test_of_two_files_of_one_second_the_platforms_last_counts_and_is_named(
    texts, built, tmp_path
):
    """Canvas numbers uploads; Moodle's lie in their order; a later archive comes later."""
    folder = tmp_path / "course"
    course.create(folder, built)
    (folder / "roster.csv").write_text(
        "student,name,canvas_id\nbob,Bob Brown,7\neve,Eve Adams,8\nada,Ada Low,9\n"
    )
    first, second = texts
    # the later upload stands first in the archive
    canvas = {"brownbob_7_12_one-1.ipynb": second, "brownbob_7_11_one.ipynb": first}
    one_second(folder, "1.zip", canvas)
    eve = "Eve Adams_2_assignsubmission_file_"
    one_second(folder, "2.zip", {f"{eve}/z.ipynb": first, f"{eve}/a.ipynb": second})
    ada = "Ada Low_3_assignsubmission_file_"
    one_second(folder, "3.zip", {f"{ada}/one.ipynb": first})
    one_second(folder, "4.zip", {f"{ada}/one.ipynb": second})
    lines = taken(folder)
    for student, line in zip(("bob", "eve", "ada"), lines, strict=False):
        last = place.latest_hand_in(folder, student, "one")
        assert nbformat.read(last, 4).cells[2].source == second, student
        assert line == f"{student}: 2 new files for one, the last counts: {last.name}"
    assert lines[3:] == ["6 new files, 0 not understood"]
    assert taken(folder) == ["0 new files, 0 not understood"]


def test_nothing_that_a_student_writes_is_run_by_a_spreadsheet_or_a_page():
    for text in ('=HYPERLINK("http://x")', "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"):
        assert without_formula(text) == f"'{text}"
    assert without_formula("Ada") == "Ada"
    assert grade.escaped("<img src=x onerror=alert(1)> [a](javascript:b) `c`\n# d") == (
        r"&lt;img src=x onerror=alert(1)&gt; \[a\](javascript:b) \`c\` # d"
    )


def seed_of(text, folder, monkeypatch):
    """What a notebook draws by where a text was typed as the name."""
    monkeypatch.setenv("CALIB_STUDENT", text)
    monkeypatch.setenv("CALIB_DATA", str(folder / "data"))
    return labs.seed_text()


def test_numbers_are_those_of_the_roster_however_a_name_is_typed(tmp_path, monkeypatch):
    """A tail of dots once made Eve's numbers Bob's."""
    (tmp_path / "data" / "published").mkdir(parents=True)
    monkeypatch.delenv("CALIB_SEED", raising=False)
    # who learns alone: everybody's
    assert seed_of("Eve Adams", tmp_path, monkeypatch) == ""
    table, unclear = course.seeds_of_names(CLASS, "7")
    assert len(unclear) == 2 and "'kim1' is what to type" in unclear[0]
    (tmp_path / "students.json").write_bytes(table)
    eve, bob, *_ = (person.seed("7") for person in CLASS)
    tail = "eve.-.----.--.-...--.-...-..----..................................."
    assert zlib.crc32(tail.encode()) == zlib.crc32(b"bob")
    for typed in ("eve", "Eve Adams", "adams eve", "EVE", tail, " eve-adams "):
        assert seed_of(typed, tmp_path, monkeypatch) == eve != bob, typed
    assert len({person.seed("7") for person in CLASS}) == len(CLASS)
    assert eve != CLASS[0].seed("8")
    for typed in ("", "Kim Lee", "mallory", "..."):
        with pytest.raises(ValueError, match="nobody of your class is called"):
            seed_of(typed, tmp_path, monkeypatch)
    assert seed_of("kim1", tmp_path, monkeypatch) == CLASS[3].seed("7")
    monkeypatch.setenv("CALIB_SEED", "ab")
    assert seed_of("eve", tmp_path, monkeypatch) == "ab" and labs.own_seed() == 0xAB


def test_two_students_whose_names_have_the_same_letters_are_two(tmp_path, monkeypatch):
    (tmp_path / "data" / "published").mkdir(parents=True)
    monkeypatch.delenv("CALIB_SEED", raising=False)
    class_list = [
        tables.Person("ada.b", "Ada Boole"),
        tables.Person("adab", "Adab Smith"),
    ]
    (tmp_path / "students.json").write_bytes(course.seeds_of_names(class_list, "7")[0])
    for person in class_list:
        assert seed_of(person.student, tmp_path, monkeypatch) == person.seed("7")


def test_a_notebook_of_another_name_is_remarked_upon(tmp_path):
    path = tmp_path / "one.ipynb"
    for typed, is_hers in (("Eve Adams", True), ("adams eve", True), ("eve", True), ("bob", False),
                         ("everybody", False)):  # fmt: skip
        path.write_text(json.dumps([f"data of {typed}\n"]))
        assert (grade.remark_on_name(path, CLASS[0], CLASS) == "") == is_hers
    path.write_text("{}")
    assert grade.remark_on_name(path, CLASS[0], CLASS) == ""


def whole_run(folder, build):
    course.create(folder, build)
    list(course.release(folder, []))
    taken(folder)
    list(grade.grade(folder, [], "", "", True))  # what kills it is no submission
    list(export(folder))


def test_a_course_that_is_killed_at_ten_moments_loses_nothing(
    built, tmp_path, monkeypatch
):
    start, done, write = tmp_path / "start", tmp_path / "done", place.write_whole
    filled(start, built)
    shutil.copytree(start, done)
    marks, judge_anew = {}, grade.judge

    def judged(*given):  # the same bytes get the same marks
        key = given[1].read_bytes(), *given[3:5]
        if key not in marks:
            marks[key] = judge_anew(*given)
        return marks[key]

    monkeypatch.setattr(grade, "judge", judged)
    written = []
    monkeypatch.setattr(
        place, "write_whole", lambda p, c: written.append(p) or write(p, c)
    )
    whole_run(done, built)
    monkeypatch.setattr(place, "write_whole", write)
    late = [i for i, path in enumerate(written) if "submissions" in str(path)]
    assert len(written) >= 10 and late
    for moment in [late[0], *range(late[-1], len(written)), 0, 0, 0][:10]:
        folder = tmp_path / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, folder)
        child = os.fork()
        if child == 0:
            count = iter(range(moment, -1, -1))

            def dying(path, content, count=count):
                if next(count) == 0:
                    path.with_name(".half.part").write_bytes(
                        content[: len(content) // 2]
                    )
                    os._exit(9)
                write(path, content)

            place.write_whole = dying
            with suppress(BaseException):
                whole_run(folder, built)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        before = contents(folder, "submissions", "roster.csv", "secret.txt")
        whole_run(folder, built)
        after = contents(folder, ".")
        assert after == contents(done, ".") and before.items() <= after.items()
        assert contents(start, "roster.csv", "secret.txt").items() <= after.items()


@pytest.fixture(scope="module")
def labs_of_a_course(tmp_path_factory):
    """What the students of a course have of all labs, without checks: the site's archive."""
    skip_unless(
        (SITE / "_static/exercises.zip").is_file(), "the site is not built: make book"
    )
    folder = tmp_path_factory.mktemp("labs")
    pages = [f"labs/{lab}" for lab in LABS]
    site_files = course._unpacked(SITE / "_static" / "exercises.zip")
    for name, content in course.part_of_archive(site_files, pages).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder / "calibration-book"


def lab_notebooks(lab):
    return [nbformat.read(HANDOUTS / reader / "labs" / f"{lab}.ipynb", as_version=4)
            for reader in ("student", "teacher")]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_a_solved_lab_has_all_marks_an_empty_one_none(
    lab, labs_of_a_course, tmp_path, wall
):
    student, teacher = lab_notebooks(lab)
    for notebook, credit in ((try_handouts.solved(student, teacher), 1), (student, 0)):
        nbformat.write(notebook, tmp_path / "lab.ipynb")
        judgement = judge.judge(
            teacher, tmp_path / "lab.ipynb", labs_of_a_course, SEED, "7", wall
        )
        assert [step["credit"] for step in judgement.steps] == [credit] * 4, judgement
        assert judgement.fault == ""


# One cell that earns what checks give away: it evaluates the side of each comparison that is not
# an answer, and puts it where the answer belongs; a function gives what it was asked for.
SOLVER = """
import ast, json, os
from pathlib import Path
kept = json.loads((Path(os.environ["CALIB_DATA"]).parent / "checks.json").read_text())
memory = {}
def sides(test):
    if isinstance(test, ast.Call) and getattr(test.func, "attr", "") in (
        "isclose", "allclose", "array_equal"):
        return test.args[:2]
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.Is)):
        return [test.left, test.comparators[0]]
    return []
def value(node):
    return eval(compile(ast.Expression(node), "", "eval"), globals())
def learn(answer, right):
    if isinstance(answer, (ast.List, ast.Tuple)):
        for one, item in zip(answer.elts, value(right)):
            learn(one, ast.Constant(item))
    if isinstance(answer, ast.Name) and answer.id in OPENED:
        globals()[answer.id] = value(right)
    if isinstance(answer, ast.Subscript) and getattr(answer.value, "id", "") in OPENED:
        table = globals()[answer.value.id]
        table = table if isinstance(table, dict) else {}
        globals()[answer.value.id] = table | {value(answer.slice): value(right)}
    if isinstance(answer, ast.Call) and getattr(answer.func, "id", "") in OPENED:
        name = answer.func.id
        asked = repr([value(one) for one in answer.args])
        memory.setdefault(name, {})[asked] = value(right)
        globals()[name] = lambda *a, _of=name: memory[_of].get(repr([*a]))
def attack(statements):
    for node in statements:
        try:
            if isinstance(node, ast.For):
                for item in value(node.iter):
                    globals()["_item"] = item
                    exec(f"{ast.unparse(node.target)} = _item", globals())
                    attack(node.body)
            elif isinstance(node, ast.Assert):
                pair = sides(node.test)
                for answer, right in (pair, pair[::-1]) if pair else ():
                    learn(answer, right)
            else:
                exec(ast.unparse(node), globals())
        except Exception:
            pass
for LABEL, OPENED in LABELS.items():
    tree = ast.parse(kept[LABEL])
    attack(next(node for node in tree.body if isinstance(node, ast.With)).body)
"""


def points_of_the_solver(lab, support, tmp_path, wall):
    """The points of 16 that an empty notebook of a lab has with this one cell at its end."""
    student, teacher = lab_notebooks(lab)
    labels = {step.label: step.names for step in judge.steps(teacher)[1:]}
    cell = new_code_cell(f"LABELS = {labels!r}\n{SOLVER}")
    student.cells.append(cell)
    nbformat.write(student, tmp_path / "lab.ipynb")
    judgement = judge.judge(teacher, tmp_path / "lab.ipynb", support, SEED, "7", wall)
    assert judgement.fault == ""
    return sum(4 * step["credit"] for step in judgement.steps)


@pytest.mark.slow
def test_one_cell_that_evaluates_the_checks_earns_next_to_nothing(
    labs_of_a_course, tmp_path, wall
):
    """Checks in clear, as they once were, gave it more than half of all points."""
    clear = tmp_path / "clear" / "calibration-book"
    shutil.copytree(labs_of_a_course, clear)
    for path in labs_of_a_course.parent.glob("*.whl"):
        shutil.copy(path, clear.parent)
    checks = {}
    for lab in LABS:
        _, teacher = lab_notebooks(lab)
        checks |= {step.label: step.check for step in judge.steps(teacher)[1:]}
    (clear / "checks.json").write_text(json.dumps(checks))
    before = [points_of_the_solver(lab, clear, tmp_path, wall) for lab in LABS]
    after = [
        points_of_the_solver(lab, labs_of_a_course, tmp_path, wall) for lab in LABS
    ]
    print(
        f"of {16 * len(LABS)} points: before {sum(before):.1f}, after {sum(after):.1f}"
    )
    assert sum(before) > 80 and sum(after) < 8, (before, after)


def other_types(value):
    """A value in each other plain type that some student may write it in."""
    if isinstance(value, bool | np.bool_):
        return [np.bool_(value), bool(value), int(value)]
    if isinstance(value, int | float | np.number):
        whole = [int(value)] if value % 1 == 0 else []
        return [float(value), np.float64(value), np.array(value), *whole]
    if isinstance(value, set | frozenset):
        return [
            set(value),
            frozenset(value),
            sorted(value),
            {float(item) for item in value},
        ]
    if isinstance(value, dict) or hasattr(value, "to_dict"):
        items = dict(value)
        return [
            items,
            pd.Series(items),
            {key: np.array(item) for key, item in items.items()},
        ]
    if isinstance(value, list | tuple | np.ndarray):
        return [
            list(value),
            tuple(value),
            pd.Series(value) if np.ndim(value) == 1 else np.array(value),
            dict(enumerate(value)),
        ]
    return [value]


class Answers:
    """The replies of a submission that answers as the solution does, but for some values."""

    def __init__(self, solved, changed):
        self.solved, self.changed = solved, changed

    def value(self, name):
        step = next(step for step in self.solved.steps if name in step.names)
        value = self.changed.get(name, step.space[name])
        return (
            value
            if callable(value)
            else value_of_pair(json.loads(json.dumps(plain_value(value))))
        )


def replies_of(solved, space):
    """What a submission replies whose names hold these values, without a wall."""
    questions = list(solved.questions)
    lines = [answer_line(value_of, space, name, {}) for name in solved.names]
    lines += [answer_line(call_function, space, *pickle.loads(q)) for q in questions]
    return Replies(lines, solved.names, questions, "")


@pytest.mark.parametrize(
    "written",
    [list, tuple, np.array, pd.Series, pd.Index, lambda v: pd.Series(v, dtype=object)],
    ids=["list", "tuple", "array", "Series", "Index", "objects"],
)
def test_a_sequence_is_judged_alike_on_the_page_in_the_hand_out_and_in_the_marks(
    written,
):
    check_source = """\
with check("ex"):
    assert np.allclose(means, [0.5, 0.25])
    assert np.array_equal(counts, [3, 0])
    assert np.allclose(halves([2, 4]), [1, 2])
    assert np.array_equal(signs([2, -4]), [1, -1])
"""
    source = """\
means, counts = np.array([0.5, 0.25]), np.array([3, 0])
def halves(x): return np.array(x) / 2
def signs(x): return np.sign(x)
"""
    names = ["means", "counts", "halves", "signs"]
    step = judge.Step("ex", [source], names, check_source)
    solved = judge.SolvedLab([judge.Step(), step], "7")
    solved.work()
    solved.ask()
    solution = step.space
    seals = {"ex": recorded_seals("ex", check_source, names, solution)}
    right = {
        "means": written([0.5, 0.25]),
        "counts": written([3.0, -0.0]),
        "halves": lambda x: written(solution["halves"](x)),
        "signs": lambda x: written(solution["signs"](x)),
    }
    wrong = {
        "means": written([0.25, 0.5]),
        "counts": written([0, 3]),
        "halves": lambda x: written(np.array(x) / 3),
        "signs": lambda x: written([1, 1]),
    }
    assert printed_by(check_source, solution | right | {"check": check}) == "right"
    assert by_seals(step, right, seals)
    (judged,) = judge.step_credits(solved, replies_of(solved, right))
    assert judged["credit"] == 1, judged
    for name in names:
        one = right | {name: wrong[name]}
        assert printed_by(check_source, solution | one | {"check": check}) != "right"
        assert not by_seals(step, one, seals)
        (judged,) = judge.step_credits(solved, replies_of(solved, one))
        assert judged["credit"] == 0.75, judged


def test_a_series_with_names_is_a_dictionary_in_the_marks():
    series = pd.Series({"a": 1.0, "b": 2.0})
    assert value_of_pair(plain_value(series)) == {"a": 1.0, "b": 2.0}
    # names that are equal to 0 and 1
    flags = pd.Series([0.5, 0.25], index=[False, True])
    assert value_of_pair(plain_value(flags)) == {False: 0.5, True: 0.25}
    assert plain_value(pd.DataFrame({"a": [1]}))[0] == "dict"


@pytest.mark.slow
@pytest.mark.parametrize("lab", LABS)
def test_a_right_answer_of_another_type_keeps_its_marks_and_costs_no_later_step(
    lab, labs_of_a_course
):
    """And what the check of students says of it, which holds seals, is what the teacher's says."""
    _, teacher = lab_notebooks(lab)
    solved = judge.SolvedLab(judge.steps(teacher), "7")
    with judge.as_student(labs_of_a_course, SEED):
        solved.work()
        seals = course.seals_of(teacher, labs_of_a_course, SEED)
        accepted = []
        for step in solved.steps[1:]:
            for name in {*step.names} - {*step.functions}:
                solution = step.space[name]
                for value in [*other_types(solution), *wrong_values(solution)]:
                    verdict = printed_by(
                        step.check, step.space | {name: value, "check": check}
                    )
                    assert (verdict == "right") == by_seals(
                        step, {name: value}, seals
                    ), (
                        name,
                        value,
                    )
                    accepted += [{name: value}] * (verdict == "right")
        by_place = [
            dict(kv for kind in accepted[i:] for kv in kind.items()) for i in (0, 1, 2)
        ]
        for changed in by_place:
            credits = [
                step["credit"]
                for step in judge.step_credits(solved, Answers(solved, changed))
            ]
            assert credits == [1] * 4, changed


def by_seals(step, changed, seals):
    """Whether the check that students hold accepts an answer."""
    return (
        outcome_by_seals(
            step.check, step.names, step.space | changed, seals[step.label]
        )
        == "right"
    )


CHAPTERS = ROOT / "chapters"
REFERENCES = re.compile(r"\{ref\}`([\w-]+)`")
ANCHORS = re.compile(r"^\(([^)]+)\)=", re.MULTILINE)


@pytest.fixture(scope="module")
def plans():
    return yaml.safe_load(minutes.PLANS.read_text("utf-8"))


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
        counts[name] = minutes.count(notebook if notebook.is_file() else path)
    env = types.SimpleNamespace(minutes=counts, docname="", metadata={"": {}})
    return lambda table: minutes.counted(table, env).splitlines()


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
    weeks = minutes.week_of(plans) if plan == "week" else plans["weeks"]
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


@pytest.mark.parametrize(
    ("typed", "day"),
    [("2027-01-31", "2027-01-31"), ("2027-01-31 12:00", "2027-01-31 12:00:00")],
)
def test_a_date_may_have_a_time_to_the_minute(typed, day):
    read = yaml.safe_load(f"due: {{one: {typed}}}")
    assert str(tables._dates(read["due"])["one"]) == day


def test_a_student_named_twice_is_named_with_both_lines(tmp_path):
    (tmp_path / "roster.csv").write_text("student,name\nada,Ada\nbo,Bo\nAda,Ada L\n")
    with pytest.raises(
        tables.CourseError, match=r"line 4: student is 'Ada', as in line 2"
    ):
        tables.roster(tmp_path)


@pytest.mark.parametrize("column", ["email", "canvas_id", "sis_id", "login"])
def test_two_students_by_one_mark_of_a_platform_are_named(column, tmp_path):
    """Else the first of them would have the work of both, or the points."""
    table = f"student,name,{column}\nada,Ada,\nbo,Bo,\ncy,Cy,x1\ndi,Di,X1\n"
    (tmp_path / "roster.csv").write_text(table)
    expected = f"line 5: {column} is 'X1', as in line 4, expected it once"
    with pytest.raises(tables.CourseError, match=expected):
        tables.roster(tmp_path)


@pytest.mark.parametrize("command", ["release", "collect", "grade", "export"])
def test_a_folder_that_is_no_course_is_named_before_anything_else(
    tmp_path, capsys, command
):
    from teaching.__main__ import main

    assert main([command, str(tmp_path / "cours")]) == 1
    said_there = capsys.readouterr().err
    assert (
        "cours: no course, it has no course.yml" in said_there
        and "--trust" not in said_there
    )
