"""The command `python -m book`: parameters that are wrong, and a second build."""

import subprocess
import sys

from helpers import ROOT
from one_chapter import cell, notebook, run

from book.__main__ import _alone


def test_a_wrong_parameter_is_told_in_one_line(project, capsys):
    notebook(project, cell("n = 1", ":tags: [parameters]\n"))
    for parameter, words in (
        ("k=2", "unknown parameter k; it has n"),
        ("a=[1", "expected name=value"),
    ):
        assert run(project, "chapter", "part/one", "-p", parameter) == 1
        error = capsys.readouterr().err.strip()
        assert words in error and "\n" not in error


WAIT = """
import sys
from pathlib import Path

from book.__main__ import _alone

with _alone(Path(sys.argv[1])):
    print("at work", flush=True)
"""


def test_a_second_build_waits_for_the_first(tmp_path):
    with _alone(tmp_path / "lock"):
        command = [sys.executable, "-c", WAIT, tmp_path / "lock"]
        second = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert second.stdout.readline() == "waiting for another build to end\n"
        assert second.poll() is None
    assert second.communicate(timeout=120)[0] == "at work\n"
