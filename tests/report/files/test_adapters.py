"""Objects in memory: arrays, tensors, batches, and tables of each library."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusals import refuses
from stand_ins import Tensor

from calib_report.contract import ReadingError
from calib_report.files.adapters import _series, from_frame, from_json, from_nested
from calib_report.reading.reader import read
from evidence.files_with_truth.samples import LOGITS, NAMED, P, Y, frame


def test_nested_arrays_are_named_or_told_apart():
    assert list(from_nested({"y": Y, "loss": 0.3, "names": None}).named) == ["y"]
    assert from_nested((Y, P)).named["y"] is not None
    with pytest.raises(ValueError, match="two arrays of one shape"):
        from_nested((P, P))
    batches = from_nested([(P[:50], Y[:50]), (P[50:100], Y[50:100])]).named
    assert batches["y"].tolist() == Y[:100].tolist() and np.array_equal(
        batches["scores"], P[:100]
    )
    nested = from_nested({"test": {"y": Y, "logits": P}, "epoch": 3}).named
    assert list(nested) == ["test.y", "test.logits"]


def test_labels_of_batches_stand_behind_each_other_and_rows_below():
    halves = [Y[:50], Y[50:100]]
    arrays = from_nested({"labels": halves, "margins": halves}).named
    assert arrays["labels"].tolist() == Y[:100].tolist()
    assert arrays["margins"].tolist() == [half.tolist() for half in halves]


def test_tables_of_all_libraries_are_read():
    table = frame(label=NAMED)
    for source in (
        table,
        pl.from_pandas(table),
        pa.Table.from_pandas(table),
        table.to_dict("list"),
    ):
        np.testing.assert_allclose(read(source).prob, P)


def objects():
    table = frame(label=NAMED)
    batches = [slice(0, 50), slice(50, 100), slice(100, 120)]
    tensors = [Tensor(LOGITS[b]) for b in batches]
    return {
        "array": (Y, P),
        "lists": {"y": Y.tolist(), "probs": P.tolist()},
        "pair": (LOGITS, Y),
        "data frame": table.set_index(np.arange(len(Y)) + 5),
        "tensors": {"logits": Tensor(LOGITS), "labels": Tensor(Y), "epoch": 3},
        "bfloat16": {"logits": Tensor(LOGITS, "torch.bfloat16"), "labels": Y},
        "batches": {"logits": tensors, "y": [Y[b] for b in batches]},
        "list of batches": [{"logits": LOGITS[b], "y": Y[b]} for b in batches],
        "batches in a pair": ([LOGITS[b] for b in batches], [Y[b] for b in batches]),
        "rows": {"probs": list(P), "y": list(Y)},
    }


KIND = {"pair": "logits", "batches in a pair": "logits"}  # a pair has no names


@pytest.mark.parametrize("name", objects())
def test_objects_are_read_by_the_same_door(name):
    outputs = read(objects()[name], kind=KIND.get(name))
    np.testing.assert_allclose(outputs.prob, P, atol=1e-6)
    assert outputs.y.tolist() == Y.tolist()


REFUSED = {
    "a number alone": (3.0, {}, "scores: shape () of float64, expected numbers"),
    "one name twice": (pd.DataFrame(P, columns=["p", "y", "y"]), {}, "two arrays have one name"),
}  # fmt: skip
test_objects_that_are_not_clear_are_refused = refuses(REFUSED)


@pytest.mark.parametrize(
    "content",
    [
        [{"y": 0, "p": 0.5}, {"y": 1, "p": 0.25}],
        {"y": [0, 1], "p": [0.5, 0.25]},
        # rows or columns by the names of rows, as pandas writes them
        {"y": {"7": 0, "9": 1}, "p": {"7": 0.5, "9": 0.25}},
        {"columns": ["y", "p"], "data": [[0, 0.5], [1, 0.25]]},
        {"schema": {}, "data": [{"y": 0, "p": 0.5}, {"y": 1, "p": 0.25}]},
        # the one list of rows beside other things
        {"of": "a", "n": [], "rows": [{"y": 0, "p": 0.5}, {"y": 1, "p": 0.25}]},
    ],
)
def test_rows_are_found_in_whatever_wraps_them(content):
    arrays = from_json(content).named
    assert arrays["y"].tolist() == [0, 1] and arrays["p"].tolist() == [0.5, 0.25]


def test_vectors_of_spark_are_whole_or_list_their_places():
    whole = {"type": 1, "size": None, "indices": None, "values": [0.25, 0.75]}
    listed = {"type": 0, "size": 2, "indices": [1], "values": [1.0]}
    arrays = from_frame(pd.DataFrame({"y": [0, 1], "probs": [whole, listed]})).named
    assert arrays["probs"].tolist() == [[0.25, 0.75], [0, 1]]


def test_a_batch_lacks_nothing_that_the_first_has():
    with pytest.raises(ReadingError, match="row 1 has no 'p', and other rows have"):
        from_nested([{"y": Y, "p": P}, {"y": Y}])


def test_a_column_in_which_numbers_may_be_missing_holds_nan():
    table = pd.DataFrame({"n": pd.array([1, None], "Int64"), "t": ["a", None]})
    arrays = from_frame(table).named
    np.testing.assert_array_equal(arrays["n"], [1, np.nan])
    assert arrays["t"].tolist() == ["a", ""]
    with pytest.raises(ReadingError, match="'d' holds spans of time"):
        from_frame(pd.DataFrame({"d": pd.to_timedelta([1, 2])}))


class PolarsColumn:
    """What a column of polars gives, whether it is installed or not."""

    name = "p"

    def __init__(self, values, kind=object):
        self.values, self.kind = values, kind

    def to_list(self):
        return self.values

    def to_numpy(self):
        return np.array(self.values, self.kind)


@pytest.mark.parametrize(
    ("column", "array"),
    [
        (PolarsColumn([1.5, 2.0], float), [1.5, 2.0]),
        (PolarsColumn([True, False], bool), [True, False]),
        (PolarsColumn(["a", None]), ["a", ""]),
        (PolarsColumn([[0.1, 0.9], [0.8, 0.2]]), [[0.1, 0.9], [0.8, 0.2]]),
    ],
)
def test_a_column_of_polars_is_numbers_or_text_or_an_array_of_its_lists(column, array):
    assert _series(column).tolist() == array
