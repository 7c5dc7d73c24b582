"""Arrays by name, and what is none."""

import numpy as np
import pytest
from refusals import refuses
from stand_ins import NoArray, Tensor

from calib_report.arrays import as_numpy, column_named, without
from calib_report.contract import ReadingError
from evidence.files_with_truth.samples import P, Y

REFUSED = {
    "no such group": ({"y": Y, "p": P}, {"groups": "ward"}, "there is no 'ward'"),
    "an object that raises": ({"y": Y, "logits": NoArray()}, {}, "logits: not an array ('from"),
}  # fmt: skip
test_arrays_that_are_not_clear_are_refused = refuses(REFUSED)


def test_an_array_is_of_numbers_or_text():
    assert as_numpy(Tensor(np.arange(3))).tolist() == [0, 1, 2]
    assert as_numpy(["a", None]).tolist() == ["a", "None"]
    table = np.array([[1, 3], [2, None]], object)
    assert np.isnan(as_numpy(table)).tolist() == [[False, False], [False, True]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ma.masked_array([1, 2], [0, 1]), "p: a masked array"),
        (np.zeros(2, "m8[s]"), r"p: an array of type timedelta64\[s\]"),
        (np.zeros(2, [("a", int)]), "p: an array of type"),
    ],
)
def test_what_is_neither_numbers_nor_text_is_refused_by_its_name(values, message):
    with pytest.raises(ReadingError, match=message):
        as_numpy(values, "p")


def test_arrays_by_name_but_for_some():
    assert list(without({"a": P, "b": Y}, ["a", None])) == ["b"]


def test_a_column_is_named_or_the_error_lists_what_there_is():
    column = column_named({"a": Y}, "a", "groups")
    assert column.name == "a" and column.values is Y
    with pytest.raises(ReadingError, match=r"^groups: there is no 'b', found 'a'$"):
        column_named({"a": Y}, "b", "groups")


def test_objects_on_one_axis_are_text_and_numbers_stay_as_they_are():
    assert as_numpy(np.array([1, None], object)).tolist() == ["1", "None"]
    assert as_numpy(np.array([["a", None]], object)).tolist() == [["a", "None"]]
    assert as_numpy(np.eye(2, dtype=np.float32)).dtype == np.float32
