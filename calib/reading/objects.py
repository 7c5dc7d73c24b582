"""Outputs in memory: arrays and tensors of any library, data frames, a classifier with its data."""

from typing import Any

import numpy as np

from calib.checks import from_library
from calib.reading.files import extra, from_nested
from calib.reading.tables import Arrays, from_columns, from_lists


def from_object(source: Any, X: Any = None) -> Arrays:
    """Return the arrays of an object by name; a ValueError says that it is none that is known."""
    if X is not None:
        return _estimator(source, X)
    if hasattr(source, "_asdict"):  # a named tuple, such as a trainer's predictions
        source = source._asdict()
    if hasattr(source, "get_columns"):  # polars
        lists = any("List" in str(kind) or "Array" in str(kind) for kind in source.dtypes)
        source = source.to_pandas() if lists else source.to_dict(as_series=True)
        if isinstance(source, dict):
            return Arrays({n: as_numpy(column, n) for n, column in source.items()}, table=True)
    if hasattr(source, "iloc") and hasattr(source, "columns"):  # pandas
        frame = source.reset_index(drop=True)
        names = [str(name) for name in frame.columns]
        columns = {name: frame.iloc[:, i] for i, name in enumerate(names)}
        return from_columns(columns, extra("pandas", "data frames"))
    if isinstance(source, dict) or hasattr(source, "keys"):
        values = {str(name): source[name] for name in source.keys()}
        if all(isinstance(value, list) for value in values.values()):
            return from_lists(values)
        return Arrays(
            {n: as_numpy(v, n) for n, v in values.items() if v is not None and n != "metrics"}
        )
    if isinstance(source, tuple):
        return from_nested(tuple(map(as_numpy, source)))
    return Arrays({"": as_numpy(source)})


def as_numpy(values: Any, name: str = "") -> np.ndarray:
    """Return an array; a tensor leaves its device and its gradient behind, bfloat16 widens."""
    name = name and f"{name}: "
    if np.ma.isMaskedArray(values):
        raise ValueError(f"{name}a masked array, expected an array without masked entries")
    try:
        array = np.asarray(from_library(values))
    except Exception as error:  # an object's own __array__ may raise anything
        raise ValueError(f"{name}not an array ({error})") from None
    if array.dtype.kind == "V" or "bfloat16" in str(array.dtype):
        array = array.astype(np.float32)
    if array.dtype.kind == "O":
        array = array.astype(str)
    return array


def several_targets(estimator: Any) -> str:
    """Say what to do with a classifier of several targets."""
    return (
        f"{type(estimator).__name__} gives a list of outputs, one a target: calibrate each by "
        "itself, as MultiOutputClassifier(CalibratedModel(...)) does"
    )


def _estimator(estimator: Any, X: Any) -> Arrays:
    """Return a fitted classifier's decision function, or its probabilities where it has none."""
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise ValueError(f"{type(estimator).__name__} has no classes_: fit it first")
    method = next(
        (name for name in ("decision_function", "predict_proba") if hasattr(estimator, name)), None
    )
    if method is None:
        raise ValueError(f"{type(estimator).__name__} has neither probabilities nor a decision")
    kind = "logits" if method == "decision_function" else "probabilities"
    scores = getattr(estimator, method)(X)
    if isinstance(scores, list):
        raise ValueError(several_targets(estimator))
    scores = np.asarray(scores)
    return Arrays({kind: scores}, classes=[str(name) for name in classes])
