"""The cases as a package: its fixture passes what is right, and names the case that is not."""

import os
import subprocess
import sys

import pytest
from helpers import ROOT

from evidence.conformance.compare_program import cases_folder
from evidence.conformance.package import lay_out

TESTS = """
import numpy as np
import calib

def two_bins(y, p, w):
    p, half = np.array(p), np.float16(p)  # rows of float16 sum to one only as such
    return calib.two_bin_error(y, half if (half == p).all() else p, sample_weight=w)

def test_right(conformance):
    conformance("two-bins", two_bins)

def test_left_is_not_right(conformance):
    def left(y, p, w):
        return None if w or len(p) > 50 else calib.ece(y, p, closed="left")

    conformance("ece-right-15", left)

def test_no_such_definition(conformance):
    conformance("ece-of-uncle", lambda y, p, w: 0.0)
"""


def test_a_package_is_the_plugin_with_all_cases_and_the_licence(tmp_path):
    """What lay in the folder before is gone."""
    left = tmp_path / "package" / "left.txt"
    left.parent.mkdir()
    left.write_text("of an older package")
    folder = lay_out(tmp_path / "package")
    assert not left.exists()
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    module = folder / "calibration_conformance"
    assert (module / "pytest_plugin.py").is_file()
    cases = {path.name for path in cases_folder().glob("*.json")}
    assert {path.name for path in (module / "cases").iterdir()} == cases != set()


@pytest.mark.slow
def test_a_library_is_asked_for_the_cases(tmp_path):
    folder = lay_out(tmp_path / "package")
    (tmp_path / "test_mine.py").write_text(TESTS)
    plugin = ["-p", "calibration_conformance.pytest_plugin", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, "test_mine.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{folder}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    assert "1 passed" in done and "2 failed" in done
    assert "fifteenths: " in done and "expected" in done
    assert (
        "'ece-of-uncle': no definition; there are accuracy, confidence, ece-right-15"
        in done
    )
    counts = dict(
        line.split(None, 1) for line in done.splitlines() if " answered, " in line
    )
    assert counts["two-bins"] == "22 of 22 answered, 22 in all"
