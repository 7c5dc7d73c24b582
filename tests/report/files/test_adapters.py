"""Objects in memory: arrays, tensors, batches, and tables of each library."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from refusals import refusal
from stand_ins import Tensor

from calib_report.files.adapters import from_nested
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


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_what_to_do(case):
    source, options, message = REFUSED[case]
    assert message in refusal(source, **options)
