"""What a teacher writes: roster, rules and marks, and what is said of mistakes in them."""

import re

import pytest

from teaching import tables

BROKEN = {
    "due: {one: soon}": "due of one is 'soon'",
    "due: {one: 3}": "due of one is 3",
    "due:": "due names no lab",
    "due: {}": "due names no lab",
    "step: many": "step is 'many', expected a number",
    "step: -1": "step is -1, expected a number from 0",
    "step: .nan": "step is nan, expected",
    "late: [1]": "per_day is None, expected",
    "late: {per_day: 10, at_most: 150}": "at_most is 150, expected 100",
    "title: [": "course.yml, line",
}


ROSTERS = {
    "student,name\nada b,Ada\n": "line 2: student is 'ada b'",
    "student,name\nada,Ada\nADA,Ada\n": "line 3: student is 'ADA', as in line 2",
    "students,name\nada,Ada\n": "no column is called student",
}


@pytest.mark.parametrize("text", ROSTERS)
def test_what_is_wrong_in_a_roster_is_named(text, tmp_path):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(tables.CourseError, match=ROSTERS[text]):
        tables.roster(tmp_path)


@pytest.mark.parametrize("line", BROKEN)
def test_what_is_wrong_in_the_rules_is_named(line, tmp_path):
    name = line.partition(":")[0]
    settings = f"{tables.RULES}  one:\n".splitlines()
    kept = [text for text in settings if not text.startswith((name, "  one"))]
    (tmp_path / "course.yml").write_text("\n".join([*kept, line]))
    with pytest.raises(tables.CourseError, match=re.escape(BROKEN[line])):
        tables.load_rules(tmp_path)


@pytest.mark.parametrize("text", ["", "- a", "title: x"])
def test_a_setting_that_is_missing_is_named(text, tmp_path):
    (tmp_path / "course.yml").write_text(text)
    with pytest.raises(tables.CourseError, match="is missing"):
        tables.load_rules(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_roster_is_read_as_spreadsheets_write_it(encoding, separator, tmp_path):
    text = "student,name,email\nzoe,Zoë Müller,\n".replace(",", separator)
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


@pytest.mark.parametrize(
    ("typed", "day"),
    [("2027-01-31", "2027-01-31"), ("2027-01-31 12:00", "2027-01-31 12:00:00")],
)
def test_a_date_may_have_a_time_to_the_minute(typed, day, tmp_path):
    (tmp_path / "course.yml").write_text(f"{tables.RULES}  one: {typed}\n")
    assert str(tables.load_rules(tmp_path).due["one"]) == day


def test_a_student_named_twice_is_named_with_both_lines(tmp_path):
    (tmp_path / "roster.csv").write_text("student,name\nada,Ada\nbo,Bo\nAda,Ada L\n")
    with pytest.raises(
        tables.CourseError, match=r"line 4: student is 'Ada', as in line 2"
    ):
        tables.roster(tmp_path)


@pytest.mark.parametrize("column", ["email", "canvas_id", "sis_id", "login"])
def test_two_students_whom_a_platform_knows_by_one_text_are_named(column, tmp_path):
    """Else the first of them would have the work of both, or the points."""
    table = f"student,name,{column}\nada,Ada,\nbo,Bo,\ncy,Cy,x1\ndi,Di,X1\n"
    (tmp_path / "roster.csv").write_text(table)
    expected = f"line 5: {column} is 'X1', as in line 4, expected it once"
    with pytest.raises(tables.CourseError, match=expected):
        tables.roster(tmp_path)


@pytest.mark.parametrize(("days", "factor"), [(0, 1), (1, 0.9), (3, 0.7), (6, 0.5)])
def test_a_day_costs_its_share_until_the_most_is_lost(days, factor):
    rules = tables.Rules("x", 10, 5, per_day=10, at_most=50, due={"one": None})
    assert rules.late_factor(days) == pytest.approx(factor)
    steps = [{"label": "", "credit": credit, "notes": []} for credit in (1, 0.333)]
    assert rules.points(steps) == 13.33


def test_every_day_counts_where_the_most_is_not_lost_yet():
    rules = tables.Rules("x", 10, 5, per_day=2, at_most=50, due={"one": None})
    assert rules.late_factor(20) == pytest.approx(0.6)


def test_a_full_name_may_begin_with_any_of_its_words():
    names = tables.Person("ada", "Ada King Lovelace").full_names
    assert names == {"adakinglovelace", "kinglovelaceada", "lovelaceadaking"}
    assert tables.Person("ada", "").full_names == set()


def test_labs_are_those_that_are_named_or_all(tmp_path):
    assert tables.labs_of_course([], ["one", "two"]) == ["one", "two"]
    assert tables.labs_of_course(["two"], ["one", "two"]) == ["two"]
    with pytest.raises(tables.CourseError, match=r"^three: no lab of course\.yml$"):
        tables.labs_of_course(["one", "three"], ["one", "two"])


def test_the_line_of_a_fault_in_the_rules_is_counted_from_one(tmp_path):
    (tmp_path / "course.yml").write_text("title: x\nstep: [\n  1 2: 3: 4\n")
    with pytest.raises(tables.CourseError, match=r"course\.yml, line 3: "):
        tables.load_rules(tmp_path)


ADA = tables.Person("ada.b", "Ada King Lovelace", "al@x.org", login="Count")
OTHER = tables.Person("adab", "Adab Smith", login="co-unt")
TYPED = {  # and who may have typed it: letter by letter first, then without dots and spaces
    "ADA.B": [ADA],
    "AdaB": [OTHER],
    "cOUNT": [ADA],
    "CO-UNT": [OTHER],
    "c.ount": [ADA, OTHER],
    "ada-b": [ADA, OTHER],
    "lovelace ada king": [ADA],
    "AL@X.org": [ADA],
    "Ada": [],
}


@pytest.mark.parametrize("typed", TYPED)
def test_a_name_that_is_typed_is_that_of_who_has_it(typed):
    assert tables.people_called(typed, [ADA, OTHER]) == TYPED[typed]


def test_the_last_word_of_a_name_is_the_familys():
    assert (ADA.first, ADA.last) == ("Ada King", "Lovelace")
    one_word = tables.Person("x", "Xenia")
    assert (one_word.first, one_word.last) == ("", "Xenia")
