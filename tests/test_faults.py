"""Killed at any moment: what is left behind is whole, and the next run ends as if nothing was."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers import ROOT

from calib.files import write_whole

STUDY = """
import sys
from functools import partial

import numpy as np

import calib

rng = np.random.default_rng(0)
z = 2 * rng.standard_normal((6000, 5))
y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
predictions = {str(i): (z[i:], y[i:], z, y) for i in range(4)}
maps = {"none": None, "T": calib.TemperatureScaling(), "V": calib.VectorScaling()}
table = calib.run_study(
    predictions, maps, {"ECE": calib.ece}, n_resamples=100, n_jobs=1, progress=False,
    cache_folder=sys.argv[1],
)
table.to_csv(sys.argv[2])
"""


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


def test_a_study_that_is_killed_ends_with_the_same_bytes(tmp_path):
    assert run(STUDY, tmp_path / "whole", tmp_path / "whole.csv")[0] == 0
    rng = np.random.default_rng(0)
    for moment in rng.uniform(0.5, 3, size=4):
        run(STUDY, tmp_path / "cut", tmp_path / "cut.csv", kill_after=moment)
    status, told = run(STUDY, tmp_path / "cut", tmp_path / "cut.csv")
    assert status == 0 and not told
    assert (tmp_path / "cut.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    names = [{path.name for path in (tmp_path / n).iterdir()} for n in ("whole", "cut")]
    assert names[0] <= names[1]
    for path in (tmp_path / "cut").glob("*.json"):
        json.loads(path.read_text())


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
    assert [p.name for p in tmp_path.iterdir()] == ["file"] and path.read_bytes() == b"after"


def test_two_writers_at_once_leave_one_whole_file(tmp_path):
    path = tmp_path / "file"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE, path], env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        for _ in range(2)
    ]
    time.sleep(1.5)
    assert all(writer.poll() is None for writer in writers)
    for writer in writers:
        writer.kill()
        writer.wait()
    content = path.read_bytes()
    assert len(content) == 200_000 and len(set(content)) == 1


def test_a_full_disk_is_told_in_one_line_with_the_name(tmp_path):
    """A limit on the size of files stands for the disk."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(2000, 20))
    np.savez(tmp_path / "a.npz", logits=logits)
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000));"
        "from calib.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    import calib

    y = rng.integers(20, size=2000)
    fitted = calib.OneVsRest(calib.HistogramBinning()).fit(logits, y)
    calib.save_map(fitted, tmp_path / "map.npz")
    before = sorted(tmp_path.iterdir())
    arguments = ["apply", tmp_path / "map.npz", tmp_path / "a.npz", "-o", tmp_path / "o.npz"]
    status, told = run(code, *arguments)
    assert status == 2 and told.count("\n") == 1 and "o.npz: File too large" in told
    assert sorted(tmp_path.iterdir()) == before
