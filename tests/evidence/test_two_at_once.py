"""Two of everything at once: what comes of it is whole, and of one of the two."""

import os
import subprocess
import sys

from helpers import ROOT
from test_sources import kept, publish, site  # noqa: F401

from book.__main__ import _alone


def started(code, *arguments, **environment):
    command = [sys.executable, *(["-c", code] if "\n" in code else ["-m", code])]
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


WAIT = """
import sys
from pathlib import Path

from book.__main__ import _alone

with _alone(Path(sys.argv[1])):
    print("at work", flush=True)
"""


def test_a_second_build_waits_for_the_first(tmp_path):
    with _alone(tmp_path / "lock"):
        second = started(WAIT, tmp_path / "lock")
        assert second.stdout.readline() == "waiting for another build to end\n"
        assert second.poll() is None
    assert second.communicate(timeout=120)[0] == "at work\n"
