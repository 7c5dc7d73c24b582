"""Metrics and maps take the memory that the table says, and a large report keeps its limit."""

import subprocess
import sys

import numpy as np
import pytest
from helpers import ROOT

from evidence.data import csv_rows
from evidence.studies.software import time_and_memory


def test_few_copies_of_the_input_are_held_and_a_few_are_measured_again():
    rows = csv_rows(
        (ROOT / "data" / "results" / "software" / "time_and_memory.csv").read_bytes()
    )
    table = {(row["kind"], row["name"]): row for row in rows}
    assert set(table) <= set(time_and_memory.ENTRIES)
    of_metrics = [row for (kind, _), row in table.items() if kind == "metric"]
    assert (
        max(float(row[dtype]) for row in of_metrics for dtype in time_and_memory.TYPES)
        < 8
    )
    rng = np.random.default_rng(0)
    for i in rng.choice(len(table), size=4, replace=False):
        entry = list(table)[i]
        dtype = time_and_memory.TYPES[rng.integers(3)]
        assert (
            time_and_memory.memory(entry, dtype)
            < 1.2 * float(table[entry][dtype]) + 0.3
        ), entry


REPORT = """
import re
import sys
from pathlib import Path

from calib_report.commands.main import main

status = main(["report", sys.argv[1], "-o", sys.argv[2]])
peak = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())
print(int(peak[1]) * 1024)  # ru_maxrss would count what the parent process held as well
sys.exit(status)
"""


@pytest.mark.slow
def test_a_report_on_a_large_file_takes_less_than_a_gigabyte(tmp_path):
    y, z = time_and_memory.samples(50_000, 1000)
    np.savez(tmp_path / "large.npz", y=y, logits=z)
    command = [
        sys.executable,
        "-c",
        REPORT,
        tmp_path / "large.npz",
        tmp_path / "report.html",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(done.stdout.split()[-1]) < 1e9
