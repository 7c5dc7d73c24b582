"""The commands that the page on files shows read the files that it shows."""

import re
import shlex

import numpy as np
import pytest

from book.show import kinds_of_files
from calib_report.commands.main import main


def test_what_a_file_is_read_as_and_what_is_typed_for_it(tmp_path):
    """A confidence beside a verdict needs no option; fractions that are per cent need one."""
    kinds = dict(kinds_of_files.files_by_kind(np.random.default_rng(0)).values())
    for name in ("answers.csv", "arrays.npz", "percent.csv"):
        kinds_of_files.write_columns(tmp_path / name, kinds[name])
    assert kinds_of_files.how_read(tmp_path / "answers.csv") == (
        "confidences of answers, right or wrong",
        "calib report answers.csv",
    )
    assert kinds_of_files.how_read(tmp_path / "arrays.npz") == (
        "logits of 3 classes: 0, 1, 2",
        "calib report arrays.npz",
    )
    words, command = kinds_of_files.how_read(tmp_path / "percent.csv")
    assert words == "probabilities of 3 classes: apple, pear, plum"
    assert command.startswith("calib report percent.csv --")


def test_three_lines_of_a_text_are_shown_and_of_an_archive_what_it_holds(tmp_path):
    columns = {"label": np.array([1, 0, 1]), "p": np.ones((3, 2))}
    (tmp_path / "a.csv").write_text("label\n1\n0\n1\n")
    shown = kinds_of_files.first_lines(tmp_path / "a.csv", columns)
    assert shown == "label\n1\n0"
    shown = kinds_of_files.first_lines(tmp_path / "a.npz", columns)
    assert shown == "label: (3,)\np: (3, 2)"


@pytest.mark.slow
def test_each_command_reads_its_file_and_no_shorter_one_does(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    files = kinds_of_files.written_files(tmp_path, np.random.default_rng(0))
    text = kinds_of_files.blocks_of_kinds(files).data
    commands = re.findall(r"^\$ calib report (.*)$", text, re.MULTILINE)
    kinds = kinds_of_files.files_by_kind(np.random.default_rng(0))
    assert [shlex.split(line)[0] for line in commands] == [n for n, _ in kinds.values()]
    table = kinds_of_files.table_of_kinds(files).data
    assert re.findall(r"\*\*`calib report (.*?)`\*\*", table) == commands
    for line in commands:
        name, *options = shlex.split(line)
        assert main(["check", name, *options]) == 0, line
        if options:
            assert main(["check", name]) == 2, line
    # what the page says of three lines is said of these files
    for name, columns in kinds.values():
        shown = kinds_of_files.first_lines(tmp_path / name, columns)
        assert shown in text and len(shown.splitlines()) <= 3
    capsys.readouterr()
