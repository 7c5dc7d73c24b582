"""Which columns name the samples, and which only count the rows."""

import numpy as np
import pytest

from calib_report.columns.ids import counts_up, id_names, is_unique, is_whole

TEXT = np.array(["x", "y", "z"])


@pytest.mark.parametrize(
    ("column", "counts"),
    [
        (np.array([0, 1, 2]), True),
        (np.array([1.0, 2.0, 3.0]), True),
        (np.array([2, 3, 4]), False),
        (np.array([0, 1, 3]), False),
        (np.array([0, 1, 1]), False),
        (np.array([[0, 1, 2]]), False),
        (np.array([]), False),
        (TEXT, False),
    ],
)
def test_what_counts_the_rows_goes_up_by_one_from_0_or_1(column, counts):
    assert counts_up(column) == counts


def test_an_index_that_counts_names_nothing_and_one_that_does_not_is_a_name():
    assert id_names({"index": np.arange(3), "label": TEXT}) == []
    assert id_names({"index": np.array([7, 9, 4]), "label": TEXT}) == ["index"]
    assert id_names({"image_id": np.arange(3)}) == ["image_id"]
    # fractions, and rows of several numbers, name no sample
    assert id_names({"id": np.array([0.5, 1, 2]), "case_id": np.eye(3)}) == []


def test_floats_are_whole_where_none_has_a_fraction():
    assert is_whole(np.array([101.0, 102.0]))
    assert not is_whole(np.array([101.0, np.nan]))
    assert not is_whole(np.array([101, 102])) and not is_whole(np.array([]))


def test_names_are_unique_where_each_stands_once():
    assert is_unique(TEXT) and not is_unique(np.array(["x", "y", "x"]))
