"""The commands of a course."""

import zipfile

import nbformat
import pytest
from helpers import chromium
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

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
