"""The commands of a course."""

import zipfile

import nbformat
import pytest
from helpers import ROOT, chromium
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from teaching import __main__ as commands
from teaching.__main__ import COMMANDS, main, print_labs

OTHER_ARGUMENTS = {"exam": ["0"]}  # of a command, after its folder


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "course"])
def test_a_folder_that_is_no_course_is_named_before_anything_else(
    tmp_path, capsys, command
):
    typed = [command, str(tmp_path / "cours"), *OTHER_ARGUMENTS.get(command, [])]
    assert main(typed) == 1
    assert not list(tmp_path.iterdir())
    said_there = capsys.readouterr().err
    assert (
        "cours: no course, it has no course.yml" in said_there
        and "--trust" not in said_there
    )


def test_a_command_has_the_name_of_its_function():
    assert all(run.__name__ == name for name, run in COMMANDS.items())


@pytest.fixture
def slides(tmp_path, monkeypatch):
    """The lectures that were built; a course without labs, which takes long to make."""
    made = tmp_path / "slides"
    monkeypatch.setattr(commands, "create", lambda folder, build: folder.mkdir())
    monkeypatch.setattr(commands, "print_labs", lambda folder: None)
    monkeypatch.setattr(commands, "slides_folder", lambda project: made)
    return made


def test_a_course_has_the_lectures_and_its_texts_where_these_are_built(
    slides, tmp_path
):
    assert main(["course", str(tmp_path / "before")]) == 0
    assert not (tmp_path / "before" / "lectures").exists()
    slides.mkdir()
    (slides / "1.pdf").write_text("one")
    assert main(["course", str(tmp_path / "after")]) == 0
    copied = {"lectures/1.pdf": slides / "1.pdf", "README.md": ROOT / "teaching/course.md",
              "print/discussions.md": ROOT / "teaching/discussions.md"}  # fmt: skip
    for name, source in copied.items():
        assert (tmp_path / "after" / name).read_bytes() == source.read_bytes()


def test_what_a_course_has_is_not_changed_when_it_is_made_again(
    slides, tmp_path, monkeypatch
):
    slides.mkdir()
    (slides / "1.pdf").write_text("one")
    (tmp_path / "course" / "lectures").mkdir(parents=True)
    (tmp_path / "course" / "README.md").write_text("my own")
    monkeypatch.setattr(commands, "create", lambda folder, build: None)
    assert main(["course", str(tmp_path / "course")]) == 0
    assert not (tmp_path / "course" / "lectures" / "1.pdf").exists()
    assert (tmp_path / "course" / "README.md").read_text() == "my own"


def test_the_last_networks_of_everybody_are_ranked(tmp_path, monkeypatch):
    """Of ada the last of two files, of bo none, although a notebook is there."""
    hand_ins = tmp_path / "submissions" / "ada" / "reserved-networks"
    other = tmp_path / "submissions" / "bo" / "reserved-networks"
    for folder, name in ((hand_ins, "1.npz"), (hand_ins, "2.npz"), (other, "3.ipynb")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (tmp_path / "roster.csv").write_text("student,name\nada,Ada\nbo,Bo\n")
    monkeypatch.setattr(commands.reserved, "table_of_places", lambda *given: given)
    ((labels, handed_in),) = commands.leaderboard(tmp_path)
    assert labels == tmp_path / "keys" / "labels-keep.npz"
    assert handed_in == {"ada": hand_ins / "2.npz", "bo": None}


def test_the_exam_is_drawn_from_the_secret_in_hexadecimal_digits(tmp_path, monkeypatch):
    (tmp_path / "secret.txt").write_text("ff\n")
    monkeypatch.setattr(commands.bank, "write_version", lambda *given: given)
    assert list(commands.exam(tmp_path, 7)) == [(tmp_path / "exam", 255, 7)]


def test_the_mathematics_of_printed_labs_is_drawn(tmp_path):
    """On the screen and in the PDF; without checks, without what looks for data."""
    cells = [
        new_markdown_cell("$x^2$ of"),
        new_code_cell("from book.show.handed_out import begin"),
        new_code_cell("check('x')", metadata={"tags": ["check"]}),
        new_markdown_cell("$$y$$"),
    ]
    text = nbformat.writes(new_notebook(cells=cells))
    for name in ("keys", "release"):
        (tmp_path / name).mkdir()
    (tmp_path / "keys" / "one.ipynb").write_text(text)
    with zipfile.ZipFile(tmp_path / "keys" / "handout.zip", "w") as packed:
        packed.writestr("exercises/labs/one.ipynb", text)
    print_labs(tmp_path)
    with chromium() as browser:
        page = browser.new_page()
        page.goto((tmp_path / "print" / "one-solution.html").as_uri())
        page.wait_for_function("document.querySelectorAll('mjx-container').length == 2")
        printed = page.inner_text("body")
    assert "$" not in printed and "check" not in printed and "support" not in printed
    for name in ("one", "one-solution"):
        fonts = (tmp_path / "print" / f"{name}.pdf").read_bytes()
        assert b"MathJax" in fonts or b"MJX" in fonts or b"mjx" in fonts.lower()
