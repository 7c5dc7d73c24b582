"""The file of a memory: what it holds, what is none, and that it is whole."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from weeks import after, week

from calib_report.gating.memory import remember
from calib_report.gating.memory_files import FIRST_FORM, FORM, read_memory, write_memory
from calib_report.gating.promise_verdicts import report_lines


def test_the_file_holds_the_memory(tmp_path):
    memory = after([week(0), week(1)], tolerance=0.03, model="triage")
    write_memory(memory, tmp_path / "gate.json")
    read = read_memory(tmp_path / "gate.json")
    assert read.promise == memory.promise
    np.testing.assert_array_equal(read.sums("all"), memory.sums("all"))
    assert read_memory(tmp_path / "none.json") is None


def _stated(tmp_path):
    write_memory(after([week(0)]), tmp_path / "gate.json")
    return json.loads((tmp_path / "gate.json").read_text())


SUMS = ("looks", 0, "sums", "all")
OF_SO_MANY = "sums that so many samples can have"


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("schema",), "calib-memory-9", "schema calib-memory-2"),
        (("promise", "tolerance"), "0.02", "a tolerance"),
        (("promise", "tolerance"), 3.0, "tolerance"),
        (("promise", "streams"), [], "streams"),
        (("promise", "streams"), ["all", "all"], "streams"),
        (("promise", "task"), "poker", "a task and a model"),
        (("promise", "model"), None, "a task and a model"),
        (("promise", "classes"), [1, 2], "names that are text"),
        (("promise", "streams"), ["all", 2], "names that are text"),
        (("looks",), 3, "not iterable"),
        (("looks", 0, "number"), 0, "a look's number, from 1"),
        (("looks", 0, "number"), True, "a look's number, from 1"),
        (("looks", 0, "name"), 7, "a look's name and digest"),
        (("looks", 0, "digest"), 7, "a look's name and digest"),
        (("looks", 0, "sums"), {}, "sums of 'all' in look 1"),
        ((*SUMS, 0), [1, 2, 3], "inhomogeneous"),
        (SUMS, [[0] * 6] * 5, "look 1, all: 6 rows of 6 sums"),
        ((*SUMS, 5, 0), 2.5, "look 1, all: counts"),
        ((*SUMS, 5, 0), -1, "look 1, all: counts"),
        ((*SUMS, 5, 1), 1e9, OF_SO_MANY),
        ((*SUMS, 5, 1), -1e9, OF_SO_MANY),
        ((*SUMS, 5, 2), -1.0, OF_SO_MANY),
        ((*SUMS, 5, 2), 1e9, OF_SO_MANY),
        ((*SUMS, 5, 3), None, "finite sums"),
        ((*SUMS, 5, 3), float("inf"), "finite sums"),
        pytest.param((*SUMS, 5, 3), 10**400, "too large", id="huge"),
        ((*SUMS, 5, 4), 1e9, OF_SO_MANY),
        ((*SUMS, 5, 4), 0.0, OF_SO_MANY),
        ((*SUMS, 5, 5), -1e-9, OF_SO_MANY),
    ],
)
def test_a_file_that_is_no_memory_is_refused(tmp_path, place, value, message):
    content = _stated(tmp_path)
    *way, last = place
    part = content
    for step in way:
        part = part[step]
    part[last] = value
    (tmp_path / "gate.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match=rf"gate\.json: not a memory: .*{message}"):
        read_memory(tmp_path / "gate.json")


def test_a_memory_of_the_first_form_is_named(tmp_path):
    content = _stated(tmp_path) | {"schema": FIRST_FORM}
    (tmp_path / "gate.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="calib-memory-1 is of an earlier version"):
        read_memory(tmp_path / "gate.json")


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_a_whole_memory(tmp_path):
    """Two years of weekly files, of which every tenth run is killed at another moment."""
    state, memory = tmp_path / "gate.json", after([week(0)])
    for number in range(104):
        memory, _ = remember(week(number), memory, f"week {number}")
    write_memory(memory, state)
    code = (
        "from calib_report.gating.memory_files import read_memory, write_memory\n"
        f"memory = read_memory({str(state)!r})\n"
        f"while True: write_memory(memory, {str(state)!r})\n"
    )
    for delay in (0.6, 0.65, 0.7, 0.75, 0.8):
        process = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert read_memory(state).promise == memory.promise


FOLDER = Path(__file__).parent / "golden"


def test_a_memory_that_was_written_says_what_it_said():
    memory = read_memory(FOLDER / f"{FORM}.json")
    assert memory.promise.model == "golden" and len(memory.looks) == 3
    status, lines = report_lines(memory)
    assert status == "not enough labels"
    assert (
        "600 samples: what happens less what is said is 0.5 points (-5.9 to 7.0)"
        in lines[1]
    )
