"""The runner: what runs is sealed off, is stopped in time, and outlives nobody."""

import os
import subprocess
import sys
import tempfile

import nbformat
import pytest
from helpers import ROOT, alive, wait_until

from book.runner import RunError, _folder, run_notebook


def notebook(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


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


KILLED = """
import os, signal
import nbformat
from book.runner import run_notebook

nbformat.write = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
run_notebook(nbformat.v4.new_notebook(), seconds=60)
"""


def test_what_a_run_leaves_that_is_killed_before_it_has_a_supervisor_goes_with_the_next(temporary):
    subprocess.run([sys.executable, "-c", KILLED], cwd=ROOT)
    assert len(list(temporary.iterdir())) == 1
    other = temporary / f"calib-run-{os.getppid()}-of-a-run-that-goes-on"
    other.mkdir()
    with _folder() as own:
        assert set(temporary.iterdir()) == {own, other}
    other.rmdir()
