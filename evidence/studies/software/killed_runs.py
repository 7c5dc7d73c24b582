"""Compute killed_runs.csv: kill -9 at random moments, and what the next run makes of it.

`python -m evidence.studies killed_runs` from the root.

A study and a report are each run once in peace. Then each is killed ten times at moments drawn from
its length, and run to its end: no process of a killed run may go on, and the files are, byte for
byte, those of the first run.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from evidence.pieces import ROOT
from evidence.rows import Row

KILLS = 10
STUDY = """
import sys

import numpy as np

import calib
from evidence.fit_and_measure import measure_maps

rng = np.random.default_rng(0)
z = 2 * rng.standard_normal((6000, 5))
y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
predictions = {str(i): (z[i:], y[i:], z, y) for i in range(6)}
maps = {"none": None, "T": calib.TemperatureScaling(), "V": calib.VectorScaling()}
table = measure_maps(
    predictions, maps, {"ECE": calib.ece}, n_jobs=1, progress=False,
)
table.to_csv(sys.argv[1])
"""
REPORT = """
import numpy as np

from calib_report.commands.main import main

rng = np.random.default_rng(0)
z = rng.standard_normal((2000, 4))
np.savez("outputs.npz", logits=3 * z, y=(z + rng.gumbel(size=z.shape)).argmax(axis=1))
raise SystemExit(main(["report", "outputs.npz", "-o", "report.html"]))
"""
TASKS = {
    "study": ([sys.executable, "-c", STUDY, "study.csv"], ["study.csv"]),
    "report": (
        [sys.executable, "-c", REPORT],
        ["report.html", "report.json", "report-map.json"],
    ),
}


def alive(mark: str) -> list[int]:
    """Return the processes, but for this one, whose command or environment holds a mark."""
    processes = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "environ").read_bytes()
            words += (process / "cmdline").read_bytes()
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark.encode() in words and state != "Z" and int(process.name) != os.getpid():
            processes.append(int(process.name))
    return processes


def start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a command in a folder, as a session of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "0"}
    environment["TMPDIR"] = str(folder / "tmp")
    (folder / "tmp").mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(command: Sequence[str], folder: Path) -> float:
    """Run to the end; return the seconds that it took."""
    began = time.monotonic()
    process = start(command, folder)
    error = process.communicate()[1].decode()
    if process.returncode:
        raise RuntimeError(f"{folder}: status {process.returncode}: {error[-2000:]}")
    return time.monotonic() - began


def kill_and_finish(
    command: Sequence[str], made: Sequence[str], folder: Path, rng: random.Random
) -> Row:
    """Return how often a run was killed, what was left of it, and whether the files are the same.

    A run goes on from what the killed one before it has kept.
    """
    peace, war = folder / "peace", folder / "war"
    seconds = finish(command, peace)
    orphans = kill_runs(command, war, seconds, rng)
    finish(command, war)
    names_of_war, names = ({file.name for file in f.iterdir()} for f in (war, peace))
    contents = [
        [(place / name).read_bytes() for name in made] for place in (peace, war)
    ]
    return {
        "killed": KILLS,
        "orphans": orphans,
        "left": len(names_of_war - names),
        "same": contents[0] == contents[1],
    }


def kill_runs(
    command: Sequence[str], folder: Path, seconds: float, rng: random.Random
) -> int:
    """Kill a run `KILLS` times; return how often a process of it went on.

    One that ends before it is killed does not count: it begins anew, and less time is left to it.
    """
    killed = orphans = 0
    while killed < KILLS:
        process = start(command, folder)
        try:
            process.wait(rng.uniform(0.05, 0.95) * seconds)
            shutil.rmtree(folder)
            seconds *= 0.7
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
        process.communicate()
        orphans += goes_on(str(folder))
    return orphans


def goes_on(mark: str, seconds: float = 20) -> bool:
    """Tell whether a process whose environment holds a mark is alive after some seconds."""
    end = time.monotonic() + seconds
    while alive(mark):
        if time.monotonic() >= end:
            return True
        time.sleep(0.1)
    return False


def rows() -> Iterator[Row]:
    for name, (command, made) in TASKS.items():
        with tempfile.TemporaryDirectory() as folder:
            place, rng = Path(folder).resolve(), random.Random(0)
            row = {"task": name} | kill_and_finish(command, made, place, rng)
        print(row, flush=True)
        yield row
