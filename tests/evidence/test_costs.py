"""Metrics and maps take the memory that the table says, and a large report keeps its limit."""

import csv
import subprocess
import sys

import numpy as np
import pytest
from benchmarks import costs
from helpers import ROOT

GIGABYTE = 1e9


@pytest.fixture(scope="module")
def table():
    with (ROOT / "data" / "results" / "costs.csv").open() as file:
        return {(row["kind"], row["name"]): row for row in csv.DictReader(file)}


def test_no_metric_holds_many_copies_of_its_input(table):
    assert set(table) <= set(costs.ENTRIES)
    for (kind, name), row in table.items():
        assert kind == "map" or max(float(row[dtype]) for dtype in costs.TYPES) < 8, name
        assert kind == "map" or float(row["wide"]) < 64, name


def test_a_few_measured_again(table):
    rng = np.random.default_rng(0)
    for i in rng.choice(len(table), size=4, replace=False):
        entry = list(table)[i]
        dtype = costs.TYPES[rng.integers(3)]
        assert costs.memory(entry, dtype) < 1.2 * float(table[entry][dtype]) + 0.3, entry


REPORT = """
import re
import sys
from pathlib import Path

from calib_report.command import main

status = main(["report", sys.argv[1], "-o", sys.argv[2]])
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(int(peak[1]) * 1024)  # ru_maxrss would count what the parent process held as well
sys.exit(status)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "dtype", "n", "most"),
    [("probabilities", "float32", 12_500, GIGABYTE / 2), ("logits", "float64", 50_000, GIGABYTE)],
)
def test_a_report_on_a_large_file_takes_less_than_a_gigabyte(tmp_path, kind, dtype, n, most):
    y, z = costs.samples(n, 1000)
    scores = z if kind == "logits" else costs.calib.softmax(z)
    np.savez(tmp_path / "large.npz", **{"y": y, kind: scores.astype(dtype)})
    command = [sys.executable, "-c", REPORT, tmp_path / "large.npz", tmp_path / "report.html"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout.split()[-1]) < most
