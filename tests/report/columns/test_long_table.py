"""A table with a row for each sample and class, made one with a row a sample."""

import numpy as np
import pytest
from typed import typed

from calib_report.arrays import Arrays
from calib_report.columns.long_table import LongTable, widened_to_samples
from calib_report.contract import ReadingError
from calib_report.options import Options

IDS = np.array(["t2", "t2", "t1", "t1"])
CLASSES = np.array(["cat", "dog", "dog", "cat"])
TABLE = LongTable.of(IDS, CLASSES)


def test_a_cell_of_the_wide_table_is_that_of_its_sample_and_class():
    """Samples stand as in the file, classes in the order of their names."""
    assert TABLE.samples.tolist() == ["t2", "t1"]
    assert TABLE.classes.tolist() == ["cat", "dog"]
    wide = TABLE.wide(np.array([0.9, 0.1, 0.7, 0.3]))
    assert wide.tolist() == [[0.9, 0.1], [0.3, 0.7]]


def test_a_label_is_the_marked_class_or_what_all_rows_say():
    assert TABLE.labels_of_samples(np.array(["0", "1", "0", "1"])).tolist() == [
        "dog",
        "cat",
    ]
    assert TABLE.labels_of_samples(np.array(["ox", "ox", "cat", "cat"])).tolist() == [
        "ox",
        "cat",
    ]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (["1", "1", "0", "1"], "long: 2 rows of the sample 't2' have the label 1"),
        (["0", "1", "0", "0"], "long: 0 rows of the sample 't1' have the label 1"),
        (["cat", "dog", "ox", "ox"], "long: row 1 has the label 'dog', .* 't2', 'cat'"),
    ],
)
def test_labels_that_are_two_or_none_are_refused(entries, message):
    with pytest.raises(ReadingError, match=message):
        TABLE.labels_of_samples(np.array(entries))


def test_a_missing_and_a_repeated_cell_are_refused():
    TABLE.refuse_holes()
    with pytest.raises(ReadingError, match="3 rows are not one for each of 2 samples"):
        LongTable.of(IDS[:3], CLASSES[:3]).refuse_holes()
    with pytest.raises(ReadingError, match="4 rows are not one"):
        LongTable.of(IDS, CLASSES[[0, 1, 2, 2]]).refuse_holes()


def test_a_column_is_of_the_sample_where_its_rows_agree():
    columns = {"site": np.array(["a", "a", "b", "b"]), "rank": np.array([1, 2, 1, 2])}
    assert {n: c.tolist() for n, c in TABLE.constant(columns).items()} == {
        "site": ["a", "b"]
    }


LONG = Arrays(
    typed("id k y s of rank; b u 0 .1 x 1; b v 1 .9 x 2; a v 0 .2 z 1; a u 1 .8 z 2")
)
SAID = {"long": "k", "ids": ("id",), "y": "y", "scores": "s"}


def test_a_long_table_has_a_row_a_sample_and_what_is_the_same_in_all_its_rows():
    wide = widened_to_samples(LONG, Options(**SAID))
    assert wide.classes == ["u", "v"] and wide.named["s"].tolist() == [
        [0.1, 0.9],
        [0.8, 0.2],
    ]
    others = {
        name: column.tolist() for name, column in wide.named.items() if name != "s"
    }
    assert others == {"id": ["b", "a"], "y": ["v", "u"], "of": ["x", "z"]}
    assert wide.notes[-1].text == "4 rows are 2 samples of 2 classes."
    assert widened_to_samples(LONG, Options(y="y")) is LONG


@pytest.mark.parametrize("name", ["ids", "y", "scores"])
def test_a_long_table_is_said_as_a_whole(name):
    with pytest.raises(ReadingError, match="long: say as well --ids, --y and --scores"):
        widened_to_samples(
            LONG, Options(**{**SAID, name: () if name == "ids" else None})
        )


def test_classes_0_and_1_are_labels_and_no_marks():
    table = LongTable.of(IDS, np.array(["0", "1", "1", "0"]))
    assert table.labels_of_samples(np.array(["1", "1", "0", "0"])).tolist() == [
        "1",
        "0",
    ]
