"""The runner: what runs is sealed off, is stopped in time, and outlives nobody."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest
from helpers import ROOT, alive, wait_until

from book.runner import RunError, Runner, _remove_left_behind


def notebook(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """A runner whose folders must be gone at the end, and its processes."""
    folder = tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", None)
        with Runner() as runner:
            yield runner
    wait_until(lambda: not alive(str(folder)))
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "kernel died"),
        ("import time\ntime.sleep(300)", "stopped after 4 s"),
        ("raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", "was killed"),
    ],
    ids=["kernel killed", "time limit", "error", "supervisor killed"],
)
def test_whatever_ends_a_notebook_is_told_in_one_line(runner, source, message):
    """The next notebook runs as if nothing had been; of processes that ended no pipe stays open."""
    given = runner.process
    with pytest.raises(RunError, match=message) as caught:
        runner.run(notebook("1 + 1", source), seconds=4 if "sleep" in source else 60)
    assert "\n" not in str(caught.value)
    after = runner.run(notebook("1 + 1"), seconds=60)
    if runner.process is not given and given is not None:
        assert given.stdin.closed and given.stdout.closed
    assert after.cells[0].outputs[0].data["text/plain"] == "2"


LEFT = """
import os, pathlib, numpy, pandas, matplotlib.pyplot as plt

at_home = pathlib.Path.home() / "left"
print(os.environ.get("LEFT"), pandas.options.display.precision, plt.get_fignums())
print(at_home.exists(), os.listdir(), numpy.__dict__.get("left"))
os.environ["LEFT"] = numpy.left = "here"
pandas.options.display.precision = 2
plt.figure()
at_home.touch()
pathlib.Path("left").touch()
"""


def test_nothing_of_a_notebook_is_left_to_the_next(runner):
    for _ in range(2):
        ran = runner.run(notebook(LEFT), seconds=60)
        assert ran.cells[0].outputs[0].text == "None 6 []\nFalse [] None\n"


def test_what_is_forked_has_one_thread(runner):
    runner.run(notebook("1"), seconds=60)
    assert len(list(Path(f"/proc/{runner.process.pid}/task").iterdir())) == 1


SETTINGS = """
import os

import matplotlib

print(matplotlib.get_backend(), matplotlib.rcParams["font.size"], "mine" in globals())
print(os.path.isdir(os.path.expanduser("~")), "SECRET" in os.environ, os.environ["TZ"])
"""


def test_settings_of_the_user_do_not_reach_a_notebook(tmp_path, monkeypatch):
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00.py").write_text("mine = 1\n")
    (tmp_path / "matplotlibrc").write_text("font.size: 30\n")
    given = {"MPLBACKEND": "Agg", "SECRET": "1", "TZ": "Asia/Tokyo", "HOME": "/nonexistent"}
    given |= {"IPYTHONDIR": str(tmp_path / "ipython"), "MATPLOTLIBRC": str(tmp_path)}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with Runner(imported=["matplotlib.pyplot"]) as runner:
        ran = runner.run(notebook(SETTINGS), seconds=60)
    backend, *others = ran.cells[0].outputs[0].text.split()
    assert "inline" in backend and others == ["10.0", "False", "True", "False", "UTC"]


KILLED = """
import os, signal, subprocess

from book.runner import Runner

subprocess.Popen = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
Runner().run(None, seconds=60)
"""


def test_what_a_runner_leaves_that_is_killed_before_it_has_a_process_goes_with_the_next(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT)
    (left,) = tmp_path.iterdir()
    other = tmp_path / f"calib-run-{os.getppid()}-of-a-run-that-goes-on"
    other.mkdir()
    _remove_left_behind()
    assert list(tmp_path.iterdir()) == [other] and left != other
