"""What a cell holds: a number, right or wrong, or neither."""

import numpy as np
import pytest
from refusals import refusal

from calib_report.contract import ReadingError
from calib_report.values import (
    Column,
    cluster_numbers,
    is_empty,
    labels_occurring,
    names_of_labels,
    texts,
)
from evidence.files_with_truth.samples import TOP

MAYBE = ["maybe"] * 120


LETTER = [["90a", "10%"], ["0.1", "0.9"]]


REFUSED = {
    "neither": ({"confidence": TOP, "correct": MAYBE}, {}, "neither right nor wrong"),
    "a number and a letter": ({"y": [0, 1], "probs": LETTER}, {}, "row 0 of 'probs' is '90a', exp"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)


def column(*cells):
    return Column("a", np.array(cells))


def test_a_cell_of_text_is_a_number_a_share_or_a_vector():
    assert column("85%", "8/10", "0.5", "-3").numbers.tolist() == [0.85, 0.8, 0.5, -3]
    # the decimal sign of many countries, unless a point stands in the column
    assert column("0,5", "1,25").numbers.tolist() == [0.5, 1.25]
    vectors = column("[0.1, 0.9]", "[0.4 0.6]").numbers
    assert vectors.tolist() == [[0.1, 0.9], [0.4, 0.6]]
    assert np.isnan(column("1/0", "1/2").numbers[0])


@pytest.mark.parametrize("cell", ["1_000", "infinity", "0x1", "1,5.0", "high"])
def test_what_only_python_takes_for_a_number_is_none(cell):
    with pytest.raises(ReadingError, match=r"row 1 of 'a' is .*, expected a number"):
        column("0.5", cell).numbers.tolist()


def test_a_verdict_is_true_or_false_in_some_languages_and_the_strangest_row_is_shown():
    assert column("Yes", "no", " JA", "f").truth.tolist() == [1, 0, 1, 0]
    with pytest.raises(ReadingError, match=r"row 2 of 'a': '0\.5' says neither"):
        Column("a", np.array([1.0, 2.0, 0.5])).truth.tolist()


def test_a_word_for_nothing_is_a_class_where_one_is_called_so():
    cells = np.array(["NA", "", " none ", "DE"])
    assert is_empty(cells).tolist() == [True, True, True, False]
    assert is_empty(cells, ["na", "DE"]).tolist() == [False, True, True, False]
    assert labels_occurring(cells, ["na"]) == ["DE", "NA"]
    with pytest.raises(ReadingError, match="empty in 3 of 4 rows, the first is row 0"):
        Column("a", cells).refuse_empty()


def test_whole_numbers_have_no_point_as_long_as_floats_hold_them():
    assert texts(np.array([1.0, -2.0])).tolist() == ["1", "-2"]
    assert texts(np.array([1.0, 2.5])).tolist() == ["1.0", "2.5"]
    assert texts(np.array([2.0**53])).tolist() == [str(2.0**53)]


def test_labels_and_names_match_but_for_case_and_signs_if_each_has_one():
    assert names_of_labels(["New York", "a"], ["A", "new_york"]) == {
        "New York": "new_york",
        "a": "A",
    }
    # as it stands goes before what is alike
    assert names_of_labels(["a"], ["A", "a"]) == {"a": "a"}
    assert names_of_labels(["a", "b"], ["a", "c"]) == {}
    assert names_of_labels(["a_b"], ["A B", "a.b"]) == {}
    assert names_of_labels(["a", "A"], ["a", "b"]) == {}


def test_clusters_are_numbered_from_0_in_the_order_of_their_names():
    assert cluster_numbers(["x", "b", "x"]).tolist() == [1, 0, 1]
    assert cluster_numbers(None) is None
