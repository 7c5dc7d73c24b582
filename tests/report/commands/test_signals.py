"""Signals: what is interrupted says so in one line, and leaves no file."""

import os
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from processes import start

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="kills and limits as POSIX has them"
)


AT_WORK = """
import os, sys
from calib_report.commands.main import main
from calib_report.analysing import analysis

def told(*outputs, compare_maps=analysis.compare_maps, **options):
    print("at work:", os.getpid(), file=sys.stderr, flush=True)
    for _ in range(500):
        compare_maps(*outputs, **options)

analysis.compare_maps = told
for _ in iter(sys.stdin.readline, ""):
    if not (child := os.fork()):
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=sys.stderr, flush=True)
"""


def as_in_a_terminal():
    """Hear the signals that whoever runs the tests may have asked not to hear."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.slow
def test_a_signal_ends_a_report_in_one_line_and_leaves_no_file(needs_a_map):
    line, streams = (
        ["report", needs_a_map, "-o", "report.html"],
        {"stdin": subprocess.PIPE},
    )
    process = start(
        AT_WORK, *line, cwd=needs_a_map.parent, preexec_fn=as_in_a_terminal, **streams
    )
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"):
        print(file=process.stdin, flush=True)
        at_work = int(process.stderr.readline().removeprefix("at work: "))
        for _ in range(3):
            with suppress(ProcessLookupError):
                os.kill(at_work, getattr(signal, name))
            time.sleep(0.02)
        if name != "SIGKILL":
            assert (
                process.stderr.readline() == "calib: interrupted, nothing is written\n"
            )
        assert process.stderr.readline() == ("-9\n" if name == "SIGKILL" else "130\n")
        assert list(needs_a_map.parent.iterdir()) == [needs_a_map]
    process.communicate(timeout=60)
