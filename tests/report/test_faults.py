"""Killed at any moment: what is left behind is whole, and the next run ends as if nothing was."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers import ROOT, wait_until

import calib
from calib.files import write_whole

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kills and limits as POSIX has them")


def run(code, *arguments, kill_after=None):
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    if kill_after is not None:
        time.sleep(kill_after)
        process.send_signal(signal.SIGKILL)
    told = process.communicate(timeout=120)[1]
    return process.returncode, told.decode()


WRITE = """
import sys

from calib.files import write_whole

for number in range(10**6):
    write_whole(sys.argv[1], bytes([number % 256]) * 200_000)
"""


@pytest.mark.parametrize("moment", [0.3, 0.5, 0.7])
def test_a_file_is_whole_whenever_its_writer_is_killed(tmp_path, moment):
    path = tmp_path / "file"
    run(WRITE, path, kill_after=moment)
    if path.exists():
        content = path.read_bytes()
        assert len(content) == 200_000 and len(set(content)) == 1
    write_whole(path, b"after")
    left = {p.suffix for p in tmp_path.iterdir()} - {"", ".part"}  # a killed writer tidies nothing
    assert not left and path.read_bytes() == b"after"


def test_two_writers_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "file"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE, path], env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        for _ in range(2)
    ]
    wait_until(path.exists)
    time.sleep(0.5)
    assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.kill()
        writer.wait()
    content = path.read_bytes()
    assert len(content) == 200_000 and len(set(content)) == 1


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """Outputs of a model that needs a map, and a map."""
    folder = tmp_path_factory.mktemp("inputs")
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(2000, 20))
    y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    np.savez(folder / "a.npz", logits=3 * logits, y=y)
    fitted = calib.VectorScaling().fit(logits, y)
    calib.save_map(fitted, folder / "map.json")
    return folder


LIMITED = """
import resource, signal, sys

sys.dont_write_bytecode = True  # half of a file of it would be left in the tree
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
"""
COMMAND = LIMITED + "from calib_report.command import main; sys.exit(main(sys.argv[2:]))"
SAVE = LIMITED + "import calib; calib.save_map(calib.load_map(sys.argv[2]), sys.argv[3])"


def when_files_may_have(n_bytes, code, *arguments):
    """A limit on the size of files stands for a full disk: what it holds and what it says."""
    status, told = run(code, n_bytes, *arguments)
    assert status
    return told.splitlines()


def test_a_report_on_a_full_disk_leaves_what_was_there(inputs, tmp_path):
    page = tmp_path / "r.html"
    for name in ("r.html", "r.json", "r-map.json"):
        (tmp_path / name).write_text("of an earlier report")
    told = when_files_may_have(30_000, COMMAND, "report", inputs / "a.npz", "-o", page)
    assert told[-1].startswith(f"calib: {tmp_path / 'r'}") and "File too large" in told[-1]
    assert all(line.startswith("calib: ") for line in told)
    assert {p.read_text() for p in tmp_path.iterdir()} == {"of an earlier report"}
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    ("code", "arguments", "name"),
    [
        (COMMAND, ["apply", "IN/map.json", "IN/a.npz", "-o", "OUT/o.npz"], "o.npz"),
        (COMMAND, ["export", "IN/map.json", "-o", "OUT/o.onnx"], "o.onnx"),
        (COMMAND, ["demo", "OUT/o.csv"], "o.csv"),
        (SAVE, ["IN/map.json", "OUT/m.json"], "m.json"),
    ],
    ids=["apply", "export", "demo", "save_map"],
)
def test_a_full_disk_is_told_in_one_line_with_the_name(inputs, tmp_path, code, arguments, name):
    places = [a.replace("IN", str(inputs)).replace("OUT", str(tmp_path)) for a in arguments]
    told = when_files_may_have(500, code, *places)
    assert told[-1].endswith((f"{name}: File too large", f"File too large: '{tmp_path / name}'"))
    assert code == SAVE or len(told) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_numbers_that_cannot_be_printed_are_told(inputs, tmp_path):
    """Standard output, too, may be a file on a full disk."""
    command = [sys.executable, "-m", "calib", "check", str(inputs / "a.npz")]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=60
        )
    assert done.returncode == 2
    told = done.stderr.splitlines()  # before the last, what a slow machine is busy with
    assert told[-1] == "calib: standard output: No space left on device"
    assert not any("Error" in line for line in told)
