"""Files as tools write them are read right at once, or after the option shown, or refused."""

from collections import Counter

import numpy as np
import pytest
from helpers import ROOT
from saved_files import CASES, outcomes, reading


def is_right(case, outputs):
    y, p = case.truth
    if outputs.y.tolist() != list(y):
        return False
    return p is None or np.allclose(outputs.prob, p, rtol=0, atol=case.atol)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_file_is_read_right_or_refused_with_what_to_type(case, tmp_path):
    outputs, error = reading(case, tmp_path, {})
    if case.shown:
        assert outputs is None and case.shown in error
        assert error.startswith(str(tmp_path)) and "\n" not in error
        outputs, error = reading(case, tmp_path, case.option) if case.option else (None, "")
    if case.truth is not None:
        assert error == "" and is_right(case, outputs)


def test_of_200_files_nine_tenths_are_read():
    """What the test above holds of each file, counted: none can be wrong."""
    assert len({case.name for case in CASES}) == len(CASES) >= 200
    outcomes = Counter(
        "refused" if case.truth is None else "option" if case.option else "at once"
        for case in CASES
    )
    assert outcomes["at once"] >= 90 and outcomes["option"] >= 40


def test_the_table_of_the_chapter_says_what_comes_of_each_file():
    """After a change: python -m tests.saved_files"""
    assert outcomes() == (ROOT / "data" / "results" / "files.csv").read_bytes()
