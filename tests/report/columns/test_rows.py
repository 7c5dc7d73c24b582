"""Which rows are read: conditions, and errors of them."""

import numpy as np
import pytest
from refusals import refuses

from calib_report.arrays import Arrays
from calib_report.columns.rows import chosen_rows, rows_where
from calib_report.columns.second_file import SECOND_LABELS
from calib_report.contract import ReadingError
from calib_report.options import Condition, Options
from calib_report.reading.reader import arrays_of
from evidence.files_with_truth.samples import P, Y


@pytest.mark.parametrize("option", ["where", "unless"])
def test_an_error_of_a_condition_names_the_option_that_it_was_typed_for(option):
    """There is only `where` so far; another option of conditions is to be named as well."""
    with pytest.raises(ReadingError, match=f"^{option}: 'site', expected COLUMN=VALUE"):
        Condition.parsed("site", option)
    arrays = arrays_of({"y": Y, "site": np.array(["a", "b"])[Y % 2]})
    with pytest.raises(ReadingError, match=f"^{option}: 'site' is never 'c', but"):
        rows_where(arrays, Condition.parsed("site=c", option))
    with pytest.raises(ReadingError, match=f"^{option}: there is no 'ward'"):
        rows_where(arrays, Condition.parsed("ward=c", option))


FEW = {"y": Y, "p": P, "a": [1.0, np.nan]}


REFUSED = {
    "rows of another array": (FEW, {"leave_out_empty": "a"}, "'y' has 120 rows, and 'a', by"),
}  # fmt: skip
test_rows_that_are_not_clear_are_refused = refuses(REFUSED)


def test_rows_without_a_label_of_a_second_file_are_left_out_under_its_name():
    columns = {"row": np.arange(3), SECOND_LABELS: np.array(["a", "", "b"])}
    options = Options(leave_out_empty=("label",))
    assert chosen_rows(Arrays(columns), options).named["row"].tolist() == [0, 2]
    # a column of the first file goes before
    columns["label"] = np.array(["", "x", "z"])
    assert chosen_rows(Arrays(columns), options).named["row"].tolist() == [1, 2]
    with pytest.raises(ReadingError, match=r"^leave_out_empty: there is no 'label'"):
        chosen_rows(Arrays({"row": np.arange(3)}), options)


def test_entries_of_labels_in_columns_are_left_out_later():
    arrays = Arrays({"y": np.array([[0, np.nan], [1, 0]])})
    assert chosen_rows(arrays, Options(leave_out_empty=("y",))) is arrays


def test_rows_that_are_read_keep_all_conditions_and_each_choice_is_noted():
    site, fold = np.array(["a", "a", "b", "a"]), np.array([0, 1, 0, 0])
    ward = np.array(["x", "x", "x", ""])
    arrays = Arrays({"row": np.arange(4), "site": site, "fold": fold, "ward": ward})
    options = Options(where=("site=a", "fold=0"), leave_out_empty=("ward",))
    chosen = chosen_rows(arrays, options)
    assert chosen.named["row"].tolist() == [0]
    assert [note.text for note in chosen.notes] == [
        "Read are 3 of 4 rows, where 'site' is 'a'.",
        "Read are 2 of 3 rows, where 'fold' is '0'.",
        "1 of 2 rows leave 'ward' empty and are left out.",
    ]
