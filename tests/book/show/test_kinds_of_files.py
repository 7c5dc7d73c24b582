"""The commands that the page on files shows read the files that it shows."""

import re
import shlex

import numpy as np
import pytest

from book.show import kinds_of_files
from calib_report.commands.main import main


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
