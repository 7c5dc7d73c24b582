"""The application as a process: killed, interrupted or out of space it leaves whole files."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest
from helpers import ROOT, wait_until

import calib
from calib.files import write_whole
from calib_report.command import main

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="kills and limits as POSIX has them"
)
WRITE = """
import sys
from calib.files import write_whole

for number in range(10**6):
    write_whole(sys.argv[1], bytes([number % 256]) * 200_000)
"""
AT_WORK = """
import os, sys
from calib_report import command
from calib_report.analysing import analysis

def told(*outputs, compare_maps=analysis.compare_maps, **options):
    print("at work:", os.getpid(), file=sys.stderr, flush=True)
    for _ in range(500):
        compare_maps(*outputs, **options)

analysis.compare_maps = told
for _ in iter(sys.stdin.readline, ""):
    if not (child := os.fork()):
        sys.exit(command.main())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
"""


def start(code, *arguments, **options):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    options |= {"env": {**os.environ, "PYTHONPATH": str(ROOT)}, "text": True}
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)


def as_in_a_terminal():
    """Hear the signals that whoever runs the tests may have asked not to hear."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def outputs(tmp_path):
    """Outputs of a model that needs a map."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(400, 8))
    y = (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)
    np.savez(tmp_path / "a.npz", logits=3 * logits, y=y)
    return tmp_path / "a.npz"


def test_a_file_is_whole_whenever_its_writers_are_killed(tmp_path):
    path = tmp_path / "file"
    writers = [start(WRITE, path) for _ in range(2)]
    wait_until(path.exists)
    time.sleep(0.1)
    assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.kill()
        writer.communicate()
    content = path.read_bytes()
    assert len(content) == 200_000 and len(set(content)) == 1
    write_whole(path, b"after")
    # a killed writer tidies nothing
    endings = {p.suffix for p in tmp_path.iterdir()} - {"", ".part"}
    assert not endings and path.read_bytes() == b"after"


@pytest.mark.slow
def test_a_signal_ends_a_report_in_one_line_and_leaves_no_file(outputs):
    line, streams = ["report", outputs, "-o", "report.html"], {"stdin": subprocess.PIPE}
    process = start(
        AT_WORK, *line, cwd=outputs.parent, preexec_fn=as_in_a_terminal, **streams
    )
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"):
        print(file=process.stdin, flush=True)
        at_work = int(process.stderr.readline().removeprefix("at work: "))
        for _ in range(3):
            with suppress(ProcessLookupError):
                os.kill(at_work, getattr(signal, name))
            time.sleep(0.02)
        if name != "SIGKILL":
            assert (
                process.stderr.readline() == "calib: interrupted, nothing is written\n"
            )
        assert process.stderr.readline() == ("-9\n" if name == "SIGKILL" else "130\n")
        assert list(outputs.parent.iterdir()) == [outputs]
    process.communicate(timeout=60)


@pytest.mark.parametrize(
    ("size", "line", "made"),
    [
        (30_000, "report a.npz -o out/r.html", ["r.html", "r.json", "r-map.json"]),
        (500, "apply map.json a.npz -o out/o.npz", ["o.npz"]),
        (500, "export map.json -o out/o.onnx", ["o.onnx"]),
        (500, "demo out/o.csv", ["o.csv"]),
    ],
)
def test_a_full_disk_is_told_in_one_line_and_leaves_what_was_there(
    outputs, size, line, made, monkeypatch, capsys
):
    """A limit on the size of files stands for a full disk."""
    resource = pytest.importorskip("resource")
    monkeypatch.chdir(outputs.parent)
    # half of a file of it would be left
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    with np.load(outputs) as held:
        fitted = calib.VectorScaling().fit(held["logits"], held["y"])
    calib.save_map(fitted, "map.json")
    os.mkdir("out")
    for path in (paths := [outputs.parent / "out" / name for name in made]):
        path.write_text("of an earlier run")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        assert main(line.split()) == 2
        resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
        with pytest.raises(OSError, match="File too large"):
            calib.save_map(fitted, paths[0])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    lines = capsys.readouterr().err.splitlines()
    assert (
        all(one.startswith("calib: ") for one in lines)
        and "File too large" in lines[-1]
    )
    assert any(name in lines[-1] for name in made)
    assert {path.name for path in (outputs.parent / "out").iterdir()} == set(made)
    assert {path.read_text() for path in paths} == {"of an earlier run"}


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_numbers_that_cannot_be_printed_are_told(outputs):
    """Standard output, too, may be a file on a full disk."""
    with open("/dev/full", "w") as full:
        code = "from calib_report.command import main; raise SystemExit(main())"
        process = start(code, "check", outputs, stdout=full)
        lines = process.communicate(timeout=60)[1].splitlines()
    assert (
        process.returncode == 2
        and lines[-1] == "calib: standard output: No space left on device"
    )
    assert not any("Error" in line for line in lines)
