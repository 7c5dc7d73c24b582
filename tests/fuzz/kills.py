"""kill -9 at random moments: `python -m tests.fuzz.kills` counts what the next run makes of it.

A study, a report, a build of a small book and, where PyTorch is, a training are each run once in
peace. Then each is killed ten times at moments drawn from its length, and run to its end: no
process of a killed run may go on, and the files are, byte for byte, those of the first run.
"""

import csv
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from book.evidence.tables import csv_bytes
from calib.files import write_whole

ROOT = Path(__file__).resolve().parents[2]
KILLS = 10
TABLE = ROOT / "data" / "results" / "kills.csv"
STUDY = """
import sys

import numpy as np

import calib
from book.evidence.study import run_study

rng = np.random.default_rng(0)
z = 2 * rng.standard_normal((6000, 5))
y = (z + rng.gumbel(size=z.shape)).argmax(axis=1)
predictions = {str(i): (z[i:], y[i:], z, y) for i in range(6)}
maps = {"none": None, "T": calib.TemperatureScaling(), "V": calib.VectorScaling()}
table = run_study(
    predictions, maps, {"ECE": calib.ece}, n_jobs=1, progress=False,
)
table.to_csv(sys.argv[1])
"""
OUTPUTS = """
import numpy as np

rng = np.random.default_rng(0)
z = rng.standard_normal((2000, 4))
np.savez("outputs.npz", logits=3 * z, y=(z + rng.gumbel(size=z.shape)).argmax(axis=1))
"""
CHAPTER = """---
jupytext:
  text_representation: {extension: .md, format_name: myst}
kernelspec: {display_name: Python 3, language: python, name: python3}
calib: {}
---
# Chapter NAME

```{code-cell} ipython3
import calib

print(calib.ece([0, 1], [[0.9, 0.1], [0.8, 0.2]]))
```
"""
TRAINING = """
from dataclasses import replace

import numpy as np

from data.training import datasets
from data.training.make import make
from data.training.runs import convnet

rng = np.random.default_rng(3)


def part(n):
    y = rng.integers(0, 3, n)
    x = rng.integers(0, 60, (n, 1, 28, 28)) + 60 * y[:, None, None, None]
    return datasets.Examples(x.astype(np.uint8), y.astype(np.uint8))


small = datasets.Dataset(3, part(1024), part(64), part(64), 0.3, 0.3)
datasets.load = lambda name: small
from pathlib import Path

make(replace(convnet("smoke"), training_images=1024, epochs=8), Path("zoo"))
"""


def study(folder):
    return [sys.executable, "-c", STUDY, "study.csv"], ["study.csv"]


def report(folder):
    subprocess.run([sys.executable, "-c", OUTPUTS], cwd=folder, check=True)
    made = ["report.html", "report.json", "report-map.json"]
    return [sys.executable, "-m", "calib", "report", "outputs.npz", "-o", "report.html"], made


def build(folder):
    (folder / "book").mkdir()
    for name in ("data", "pyproject.toml", "book/references.bib"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("calib", "book/evidence"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "requirements.lock"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "chapters").mkdir()
    (folder / "chapters" / "index.md").write_text("# Landing\n")
    for name in ("one", "two", "three"):
        (folder / "chapters" / f"{name}.md").write_text(CHAPTER.replace("NAME", name))
    names = "".join(f"  - file: {name}\n" for name in ("one", "two", "three"))
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: index\nchapters:\n{names}")
    return [sys.executable, "-m", "book", "--root", str(folder), "build"], ["_build/html"]


def training(folder):
    return [os.environ.get("ZOO_PYTHON", sys.executable), "-c", TRAINING], ["zoo"]


def can_train():
    command = [os.environ.get("ZOO_PYTHON", sys.executable), "-c", "import torch"]
    return subprocess.run(command, capture_output=True).returncode == 0


def start(command, folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder / "tmp")}
    (folder / "tmp").mkdir(exist_ok=True)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **quiet)


def finish(command, folder):
    """Run to the end; return the seconds that it took."""
    began = time.monotonic()
    process = start(command, folder)
    told = process.communicate()[1].decode()
    if process.returncode:
        raise RuntimeError(f"{folder}: status {process.returncode}: {told[-2000:]}")
    return time.monotonic() - began


def processes_of(folder):
    """Processes whose environment names the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            held = (process / "environ").read_bytes()
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if str(folder).encode() in held and state != "Z" and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found


def contents(folder, made):
    """The SHA-256 of each file that was made, by its path; the folder's own name is no part."""
    found = {}
    for name in made:
        for path in sorted([folder / name, *(folder / name).rglob("*")]):
            if path.is_file():
                content = path.read_bytes().replace(str(folder).encode(), b"FOLDER")
                found[path.relative_to(folder).as_posix()] = hashlib.sha256(content).hexdigest()
    return found


def everything(folder):
    """The paths of all that lies in a folder."""
    return {
        path.relative_to(folder) for path in folder.rglob("*") if "__pycache__" not in path.parts
    }


def kill_and_finish(prepare, folder, rng):
    """Return how often a run was killed, what was left of it, and whether the files are the same.

    A run goes on from what the killed one before it has kept. One that ends before it is killed
    does not count: it begins anew, and less time is left to it.
    """
    peace, war = folder / "peace", folder / "war"
    peace.mkdir()
    command, made = prepare(peace)
    seconds = finish(command, peace)
    killed = orphans = 0
    while killed < KILLS:
        if not war.exists():
            war.mkdir()
            command, made = prepare(war)
        process = start(command, war)
        try:
            process.wait(rng.uniform(0.05, 0.95) * seconds)
            shutil.rmtree(war)
            seconds *= 0.7
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate()
        end = time.monotonic() + 20
        while (left := processes_of(war)) and time.monotonic() < end:
            time.sleep(0.1)
        orphans += bool(left)
    finish(command, war)
    same = contents(peace, made) == contents(war, made)
    beside = everything(war) - everything(peace)
    return {"killed": killed, "orphans": orphans, "left": len(beside), "same": same}


def main(*names):
    """Run the named tasks, all by default; the table keeps what it has of the others."""
    tasks = {"study": study, "report": report, "build": build, "training": training}
    kept = TABLE.read_text().splitlines() if TABLE.exists() else []
    known = {row["task"]: row for row in csv.DictReader(kept)}
    for name in names or tasks:
        if name == "training" and not can_train():
            print("training: PyTorch is not here")
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = kill_and_finish(tasks[name], Path(folder).resolve(), random.Random(0))
        known[name] = {"task": name, **found}
        print(known[name], flush=True)
        write_whole(TABLE, csv_bytes([known[task] for task in tasks if task in known]))
    return int(any(f"{r['orphans']}{r['left']}{r['same']}" != "00True" for r in known.values()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
