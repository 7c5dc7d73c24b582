"""A reading: its rows as they are understood."""

import pandas as pd
import pytest

from calib_report import propose, read


def test_a_row_has_one_number_in_a_reading_and_in_an_error():
    confidence = [0.91, 0.72, 0.83] * 40
    table = pd.DataFrame({"confidence": confidence, "correct": [1, 0, 1] * 40})
    (reading,) = propose(table)
    assert reading.rows()[2] == "row 2: says it is right with 0.83, and is right"
    with pytest.raises(ValueError, match=r"row 2\b"):
        read({**table, "confidence": ["0.91", "0.72", "high"] * 40})


def test_rows_are_told_as_they_are_understood():
    (reading, *_) = propose(
        pd.DataFrame({"ill": ["yes", "no"] * 20, "score": [0.8, 0.3] * 20})
    )
    assert reading.rows(2) == [
        "row 0: says yes with 0.8, the label is yes: right",
        "row 1: says no with 0.7, the label is no: right",
    ]
    assert (reading.accuracy, reading.mean_confidence) == (1, pytest.approx(0.75))
