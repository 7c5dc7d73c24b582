"""The report as a process: interrupted or killed it leaves nothing; settings do not reach it."""

import os
import signal
import subprocess
import sys
import time

import matplotlib
import numpy as np
import pytest
from helpers import ROOT

from calib_report import make_report

posix = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")


@pytest.fixture
def outputs(tmp_path):
    rng = np.random.default_rng(0)
    logits = 3 * rng.normal(size=(4000, 60))
    y = (logits / 2 + rng.gumbel(size=logits.shape)).argmax(axis=1)
    np.savez(tmp_path / "outputs.npz", logits=logits, y=y)
    return tmp_path / "outputs.npz"


def test_settings_of_the_user_do_not_reach_the_report(outputs, tmp_path, monkeypatch):
    """A page is the same bytes whatever matplotlib's settings, the zone and the language are."""
    few = np.load(outputs)
    source = {"y": few["y"][:500] % 10, "logits": few["logits"][:500, :10]}
    make_report(source, tmp_path / "a.html", date="today")
    monkeypatch.setitem(matplotlib.rcParams, "figure.facecolor", "red")
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 30)
    for name, value in {"LC_ALL": "C", "TZ": "Asia/Tokyo", "HOME": "/nonexistent"}.items():
        monkeypatch.setenv(name, value)
    make_report(source, tmp_path / "b.html", date="today")
    first, second = ((tmp_path / name).read_text() for name in ("a.html", "b.html"))
    assert "data:image/svg+xml" in first
    assert first == second.replace("b.json", "a.json").replace("b-map.json", "a-map.json")
    assert matplotlib.rcParams["font.size"] == 30


def as_in_a_terminal():
    """Hear the signals that whoever runs the tests may have asked not to hear."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


AT_WORK = """
import sys
from calib_report import command, page

def told(*outputs, compare=page.compare, **options):
    print("at work", file=sys.stderr, flush=True)
    return compare(*outputs, **options)

page.compare = told
sys.exit(command.main())
"""


def started(outputs):
    """Start a report and wait until it is at work."""
    process = subprocess.Popen(
        [sys.executable, "-c", AT_WORK, "report", str(outputs), "-o", "report.html"],
        cwd=outputs.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=as_in_a_terminal,
    )
    assert process.stderr.readline() == "at work\n"
    return process


@posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_report_in_one_line(outputs, name):
    process = started(outputs)
    for _ in range(3):
        process.send_signal(getattr(signal, name))
        time.sleep(0.02)
    _, told = process.communicate(timeout=120)
    assert told.endswith("calib: interrupted, nothing is written\n")
    assert process.returncode == 130
    assert {path.name for path in outputs.parent.iterdir()} == {"outputs.npz"}


@posix
def test_a_killed_report_leaves_no_file(outputs):
    process = started(outputs)
    process.kill()
    process.communicate()
    assert {path.name for path in outputs.parent.iterdir()} == {"outputs.npz"}


@pytest.mark.slow
def test_copies_of_samples_are_numbered_alike_in_every_process():
    """Folds follow the numbers of clusters, so that these may not hang on how Python hashes."""
    told = "import numpy as np, calib_report; p = np.random.default_rng(0).dirichlet([1, 1], 90)"
    told += "; y = (p[:, 1] > 0.4).astype(int); twice = np.arange(180) % 90"
    told += "; print(calib_report.read({'y': y[twice], 'p': p[twice]}).clusters.tolist())"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    one, two = (
        subprocess.check_output(
            [sys.executable, "-c", told], env=environment | {"PYTHONHASHSEED": s}
        )
        for s in "12"
    )
    assert one == two and len(one) > 300
