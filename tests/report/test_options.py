"""What is expected of each option, and errors that name it."""

import numpy as np
import pytest

from calib_report.contract import ReadingError
from calib_report.options import EXPECTED, Options
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import P, Y


def test_each_option_says_what_is_expected_of_it():
    checked = [name for names, *_ in EXPECTED for name in names]
    assert sorted(checked) == sorted(Options.__dataclass_fields__)


NO_OPTIONS = {
    "where": [[3], 3],
    "ids": [5],
    "groups": [[0]],
    "clusters": [1.5],
    "ignore": [[None]],
    "leave_out_empty": [3],
    "percent": ["5", [1]],
    "atol": ["x", -1, True],
    "ignore_index": [True, "x", 1.5, [1, None]],
    "class_axis": [True, "1"],
    "labels_from": [True, 2],
    "pairs": ["no"],
    "classes": [3],
    "y": [True],
    "kind": [1],
}


@pytest.mark.parametrize("name", NO_OPTIONS)
def test_an_error_names_the_option_and_its_value(name):
    for value in NO_OPTIONS[name]:
        with pytest.raises(ReadingError, match=f"^{name}: .*, expected ") as caught:
            read({"y": Y, "p": P}, **{name: value})
        shown = value[-1] if isinstance(value, list) else value
        assert repr(shown) in str(caught.value)


def test_numbers_of_numpy_are_numbers_of_options():
    said = {"labels_from": np.int64(0), "atol": np.float32(0.01), "ignore_index": Y[:1]}
    outputs = read({"y": Y, "p": P}, **said)
    assert len(outputs) == (Y != Y[0]).sum()
