"""A course: released, collected, graded and exported; numbers by name; killed at any moment."""

import csv
import io
import json
import os
import shutil
import zipfile
import zlib
from contextlib import suppress

import pytest
from one_class import CLASS, filled, taken
from one_lab import contents

from book.show import labs
from teaching import course, grade, judge, tables
from teaching import folder as files_of_course
from teaching.course import number_of_lab
from teaching.export import export
from teaching.tables import CourseError


def test_three_students_from_two_platforms_to_files_that_these_import(
    built, tmp_path, wall
):
    """A lab alone holds its data and no other; a second run changes nothing."""
    folder = tmp_path / "lectures" / "course"
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
    modes = [path.stat().st_mode & 0o777 for path in (folder, folder / "secret.txt")]
    assert modes == [0o700, 0o600]
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


def whole_run(folder, build):
    course.create(folder, build)
    list(course.release(folder, []))
    taken(folder)
    list(grade.grade(folder, [], "", "", True))  # what kills it is no submission
    list(export(folder))


def test_a_course_that_is_killed_at_ten_moments_loses_nothing(
    built, tmp_path, monkeypatch
):
    start, done, write = (
        tmp_path / "start",
        tmp_path / "done",
        files_of_course.write_whole,
    )
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
        files_of_course, "write_whole", lambda p, c: written.append(p) or write(p, c)
    )
    whole_run(done, built)
    monkeypatch.setattr(files_of_course, "write_whole", write)
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

            files_of_course.write_whole = dying
            with suppress(BaseException):
                whole_run(folder, built)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        before = contents(folder, "submissions", "roster.csv", "secret.txt")
        whole_run(folder, built)
        after = contents(folder, ".")
        assert after == contents(done, ".") and before.items() <= after.items()
        assert contents(start, "roster.csv", "secret.txt").items() <= after.items()


def test_a_course_is_made_with_its_labs_its_keys_and_reserved_labels(built, tmp_path):
    """What students get has the reserved logits; their labels stay with the keys."""
    folder = tmp_path / "course"
    course.create(folder, built)
    assert list(tables.load_rules(folder).due) == ["one"]
    assert (folder / ".gitignore").read_text() == "*\n" and (folder / "inbox").is_dir()
    labels = (folder / "keys" / "labels-keep.npz").read_bytes()
    with zipfile.ZipFile(folder / "keys" / "handout.zip") as packed:
        reserved = packed.read("exercises/labs/reserved.npz")
        assert not any("labels-keep" in name for name in packed.namelist())
    assert reserved == (folder / "keys" / "reserved.npz").read_bytes() != labels
    (folder / "roster.csv").write_text("student,name\n")
    with pytest.raises(CourseError, match=r"roster\.csv names nobody"):
        list(course.release(folder, []))


def test_a_course_is_made_outside_of_a_site_that_is_built(built, tmp_path):
    with pytest.raises(CourseError, match="name a folder elsewhere"):
        course.create(built / "course", built)
    with pytest.raises(CourseError, match="make book"):
        course.create(tmp_path / "course", tmp_path / "empty")


def test_an_error_names_the_lab_that_has_no_number():
    with pytest.raises(CourseError, match=r"labs/two-numbers\.md: expected a title"):
        number_of_lab("two-numbers", b"# Two numbers")


def test_labs_are_in_the_order_of_their_numbers(tmp_path):
    """Ten is after nine, whatever the names; a solution that the course has is kept."""
    site, folder = tmp_path / "site", tmp_path / "course"
    (folder / "keys").mkdir(parents=True)
    (folder / "keys" / "a.ipynb").write_bytes(b"my own")
    site.mkdir()
    for name, number in (("a", 10), ("b", 9), ("c", 2)):
        (site / f"{name}.ipynb").write_bytes(b"# Lab %d: X" % number)
    assert course._keys(folder, site) == ["c", "b", "a"]
    assert (folder / "keys" / "a.ipynb").read_bytes() == b"my own"
    assert (folder / "keys" / "b.ipynb").read_bytes() == b"# Lab 9: X"


ALWAYS = {"README.md", "calibration-book/data.json", "calibration-book/book/a.py"}
OF_LABS = {  # what a lab has of the archive beside what every hand-out has
    "one": {"exercises/labs/one.ipynb", "calibration-book/data/zoo/a.npz"},
    "reserved-networks": {
        "exercises/labs/reserved-networks.ipynb",
        "exercises/labs/reserved.npz",
    },
}


@pytest.mark.parametrize("named", [[], ["one"], ["reserved-networks"], list(OF_LABS)])
def test_of_the_archive_a_hand_out_has_its_labs_and_the_data_that_they_declare(named):
    site = dict.fromkeys(ALWAYS.union(*OF_LABS.values()), b"")
    site |= {"exercises/measure/x.ipynb": b"", "calibration-book/data/zoo/b.npz": b""}
    declared = {"labs/one": {"zoo/a.npz": ""}, "measure/x": {"zoo/b.npz": ""}}
    site["calibration-book/data.json"] = json.dumps(declared).encode()
    part = course.part_of_archive(site, [f"labs/{lab}" for lab in named])
    assert set(part) == ALWAYS.union(*map(OF_LABS.get, named))


def test_checks_of_labs_are_put_together_by_label_and_by_seed():
    together = course.Checks()
    together.add(course.Checks({"a": "check a"}, {"s1": {"a": [1]}, "s2": {"a": [2]}}))
    together.add(course.Checks({"b": "check b"}, {"s1": {"b": [3]}, "s2": {"b": [4]}}))
    read = {name: json.loads(content) for name, content in together.files.items()}
    assert read == {
        "calibration-book/checks.json": {"a": "check a", "b": "check b"},
        "calibration-book/seals/s1.json": {"a": [1], "b": [3]},
        "calibration-book/seals/s2.json": {"a": [2], "b": [4]},
    }


def test_the_list_of_seeds_does_not_tell_the_order_of_the_roster():
    tables_of_seeds = {
        course.seeds_of_names(order, "7")[0] for order in (CLASS, CLASS[::-1])
    }
    assert len(tables_of_seeds) == 1
