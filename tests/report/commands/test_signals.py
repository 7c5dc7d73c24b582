"""Signals: what is interrupted says so in one line, and leaves no file."""

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from processes import start
from threadpoolctl import threadpool_info

from calib_report.commands.signals import SIGNALS, one_interruption, one_thread

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="kills and limits as POSIX has them"
)


@pytest.fixture
def handlers():
    """Hear the signals, whatever the tests are run by, and restore afterwards what was heard."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    as_in_a_terminal()
    yield heard
    for number, handler in before.items():
        signal.signal(number, handler)


def heard():
    """What happens at each signal."""
    return [signal.getsignal(number) for number in SIGNALS]


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_interrupts_and_those_that_follow_are_ignored(
    number, handlers
):
    with pytest.raises(KeyboardInterrupt), one_interruption():
        try:
            os.kill(os.getpid(), number)
        finally:
            for later in SIGNALS:
                os.kill(os.getpid(), later)
    # what is left of the process is its end
    assert handlers() == [signal.SIG_IGN] * len(SIGNALS)


@pytest.mark.parametrize("error", [None, ValueError])
def test_what_was_heard_before_is_heard_again_where_nothing_interrupts(error, handlers):
    before = handlers()
    with suppress(ValueError), one_interruption():
        assert not {*handlers()} & {*before}
        if error is not None:
            raise error
    assert handlers() == before


def test_a_signal_that_nohup_ignores_stays_ignored_but_for_that_of_the_keyboard(
    handlers,
):
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    with one_interruption():
        are_ignored = [handler is signal.SIG_IGN for handler in handlers()]
    assert are_ignored == [number != signal.SIGINT for number in SIGNALS]


def test_beside_the_main_thread_signals_stay_as_they_are(handlers):
    before, within = handlers(), []

    def at_work():
        with one_interruption():
            within.append(handlers())

    thread = threading.Thread(target=at_work)
    thread.start()
    thread.join()
    assert within == [before]


def test_linear_algebra_takes_one_thread():
    np.ones((2, 2)) @ np.ones((2, 2))
    with one_thread():
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}


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
