"""Files of tools and people are read right at once, or after the option shown, or refused."""

import csv

import numpy as np
import pytest
from helpers import ROOT

from evidence.data import csv_bytes
from evidence.files_with_truth.case import is_right, proposals, reading
from evidence.files_with_truth.of_tools import CASES
from evidence.studies.software.reading_of_files import outcome

# after a change: make files
FILES = ROOT / "data" / "results" / "software" / "reading_of_files.csv"


TABLE = {
    row["file"]: row for row in csv.DictReader(FILES.read_text("utf-8").splitlines())
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_file_is_read_right_or_proposed_right_or_refused(case, tmp_path):
    """At once, by the first proposal, or after an option; never wrong."""
    outputs, error = reading(case, tmp_path, {})
    if case.truth is None:
        error = proposals(case, tmp_path)[1]
    if case.shown:
        assert outputs is None and case.shown in error
        assert error.startswith(str(tmp_path)) and "\n" not in error
    if outputs is None and case.after:
        outputs, error = reading(case, tmp_path, case.after)
        assert error == ""
    elif outputs is None:
        readings = proposals(case, tmp_path)[0]
        assert bool(readings) == (case.truth is not None)
        outputs = readings[0].outputs if readings else None
    assert (outputs is None) == (case.truth is None), f"{case}: {error}"
    assert outputs is None or is_right(case, outputs), f"{case}: {outputs.read_as}"
    assert TABLE[case.name] == outcome(case, tmp_path)


@pytest.mark.parametrize("case", CASES[::4], ids=lambda case: case.name)
def test_a_proposal_is_what_its_options_give(case, tmp_path):
    """Typed, the options give the reading that was shown."""
    reading(case, tmp_path, {})
    for proposal in proposals(case, tmp_path)[0]:
        again, error = reading(case, tmp_path, proposal.options.changed())
        assert error == "" and np.array_equal(again.y, proposal.outputs.y)
        np.testing.assert_array_equal(again.prob, proposal.outputs.prob)


def test_most_files_are_read():
    """What the test above holds of each file, counted: none can be wrong."""
    assert [case.name for case in CASES] == list(TABLE) and len(CASES) >= 200
    assert csv_bytes(list(TABLE.values())) == FILES.read_bytes()
    refused = sum(case.truth is None for case in CASES)
    at_once = sum(
        case.truth is not None and not TABLE[case.name]["typed"] for case in CASES
    )
    assert at_once >= 80 and len(CASES) - at_once - refused >= 80
