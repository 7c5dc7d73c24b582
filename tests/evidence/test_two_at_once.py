"""Two of everything at once: what comes of it is whole, and of one of the two."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from fuzz.kills import STUDY as LARGE_STUDY
from helpers import ROOT
from test_sources import kept, publish, site  # noqa: F401

import calib_report
from book.__main__ import _alone

STUDY = LARGE_STUDY.replace("6000", "1500")


def started(code, *arguments, **environment):
    command = [sys.executable, *(["-c", code] if "\n" in code else ["-m", code])]
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_two_studies_on_one_cache(tmp_path):
    studies = [started(STUDY, tmp_path / "cache", tmp_path / f"{i}.csv") for i in range(2)]
    assert [study.communicate(timeout=120)[0] for study in studies] == ["", ""]
    assert [study.returncode for study in studies] == [0, 0]
    again = started(STUDY, tmp_path / "cache", tmp_path / "2.csv")
    told = again.communicate(timeout=120)[0]
    assert again.returncode == 0 and told == ""
    assert len({(tmp_path / f"{i}.csv").read_bytes() for i in range(3)}) == 1
    assert {path.suffix for path in (tmp_path / "cache").iterdir()} == {".json"}


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
    assert second.communicate(timeout=60)[0] == "at work\n"


def test_two_downloads_of_one_file(site):  # noqa: F811
    content = np.random.default_rng(0).bytes(3_000_000)
    publish(site, content, expected=content)
    fetching = [started("book.evidence.sources", "--quiet") for _ in range(2)]
    told = [process.communicate(timeout=60)[0] for process in fetching]
    assert [process.returncode for process in fetching] == [0, 0], told
    assert kept(site) == ["o/r/c/a file.csv"]
    assert (site.copy / "o/r/c/a file.csv").read_bytes() == content


RNG = np.random.default_rng(0)
P = RNG.dirichlet(np.ones(3), 2000)
Y = RNG.integers(3, size=2000)


def part(start):
    return calib_report.Accumulator().update(Y[start::2], P[start::2])


def test_accumulators_of_two_processes():
    with ProcessPoolExecutor(2) as pool:
        first, second = pool.map(part, range(2))
    merged, once = first.merge(second), calib_report.Accumulator().update(Y, P)
    assert merged.n == once.n == 2000
    np.testing.assert_allclose([*merged.compute().values()], [*once.compute().values()], 1e-12)
