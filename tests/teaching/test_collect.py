"""What platforms give, taken in: whose it is, of which lab, and what cannot be taken."""

import io
import json
import re
import zipfile
from functools import cache

import nbformat
import pytest
from one_class import CLASS, taken
from one_lab import answered, put_into_inbox

from teaching import collect as collecting
from teaching import tables
from teaching.collect import hand_in_of_member, lab_of, person_of
from teaching.folder import latest_hand_in


def test_what_is_handed_in_chooses_no_folder():
    for page in ("labs/../../keys", "/etc", 3, None, "labs/other"):
        content = json.dumps({"metadata": {"calibration": {"page": page}}}).encode()
        assert lab_of("x.ipynb", content, ["one"]) is None
    assert lab_of("one (2).ipynb", b"no notebook", ["one"]) == "one"
    assert lab_of("a.npz", b"", ["one"]) is None


EVE = "Eve Adams_8_assignsubmission_file_"


BOB = "Bob Brown_9_assignsubmission_file_"


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


def small_course(folder, *rows):
    """A folder with what taking in needs: an inbox, two labs, and a roster of these rows."""
    (folder / "inbox").mkdir()
    (folder / "course.yml").write_text(f"{tables.RULES}  one:\n  reserved-networks:\n")
    lines = ["student,name,canvas_id", *rows]
    (folder / "roster.csv").write_text("\n".join(lines))
    return folder


def test_what_lies_in_the_inbox_and_is_no_zip_is_named(tmp_path):
    """A browser may unpack what it loads."""
    folder = small_course(tmp_path, "bob,Bob Brown")
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


def test_an_empty_file_is_named_and_what_came_before_counts(tmp_path):
    folder = small_course(tmp_path, "bob,Bob Brown")
    put_into_inbox(folder, "1.zip", {f"{BOB}/one.ipynb": answered({})})
    put_into_inbox(folder, "2.zip", {f"{BOB}/one.ipynb": b""})
    assert taken(folder) == [
        f"2.zip, {BOB}/one.ipynb: is empty",
        "1 new files, 1 not understood",
    ]


def damaged(notebook):
    """A zip whose only member cannot be read to its end."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(f"{EVE}/one.ipynb", nbformat.writes(notebook))
    broken = bytearray(content.getvalue())
    broken[90:200] = bytes(110)
    return bytes(broken)


def test_a_zip_that_is_damaged_or_without_dates_keeps_no_other_from_being_taken(
    tmp_path,
):
    folder = small_course(tmp_path, "eve,Eve Adams", "bob,Bob Brown")
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
    assert latest_hand_in(folder, "eve", "one").name.startswith("19800101T000000-")


def test_archives_that_stay_in_the_inbox_are_new_once(tmp_path):
    """Two versions of one lab in two archives: read again, neither is new and the last counts."""
    folder = small_course(tmp_path, "bob,Bob Brown")
    for number, (name, day) in enumerate([("1.zip", 20), ("2.zip", 21)]):
        with zipfile.ZipFile(folder / "inbox" / name, "w") as packed:
            member = zipfile.ZipInfo(f"{BOB}/one.ipynb", (2027, 1, day, 12, 0, 0))
            packed.writestr(member, nbformat.writes(answered({"one": str(number)})))
    assert taken(folder)[-1] == "2 new files, 0 not understood"
    last = latest_hand_in(folder, "bob", "one")
    assert taken(folder)[-1] == "0 new files, 0 not understood"
    assert latest_hand_in(folder, "bob", "one") == last and "20270121" in last.name


@cache
def notebook_with(text):
    """The same bytes for the same cell; else each notebook has other ids of its cells."""
    return nbformat.writes(answered({}, text))


def downloaded(folder, name, day, text, member=f"{BOB}/one.ipynb"):
    """A zip with a notebook of one cell, as a platform packs it on a day."""
    with zipfile.ZipFile(folder / "inbox" / name, "w") as packed:
        about = zipfile.ZipInfo(member, (2027, 1, day, 12, 0, 0))
        packed.writestr(about, notebook_with(text))


@pytest.mark.parametrize("texts, new", [("aa", 1), ("ab", 2), ("aba", 3), ("abb", 2)])
def test_a_file_that_is_downloaded_again_is_new_only_after_another(
    texts, new, tmp_path
):
    """Platforms write the time of the download, so that the same work has a later one."""
    folder = small_course(tmp_path, "bob,Bob Brown")
    for day, text in enumerate(texts, 1):
        downloaded(folder, f"{day}.zip", day, text)
    assert taken(folder)[-1] == f"{new} new files, 0 not understood"
    last = latest_hand_in(folder, "bob", "one")
    assert nbformat.read(last, 4).cells[2].source == texts[-1]


def test_the_name_of_a_hand_in_says_when_which_and_whether_late(tmp_path):
    folder = small_course(tmp_path, "bob,Bob Brown,9")
    downloaded(folder, "1.zip", 4, "a", "brownbob_LATE_9_1_one.ipynb")
    downloaded(folder, "2.zip", 3, "b", "brownbob_9_2_ONE.IPYNB")
    taken(folder)
    names = sorted(path.name for path in folder.rglob("*.ipynb"))
    assert [re.sub("-[0-9a-f]{12}", "", name) for name in names] == [
        "20270103T120000-002.ipynb",
        "20270104T120000-001-late.ipynb",
    ]


def test_an_array_is_of_the_reserved_networks_and_counts_apart(tmp_path):
    folder = small_course(tmp_path, "bob,Bob Brown")
    members = {f"{BOB}/x.npz": b"PK", f"{BOB}/reserved-networks.ipynb": answered({})}
    put_into_inbox(folder, "1.zip", members | {f"{BOB}/y.npz": b"PK2"})
    line, _ = taken(folder)
    last = latest_hand_in(folder, "bob", "reserved-networks", ".npz")
    assert last.read_bytes() == b"PK2"
    assert line == (
        f"bob: 2 new files for reserved-networks, the last counts: {last.name}"
    )


def test_what_a_system_adds_is_passed_over_and_a_large_file_named(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(collecting, "LARGEST_FILE", 2**20)
    folder = small_course(tmp_path, "bob,Bob Brown")
    members = {
        "__MACOSX/x": b"x",
        f"{BOB}/": b"",
        f"{BOB}/large.npz": bytes(3 * 2**20),
        f"{BOB}/all.npz": bytes(2**20),
        "x.npz": b"x",
    }
    put_into_inbox(folder, "1.zip", members)
    assert taken(folder) == [
        f"1.zip, {BOB}/large.npz: 3 MB, more than 1",
        "1.zip, x.npz: no name that Moodle or Canvas makes",
        "1 new files, 2 not understood",
    ]


def one_second(folder, name, members):
    """A zip whose members have one time, as the platforms write it: that of the download."""
    notebooks = {member: answered({}, text) for member, text in members.items()}
    put_into_inbox(folder, name, notebooks)


@pytest.mark.parametrize("texts", [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")])
def test_of_two_files_of_one_second_the_platforms_last_counts_and_is_named(
    texts, tmp_path
):
    """Canvas numbers uploads; Moodle's lie in their order; a later archive comes later."""
    folder = small_course(
        tmp_path, "bob,Bob Brown,7", "eve,Eve Adams,8", "ada,Ada Low,9"
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
        last = latest_hand_in(folder, student, "one")
        assert nbformat.read(last, 4).cells[2].source == second, student
        assert line == f"{student}: 2 new files for one, the last counts: {last.name}"
    assert lines[3:] == ["6 new files, 0 not understood"]
    assert taken(folder) == ["0 new files, 0 not understood"]
