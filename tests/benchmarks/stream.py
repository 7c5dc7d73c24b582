"""Metrics of a file that is larger than what they may hold: `python tests/benchmarks/stream.py`.

Writes 10 million rows of 100 probabilities in float32, 4 GB, into a temporary folder, and sums
them up beside a plain reading of the file, each in a process of its own; then the section of
README.md.
"""

import json
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from calib_report import Accumulator

README = Path(__file__).with_name("README.md")
N, K, ROWS = 10_000_000, 100, 1 << 16
PEAK = re.compile(r"VmHWM:\s+(\d+) kB")
SECTION = """## Stream

Python {python}, numpy {numpy}, {machine}. {n} x {k} probabilities in float32, an npy file of
{gigabytes:.1f} GB that the system keeps in memory; one thread; the faster of two runs.

| work | CPU seconds | peak memory, MB |
|---|--:|--:|
| reading the file, {rows} rows at a time | {reading[seconds]:.1f} | {reading[peak]:.0f} |
| `Accumulator`: all its sums | {summing[seconds]:.1f} | {summing[peak]:.0f} |
"""


def write(folder):
    """Write labels and probabilities: a block drawn once, its rows in another order each time."""
    rng = np.random.default_rng(0)
    drawn = rng.gamma(0.3, size=(ROWS, K)).astype(np.float32)
    drawn /= drawn.sum(axis=1, keepdims=True)
    y = np.lib.format.open_memmap(folder / "y.npy", "w+", np.int64, (N,))
    p = np.lib.format.open_memmap(folder / "p.npy", "w+", np.float32, (N, K))
    for start in range(0, N, ROWS):
        block = slice(start, min(start + ROWS, N))
        p[block] = np.roll(drawn, rng.integers(K), axis=1)[: block.stop - start]
        y[block] = rng.integers(K, size=block.stop - start)


def read(folder):
    """Read the file as it is, in blocks of as many rows."""
    buffer = bytearray(4 * ROWS * K)
    with (folder / "p.npy").open("rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def add(folder):
    """Sum up all metrics of the Accumulator."""
    found = Accumulator()
    for start in range(0, N, ROWS):  # mapped anew each time: what was read is given back
        files = (np.load(folder / name, mmap_mode="r") for name in ("y.npy", "p.npy"))
        found.update(*(np.array(file[start : start + ROWS]) for file in files))
    assert found.n == N and 0 < found.compute()["ECE, 15 bins"] < 1


def measure(work, folder):
    """Return seconds and peak memory of a process that does a part of the work, started twice."""
    command = [sys.executable, __file__, work, str(folder)]
    runs = [json.loads(subprocess.check_output(command, text=True)) for _ in range(2)]
    return min(runs, key=lambda run: run["seconds"])


def spaced(number):
    return f"{number:,}".replace(",", " ")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        found = {"reading": measure("read", folder), "summing": measure("add", folder)}
        gigabytes = (folder / "p.npy").stat().st_size / 1e9
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    sizes = {
        "n": spaced(N),
        "k": K,
        "rows": spaced(ROWS),
        "gigabytes": gigabytes,
        "machine": platform.machine(),
    }
    section = SECTION.format(**found, **versions, **sizes)
    kept = README.read_text().partition("## Stream\n")
    after = re.sub(r"(?s)\A.*?(?=\n## |\Z)", "", kept[2])
    README.write_text(f"{kept[0].rstrip()}\n\n{section}{after}")
    print(section)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        start = time.process_time()
        {"read": read, "add": add}[sys.argv[1]](Path(sys.argv[2]))
        took = time.process_time() - start
        peak = int(PEAK.search(Path("/proc/self/status").read_text())[1]) / 1e3
        print(json.dumps({"seconds": took, "peak": peak}))
