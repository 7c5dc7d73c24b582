"""Labels as numbers: names, numbers, and what looks like either."""

import numpy as np
import pytest

from calib_report.columns.labels import numbered_labels
from calib_report.contract import ReadingError
from calib_report.reading.reader import read
from calib_report.values import texts
from evidence.files_with_truth.samples import YES, P, Y


@pytest.mark.parametrize("y", [Y, np.array(list("012"))[Y], YES])
def test_a_label_to_leave_out_that_never_occurs_is_told(y):
    outputs = read({"y": y, "p": P}, ignore_index=(-100, 7))
    told = [str(note) for note in outputs.notes if "with which" in str(note)]
    assert len(told) == 2 and "label -100," in told[0] and "label 7," in told[1]
    assert len(outputs) == len(read({"y": y, "p": P}))


def test_labels_are_names_or_numbers_of_classes():
    assert numbered_labels(np.array(["1", "0"]), None, 2, None, "y").tolist() == [1, 0]
    assert numbered_labels(
        np.array([1.0, 3.0]), ["1", "2", "3"], 3, None, "y"
    ).tolist() == [0, 2]
    assert numbered_labels(np.array([True, False]), None, 2, None, "y").tolist() == [
        1,
        0,
    ]
    assert texts(np.array([1.5, 2.0])).tolist() == ["1.5", "2.0"]
    with pytest.raises(
        ReadingError, match="row 0 is 'apple', the name of a class: leave out"
    ):
        numbered_labels(np.array(["apple", "pear"]), ["apple", "pear"], 2, 1, "y")
