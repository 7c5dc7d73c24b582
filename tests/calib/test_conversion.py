"""Tensors and data frames are the arrays that numpy reads of them."""

import numpy as np
import pytest
from errors import message
from stand_ins import Tensor

import calib

P = np.random.default_rng(0).dirichlet(np.ones(3), size=30)


Y = np.arange(30) % 3


FRAMES = {
    "missing may be": lambda frame: frame.convert_dtypes(),
    "float32": lambda frame: frame.astype("Float32"),
    "arrow": lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
}


@pytest.mark.parametrize("dtype", ["torch.float32", "torch.bfloat16"])
def test_tensors_also_in_a_list_are_arrays(dtype):
    assert calib.ece(Tensor(Y), Tensor(P, dtype)) == pytest.approx(
        calib.ece(Y, P), abs=1e-2
    )
    assert calib.ece(Y, [Tensor(row) for row in P]) == calib.ece(Y, P)


def test_numbers_that_were_bfloat16_are_known():
    """Rounded to 8 bits they are; rows of others, and of other types, are not."""
    p = P.astype(np.float32)
    rounded = (p.view(np.uint32) & 0xFFFF0000).view(np.float32)
    assert calib.is_bfloat16(rounded) and not calib.is_bfloat16(p)
    assert not calib.is_bfloat16(rounded.astype(float))
    with pytest.raises(TypeError, match="array: list, expected an ndarray"):
        calib.is_bfloat16([0.5])


@pytest.mark.parametrize("name", FRAMES)
def test_frames_of_numbers_that_may_be_missing_are_numbers(name):
    pandas = pytest.importorskip("pandas")
    frame = FRAMES[name](pandas.DataFrame(P))
    assert calib.brier(Y, frame) == pytest.approx(calib.brier(Y, P), abs=1e-6)
    if name == "missing may be":
        frame.iloc[1, 0] = pandas.NA
        assert "y_prob: " in message(calib.brier, Y, frame)


def test_what_is_no_array_yet_is_refused_by_its_name():
    lazy = pytest.importorskip("polars").DataFrame(P).lazy()
    error = message(calib.ece, Y, lazy)
    assert "y_prob: " in error and "LazyFrame" in error and "call its collect" in error
    assert "one batch at a time" in message(calib.ece, Y, (row for row in P))
    assert "in the order of the columns" in message(
        calib.nll, np.array(["a", "b", "c"])[Y], P
    )
