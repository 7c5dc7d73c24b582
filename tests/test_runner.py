"""The runner: what runs is sealed off, is stopped in time, and outlives nobody."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np
import pytest
from helpers import ROOT, alive, wait_until

from calib import report
from calib.__main__ import main
from calib.runner import RunError, run_notebook


def notebook(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture
def outputs(tmp_path):
    rng = np.random.default_rng(0)
    logits = 3 * rng.normal(size=(400, 3))
    y = (logits / 2 + rng.gumbel(size=logits.shape)).argmax(axis=1)
    np.savez(tmp_path / "outputs.npz", logits=logits, y=y)
    return tmp_path / "outputs.npz"


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files, which must be empty at the end."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    wait_until(lambda: not alive(str(folder)))
    assert not list(folder.iterdir())


def test_settings_of_the_user_do_not_reach_the_report(outputs, tmp_path, monkeypatch):
    """A page is the same bytes whatever the environment, start-up files and home say."""
    plain = tmp_path / "plain.html"
    report.make_report(outputs, plain)
    home = tmp_path / "home"
    startup = home / ".ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "first.py").write_text("raise SystemExit('from a start-up file')")
    (home / ".config" / "matplotlib").mkdir(parents=True)
    (home / ".config" / "matplotlib" / "matplotlibrc").write_text("figure.facecolor: red\n")
    (home / "pandas.py").write_text("raise SystemExit('a file of the folder')")
    monkeypatch.chdir(home)
    for name, value in {
        "HOME": str(home),
        "IPYTHONDIR": str(home / ".ipython"),
        "MPLBACKEND": "Agg",
        "PYTHONSTARTUP": str(startup / "first.py"),
        "PYTHONWARNINGS": "error",
        "LC_ALL": "C",
        "TZ": "Asia/Tokyo",
    }.items():
        monkeypatch.setenv(name, value)
    again = tmp_path / "again.html"
    report.make_report(outputs, again)
    monkeypatch.setenv("HOME", "/nonexistent")
    third = tmp_path / "third.html"
    report.make_report(outputs, third)
    pages = [
        path.read_text().replace(f"{path.stem}.json", "").replace(f"{path.stem}-map", "")
        for path in (plain, again, third)
    ]
    assert "data:image/png" in pages[0]
    assert pages[0] == pages[1] == pages[2]
    assert plain.with_suffix(".json").read_bytes() == third.with_suffix(".json").read_bytes()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "kernel died"),
        ("import time\ntime.sleep(60)", "stopped after 10 s"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", "was killed"),
    ],
    ids=["kernel killed", "time limit", "error", "supervisor killed"],
)
def test_whatever_ends_a_notebook_is_told_in_one_line(temporary, source, message):
    with pytest.raises(RunError, match=message) as caught:
        run_notebook(notebook("1 + 1", source), seconds=10 if "sleep" in source else 60)
    assert "\n" not in str(caught.value)


def start_report(outputs, *arguments):
    command = [sys.executable, "-m", "calib", "report", str(outputs), "-o", "report.html"]
    return subprocess.Popen(
        [*command, *arguments],
        cwd=outputs.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_report_in_one_line(outputs, temporary, number):
    process = start_report(outputs)
    wait_until(lambda: len(alive(str(temporary))) > 2)
    for _ in range(3):
        process.send_signal(number)
        time.sleep(0.02)
    _, told = process.communicate(timeout=30)
    assert told == "calib: interrupted, nothing is written\n"
    assert process.returncode == 130
    assert {path.name for path in outputs.parent.iterdir()} == {"outputs.npz", "temporary"}


def test_a_killed_report_leaves_no_process_and_no_file(outputs, temporary):
    process = start_report(outputs)
    wait_until(lambda: len(alive(str(temporary))) > 2)
    process.kill()
    process.communicate()
    wait_until(lambda: not alive(str(temporary)), seconds=10)
    assert {path.name for path in outputs.parent.iterdir()} == {"outputs.npz", "temporary"}


def test_a_report_that_takes_too_long_says_so(outputs, temporary, monkeypatch, capsys):
    monkeypatch.chdir(outputs.parent)
    assert main(["report", "outputs.npz", "-o", "a.html", "--time-limit", "0.5"]) == 1
    assert capsys.readouterr().err == "calib: stopped after 0.5 s, its time limit\n"
    assert not Path("a.html").exists()
