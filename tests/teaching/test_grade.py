"""Marks and feedback: what is not graded and why, days late, other names, lines that are lines."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from one_class import CLASS, filled, taken
from one_lab import teachers

from teaching import grade, judge, tables
from teaching.folder import digests, write_derived
from teaching.wall import Wall, command_without_wall


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


@pytest.fixture
def grading(tmp_path, monkeypatch):
    """A run over three students, of whom the second has handed in nothing; all is right."""
    for name, content in {
        "course.yml": f"{tables.RULES}  one:\n",
        "roster.csv": "student,name\nada,Ada\nbo,Bo\ncy,Cy\n",
        "secret.txt": "7",
        "keys/one.ipynb": nbformat.writes(teachers()),
        "submissions/ada/one/1.ipynb": "{}",
        "submissions/cy/one/1.ipynb": "{}",
    }.items():
        write_derived(tmp_path / name, content)
    credits = [{"label": "ex", "credit": 1, "notes": []}]
    monkeypatch.setattr(grade, "judge", lambda *_: judge.Judged(credits, ""))
    return grade.Grading.of_folder(tmp_path, Wall("trust", command_without_wall))


def test_each_hand_in_is_graded_once_and_the_next_of_the_same_student_again(grading):
    assert list(grading.grade_lab("one")) == ["one: ada 4", "one: cy 4"]
    assert list(grading.grade_lab("one")) == []
    write_derived(grading.folder / "submissions/cy/one/2.ipynb", "{}")
    again = grade.Grading.of_folder(grading.folder, grading.wall)
    assert list(again.grade_lab("one")) == ["one: cy 4"]
    record = grade.graded_submission(grading.folder, "one", "cy")
    assert record["submission"] == "2.ipynb" and grading.not_graded == []


def test_a_remark_on_the_name_follows_the_notes_of_the_first_step(grading, monkeypatch):
    credits = [{"label": "ex", "credit": 0, "notes": ["mean: too small"]}]
    monkeypatch.setattr(grade, "judge", lambda *_: judge.Judged(credits, "slow"))
    path = grading.folder / "submissions/ada/one/1.ipynb"
    path.write_text(json.dumps(["data of Bo\n"]))
    grading.digests_before = digests(grading.folder)
    assert next(grading.grade_lab("one")) == "one: ada 0, slow"
    (step,) = grade.graded_submission(grading.folder, "one", "ada")["steps"]
    remark = "worked on the data of Bo, graded on ada's"
    assert step["notes"] == ["mean: too small", remark]


def test_after_a_submission_that_changes_the_course_no_other_is_graded(
    grading, monkeypatch
):
    judge_as_before = grade.judge

    def judge_and_change(*given):
        write_derived(grading.folder / "marks.csv", "ada,one,4")
        return judge_as_before(*given)

    monkeypatch.setattr(grade, "judge", judge_and_change)
    with pytest.raises(
        tables.CourseError, match=r"marks\.csv changed while one of ada"
    ):
        list(grading.grade_lab("one"))
    assert grade.graded_submission(grading.folder, "one", "cy") == {}


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
        assert (
            grade.points_of_lab(tmp_path, "ada", "one", rules, by_hand).total == total
        )


def feedback_on(folder, row, rules):
    """What a student reads of a lab of two steps, one of them right."""
    (folder / "grades" / "one").mkdir(parents=True)
    steps = [
        {"label": "ex", "credit": 1, "notes": []},
        {"label": "next", "credit": 0.5, "notes": ["a: 3 is too *small*", "b"]},
    ]
    hand_in = {"submission": "20270131T120000-0.ipynb", "steps": steps}
    (folder / "grades/one/ada.json").write_text(json.dumps(hand_in))
    (folder / "marks.csv").write_text(tables.MARKS + row)
    by_hand = tables.marks(folder, [tables.Person("ada", "Ada Lovelace")], ["one"])
    assert not by_hand.faults
    return grade.feedback_text(folder, "ada", rules, by_hand).splitlines()


def rules_with(discussion=3, due=None):
    return tables.Rules("Course", 4, discussion, 10, at_most=25, due={"one": due})


NOT_MARKED = "- discussion: not marked yet, 3 points at most"
FEEDBACK = {  # a row of marks.csv, the points of the heading, and the lines below the steps
    "": ("6 of 8", [NOT_MARKED]),
    "ada,one,,,": ("6 of 8", [NOT_MARKED]),
    "ada,one,,,soon": ("6 of 8", [f"{NOT_MARKED}. soon"]),
    "ada,one,,1,": ("5.4 of 8", [NOT_MARKED, "- 1 day late"]),
    "ada,one,0,0,": ("6 of 11", ["- discussion: 0 points"]),
    "ada,one,2.5,,": ("8.5 of 11", ["- discussion: 2.5 points"]),
    "ada,one,2,2,well said": (
        "6.4 of 11",
        ["- discussion: 2 points. well said", "- 2 days late"],
    ),
}


@pytest.mark.parametrize("row", FEEDBACK)
def test_a_student_reads_points_of_what_is_marked_and_loses_none_of_what_is_not(
    row, tmp_path
):
    heading, last = FEEDBACK[row]
    assert feedback_on(tmp_path, row, rules_with()) == [
        "# Course: ada",
        "",
        f"## one: {heading}",
        "",
        "- ex: 4 points. right",
        r"- next: 2 points. a: 3 is too \*small\*; b",
        *last,
    ]


def test_a_course_without_points_for_discussions_says_nothing_of_them(tmp_path):
    lines = feedback_on(tmp_path, "", rules_with(discussion=0, due="2027-01-31"))
    assert lines[2] == "## one: 6 of 8, due 2027-01-31"
    assert not any("discussion" in line for line in lines)


def test_who_has_no_points_is_told_nothing(tmp_path):
    text = grade.feedback_text(tmp_path, "ada", rules_with(), tables.Marks())
    assert text == ""


def test_a_notebook_of_another_name_is_remarked_upon(tmp_path):
    path = tmp_path / "one.ipynb"
    for typed, is_hers in (("Eve Adams", True), ("adams eve", True), ("eve", True), ("bob", False),
                         ("everybody", False)):  # fmt: skip
        path.write_text(json.dumps([f"data of {typed}\n"]))
        assert (grade.remark_on_name(path, CLASS[0], CLASS) == "") == is_hers
    path.write_text("{}")
    assert grade.remark_on_name(path, CLASS[0], CLASS) == ""


def test_the_teacher_reads_once_why_cells_failed():
    late = "first: the cell failed: it took more than 60 seconds"
    steps = [{"notes": [late]}, {"notes": [late, "second: not filled in"]}]
    assert grade.failed_cells(steps) == [late]


def test_a_fault_is_one_line_whatever_a_student_writes():
    line = grade.printable("4, the cell failed\n\x1b[1Aone: eve 12\r")
    assert line == "4, the cell failed  [1Aone: eve 12 "
    assert grade.printable("Élodie: 3 · 4") == "Élodie: 3 · 4"
