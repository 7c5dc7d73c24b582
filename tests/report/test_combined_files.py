"""Files that combine what people vary are read right, proposed right, or refused."""

import pytest
from combined_files import HIT, STATED, TOP, combined, outcome

from calib_report import read
from evidence.files_with_truth.case import is_right

RIGHT = ("right at once", "right first", "rightly refused")


@pytest.mark.parametrize("case", combined()[::23], ids=lambda case: case.name)
def test_files_that_combine_what_people_vary_are_never_read_wrongly(case, tmp_path):
    verdict, words = outcome(case, tmp_path)
    assert verdict in RIGHT, words


@pytest.mark.slow
def test_all_files_that_combine_what_people_vary(tmp_path):
    outcomes = [(case, *outcome(case, tmp_path)) for case in combined()]
    wrong = [words for _, verdict, words in outcomes if verdict.startswith("WRONG")]
    assert len(outcomes) >= 540 and wrong == []
    readable = [verdict for case, verdict, _ in outcomes if case.truth is not None]
    assert sum(verdict in RIGHT for verdict in readable) >= 0.97 * len(readable)


def test_a_wrong_reading_of_a_file_is_seen():
    case = next(case for case in combined() if case.truth is STATED)
    assert is_right(case, read({"confidence": TOP, "correct": HIT}))
    assert not is_right(case, read({"confidence": TOP[::-1], "correct": HIT[::-1]}))
