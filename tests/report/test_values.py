"""What a cell holds: a number, right or wrong, or neither."""

import numpy as np
import pytest
from refusals import refuses

from calib_report.contract import ReadingError
from calib_report.values import (
    Column,
    are_whole,
    are_words,
    cluster_numbers,
    empty_entries,
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
test_values_that_are_not_clear_are_refused = refuses(REFUSED)


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


def test_a_hit_is_true_or_false_in_some_languages_and_the_strangest_row_is_shown():
    assert column("Yes", "no", " JA", "f").hits.tolist() == [1, 0, 1, 0]
    with pytest.raises(ReadingError, match=r"row 2 of 'a': '0\.5' says neither"):
        Column("a", np.array([1.0, 2.0, 0.5])).hits.tolist()


def test_a_word_for_nothing_is_a_class_where_one_is_called_so():
    cells = np.array(["NA", "", " none ", "DE"])
    assert empty_entries(cells).tolist() == [True, True, True, False]
    assert empty_entries(cells, ["na", "DE"]).tolist() == [False, True, True, False]
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


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        ([".5", "1,5"], None),  # beside a point a comma is no decimal sign
        (["1,5", "2"], [1.5, 2]),
        (["[1, 2]", "[3]"], None),
        (["[1, 2]", "3"], None),
        (["1, 2]", "3, 4]"], None),
        (["3", "4"], [3, 4]),
        (["-inf", "1e-3"], [-np.inf, 0.001]),
        (["5 %", " 1/4 "], [0.05, 0.25]),
        ([["0.1", "0.9"], ["1", "0"]], [[0.1, 0.9], [1, 0]]),
    ],
)
def test_cells_of_text_are_numbers_all_of_them_or_the_row_is_told(cells, numbers):
    column = Column("a", np.array(cells))
    if numbers is None:
        with pytest.raises(
            ReadingError, match=r"^row \d of 'a' is '.*', expected a number"
        ):
            _ = column.numbers
    else:
        assert column.numbers.tolist() == numbers


def test_numbers_of_one_column_are_never_empty_and_those_of_an_array_may_be():
    holes = np.array([[0.5, np.nan]])
    assert Column("a", holes).numbers is holes
    with pytest.raises(
        ReadingError, match="'a' is empty in 1 of 2 rows, the first is row 1"
    ):
        _ = Column("a", holes[0]).numbers
    with pytest.raises(ReadingError, match=r"'a' holds datetime64.*, expected numbers"):
        _ = Column("a", np.array(["2026-01-01"], "datetime64[D]")).numbers


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["cat", "dog"], True),
        (["cat", "1"], False),
        (["[0.1, 0.9]"], False),
        ([1, 2], False),
        ([["cat", "dog"]], False),
    ],
)
def test_words_are_cells_of_which_none_begins_as_a_number(cells, words):
    assert are_words(np.array(cells)) == words


def test_whole_labels_are_texts_of_whole_numbers():
    assert are_whole(["-1", "12"]) and are_whole([])
    assert not are_whole(["1", "1.0"]) and not are_whole(["9" * 19])


def test_texts_of_empty_columns_and_of_fractions_stay():
    assert texts(np.array([])).tolist() == []
    assert texts(np.array([" a ", "b"])).tolist() == ["a", "b"]
    assert texts(np.array([1.0, np.nan])).tolist() == ["1.0", "nan"]
    assert labels_occurring(np.array([2.0, np.nan, 1.0])) == ["1", "2"]
    assert labels_occurring(np.array([])) == labels_occurring(np.eye(2)) == []
