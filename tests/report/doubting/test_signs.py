"""Signs that labels or scores are not what they are called."""

from calib_report.reading.reader import read
from evidence.files_with_truth.samples import P


def test_own_predictions_are_told():
    assert "own predictions" in read({"y": P.argmax(axis=1), "p": P}).notes[0].text
