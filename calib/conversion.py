"""What numpy reads of tensors and of data frames; numbers that were bfloat16."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


def from_library(values: Any) -> Any:
    """Return what numpy reads of tensors, lists of tensors, and frames with missing numbers.

    Parameters
    ----------
    values : array_like
        A tensor leaves its device and its gradient behind, and bfloat16 becomes float32. A data
        frame of numbers, of types in which one may be missing, becomes floats. All else stays.

    Returns
    -------
    array_like
        What ``numpy.asarray`` takes.

    Raises
    ------
    ValueError
        For an iterator, of which a batch at a time should be taken, and for what is lazy, such as
        a ``polars.LazyFrame``.

    Examples
    --------
    >>> from_library([0.5, 1.0])
    [0.5, 1.0]
    """
    if type(values) is np.ndarray:
        return values
    _refuse_what_is_no_array(values)
    if isinstance(values, list) and values and hasattr(values[0], "detach"):
        return [from_library(value) for value in values]
    if _may_lack_numbers(values):
        return values.to_numpy(float)
    return _of_tensor(values) if hasattr(values, "detach") else values


def _refuse_what_is_no_array(values: Any) -> None:
    kind = type(values).__name__
    if isinstance(values, Iterator):
        raise ValueError(f"a {kind}, expected an array: take one batch at a time")
    if hasattr(values, "collect") and not hasattr(values, "__array__"):
        raise ValueError(f"a {kind}, expected an array: call its collect() first")


def _may_lack_numbers(values: Any) -> bool:
    """Tell whether a data frame holds numbers alone, of types that have a missing one."""
    if not hasattr(values, "iloc") or np.ndim(values) != 2:
        return False
    types = values.dtypes.tolist()
    are_numbers = all(dtype.kind in "biuf" for dtype in types)
    return are_numbers and not all(isinstance(dtype, np.dtype) for dtype in types)


def _of_tensor(tensor: Any) -> np.ndarray:
    values = tensor.detach().cpu()
    if "bfloat16" in str(values.dtype):  # which numpy does not know
        values = values.float()
    array: np.ndarray = values.numpy()
    return array


def is_bfloat16(array: np.ndarray) -> bool:
    """Tell whether float32 numbers were bfloat16: the lower half of each is empty.

    Parameters
    ----------
    array : ndarray

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        Where it is no array of numpy, which alone has a type to look at.

    Examples
    --------
    >>> is_bfloat16(np.float32([0.5, 0.25])), is_bfloat16(np.float32([0.3, 0.7]))
    (True, False)
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"array: {type(array).__name__}, expected an ndarray")
    if array.dtype != np.float32:
        return False
    bits = np.ascontiguousarray(array).view(np.uint32)
    return not (bits[:10] & 0xFFFF).any() and not (bits & 0xFFFF).any()
