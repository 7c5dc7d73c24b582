"""What is left of a killed run, of small commands."""

import random
import subprocess
import sys

import pytest

from evidence.studies.software import killed_runs as study

WRITES = "touch begun; sleep 0.05; echo {} > made; rm begun"


def in_shell(script):
    return ["/bin/sh", "-c", script]


@pytest.fixture(autouse=True)
def _one_kill(monkeypatch):
    monkeypatch.setattr(study, "KILLS", 1)


def test_a_run_that_is_killed_and_ended_makes_the_same_files(tmp_path):
    command = in_shell(WRITES.format("a"))
    row = study.kill_and_finish(command, ["made"], tmp_path, random.Random(1))
    assert row == {"killed": 1, "orphans": 0, "left": 0, "same": True}


def test_files_that_differ_or_are_left_are_seen(tmp_path):
    """The process's number is another in each run, and in one of two folders a file stays."""
    command = in_shell(f"{WRITES.format('$$')}; pwd | grep -q peace || touch more")
    row = study.kill_and_finish(command, ["made"], tmp_path, random.Random(1))
    assert row == {"killed": 1, "orphans": 0, "left": 1, "same": False}


def test_a_process_is_alive_until_it_ends(tmp_path):
    mark = f"mark-{tmp_path.name}"
    command = [sys.executable, "-c", "input()", mark]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        assert study.alive(mark) == [process.pid]
        process.communicate(b"\n")
    assert study.alive(mark) == []


def test_a_run_that_fails_says_how(tmp_path):
    with pytest.raises(RuntimeError, match=r"status 3: no disk"):
        study.finish(in_shell("echo no disk >&2; exit 3"), tmp_path)
