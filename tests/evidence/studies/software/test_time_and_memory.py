"""Metrics and maps take the memory that the table says, and a large report keeps its limit."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from helpers import ROOT

import calib
from evidence.data import csv_rows
from evidence.studies.software import time_and_memory

STORED = {
    (row["kind"], row["name"]): row
    for row in csv_rows(
        (ROOT / "data/results/software/time_and_memory.csv").read_bytes()
    )
}


def test_a_metric_holds_less_than_a_copy_of_its_input_in_double_precision():
    assert {*STORED} <= {*time_and_memory.ENTRIES}
    for dtype in time_and_memory.TYPES:
        peaks = [
            float(row[dtype]) for (kind, _), row in STORED.items() if kind == "metric"
        ]
        assert max(peaks) < 8


@pytest.mark.slow
@pytest.mark.parametrize("dtype", time_and_memory.TYPES)
@pytest.mark.parametrize("entry", [*STORED][::12], ids=lambda entry: entry[1])
def test_memory_is_that_of_the_table(entry, dtype):
    stored = float(STORED[entry][dtype])
    assert time_and_memory.memory(entry, dtype) < 1.2 * stored + 0.3


@pytest.mark.parametrize("dtype", time_and_memory.TYPES)
def test_samples_are_of_a_model_that_is_twice_too_sure(dtype):
    y, z = time_and_memory.samples(2000, 5, dtype)
    assert z.shape == (2000, 5) and z.dtype == dtype
    fitted = calib.TemperatureScaling().fit(z.astype(float), y)
    assert fitted.temperature_ == pytest.approx(2, rel=0.1)
    assert np.array_equal(z, time_and_memory.samples(2000, 5, dtype)[1])


@pytest.mark.parametrize("name", ["ece", "nll"])
def test_a_metric_is_called_with_probabilities_of_the_type(name):
    y, z = time_and_memory.samples(100, 3, "float32")
    p = calib.softmax(z).astype("float32")
    expected = calib.METRICS[name].function(y, p)
    assert time_and_memory.call(("metric", name), y, z)() == expected


def test_a_map_is_fitted_and_used():
    y, z = time_and_memory.samples(100, 3)
    scaled = calib.TemperatureScaling().fit(z, y).predict_proba(z)
    result = time_and_memory.call(("map", "TemperatureScaling"), y, z)()
    assert np.array_equal(result, scaled)
    top = calib.TopLabel(calib.BBQ()).fit(z, y).predict_score(z)
    assert np.array_equal(time_and_memory.call(("map", "TopLabel(BBQ)"), y, z)(), top)


def test_the_peak_is_what_is_held_at_once():
    """Two arrays of a million bytes one after another, and what a first call keeps."""
    kept = []

    def two_arrays():
        kept.append(np.ones(10**7, np.uint8)) if not kept else None
        for _ in range(2):
            np.ones(10**6, np.uint8)

    assert time_and_memory.peak(two_arrays) == pytest.approx(10**6, rel=0.05)
    both = time_and_memory.peak(lambda: [np.ones(10**6, np.uint8) for _ in range(2)])
    assert both == pytest.approx(2 * 10**6, rel=0.05)


def test_memory_is_bytes_a_number_of_the_input(monkeypatch):
    monkeypatch.setattr(time_and_memory, "call", lambda entry, y, z: z.nbytes)
    monkeypatch.setattr(time_and_memory, "peak", lambda n_bytes: 3 * n_bytes)
    for dtype, size in zip(time_and_memory.TYPES, (2, 4, 8), strict=True):
        assert time_and_memory.memory(("map", "any"), dtype) == 3 * size


@pytest.mark.parametrize(
    ("longest", "calls"), [(np.inf, 4), (25, 3), (20, 2), (0.5, 1)]
)
def test_calls_end_when_they_took_the_longest(monkeypatch, longest, calls):
    """Each call takes ten seconds of this clock."""
    now = []
    clock = SimpleNamespace(process_time=lambda: 10.0 * len(now))
    monkeypatch.setattr(time_and_memory, "time", clock)
    result = time_and_memory.seconds(lambda: now.append(1), 4, longest)
    assert result == [10.0] * calls and len(now) == calls


@pytest.mark.parametrize("kind", ["metric", "map"])
def test_exponents_say_how_time_grows(monkeypatch, kind):
    """Of a call that takes n^2 sqrt(K) microseconds at the least."""
    monkeypatch.setattr(time_and_memory, "samples", lambda n, n_classes: (n, n_classes))
    monkeypatch.setattr(
        time_and_memory, "call", lambda entry, n, k: n**2 * k**0.5 / 1e6
    )
    monkeypatch.setattr(time_and_memory, "seconds", lambda least: [2 * least, least])
    n, n_classes = time_and_memory.SIZES[kind]
    assert time_and_memory.times((kind, "any")) == {
        "seconds": pytest.approx(n**2 * n_classes**0.5 / 1e6, abs=1e-4),
        "samples": "2.0",
        "classes": "0.5",
    }


def test_a_row_has_memory_by_type_and_of_metrics_the_wide_peak(monkeypatch, capsys):
    entries = {("metric", "a"): len, ("map", "b"): None}
    fakes = {
        "ENTRIES": entries,
        "memory": lambda entry, dtype: float(dtype[5:]) / 7,
        "wide": lambda: (1, 2),
        "peak": lambda function: 1e6 * sum(function.args),
        "times": lambda entry: {"seconds": entry[1]},
    }
    for name, fake in fakes.items():
        monkeypatch.setattr(time_and_memory, name, fake)
    of_types = {"float16": "2.3", "float32": "4.6", "float64": "9.1"}
    assert [*time_and_memory.rows()] == [
        {"kind": "metric", "name": "a", **of_types, "wide": "3.0", "seconds": "a"},
        {"kind": "map", "name": "b", **of_types, "wide": "", "seconds": "b"},
    ]


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
