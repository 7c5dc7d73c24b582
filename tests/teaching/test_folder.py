"""The folder of a course: what counts of what is handed in, and what changes while it runs."""

import pytest

from teaching.folder import (
    HandInName,
    digests,
    is_late,
    latest_hand_in,
    refuse_changes,
    secret_of_course,
    write_derived,
    write_new,
)
from teaching.tables import CourseError


def test_the_last_file_of_a_student_lab_and_kind_counts(tmp_path):
    assert latest_hand_in(tmp_path, "ada", "one") is None
    for name in ("ada/one/2.ipynb", "ada/one/1.ipynb", "ada/one/9.npz", "ada/two/3.ipynb",
                 "bob/one/4.ipynb"):  # fmt: skip
        write_derived(tmp_path / "submissions" / name, name)
    hand_ins = tmp_path / "submissions" / "ada" / "one"
    assert latest_hand_in(tmp_path, "ada", "one") == hand_ins / "2.ipynb"
    assert latest_hand_in(tmp_path, "ada", "one", ".npz") == hand_ins / "9.npz"


def test_what_a_teacher_has_written_stays_and_what_is_derived_does_not(tmp_path):
    path = tmp_path / "a" / "b" / "secret.txt"
    write_new(path, "0a\n")
    write_new(path, "1b\n")
    assert path.read_text() == "0a\n" and secret_of_course(path.parent) == "0a"
    write_derived(path, "2c\n")
    write_derived(path.with_name("bytes"), b"\x00")
    assert secret_of_course(path.parent) == "2c"
    assert path.with_name("bytes").read_bytes() == b"\x00"


def test_a_changed_file_of_the_course_stops_the_run_and_is_named(tmp_path):
    for name in ("keys/one.ipynb", "submissions/ada/one/1.ipynb"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("as it was")
    before = digests(tmp_path)
    refuse_changes(before, tmp_path, "one of ada")
    (tmp_path / "keys" / "one.ipynb").write_text("another")
    with pytest.raises(
        CourseError, match=r"keys/one\.ipynb changed while one of ada ran"
    ):
        refuse_changes(before, tmp_path, "one of ada")
    (tmp_path / "keys" / "one.ipynb").write_text("as it was")
    (tmp_path / "submissions" / "ada" / "one" / "2.ipynb").touch()
    with pytest.raises(CourseError, match=r"2\.ipynb changed"):
        refuse_changes(before, tmp_path, "one of ada")


TEACHERS = ["course.yml", "roster.csv", "marks.csv", "secret.txt", "keys/a/b.py"]


@pytest.mark.parametrize("name", [*TEACHERS, "submissions/ada/one/1.ipynb"])
def test_no_submission_may_change_a_file_of_the_teachers(name, tmp_path):
    write_derived(tmp_path / name, "as it was")
    write_derived(tmp_path / "export" / "table.csv", "made of others")
    before = digests(tmp_path)
    assert list(before) == [name]
    (tmp_path / "export" / "table.csv").unlink()
    refuse_changes(before, tmp_path, "one of ada")
    (tmp_path / name).unlink()
    with pytest.raises(CourseError, match=f"^{name} changed while"):
        refuse_changes(before, tmp_path, "one of ada")


@pytest.mark.parametrize(("late", "end"), [(True, "-late.ipynb"), (False, ".ipynb")])
def test_the_name_of_a_hand_in_says_whether_it_was_late(late, end):
    name = str(HandInName("20270104T120000", 7, "0a1b", late, ".ipynb"))
    assert name == f"20270104T120000-007-0a1b{end}" and is_late(name) == late
