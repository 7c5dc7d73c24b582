"""Tables, JSON and objects in memory as named arrays: layouts of tools, told by their marks."""

from collections.abc import Callable, Mapping
from itertools import chain, product
from operator import itemgetter
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, as_numpy
from calib_report.contract import ReadingError, all_called, is_called
from calib_report.files.json_rows import flat, from_lists, from_rows, is_ranking, stack
from calib_report.files.logs import LOGS


def from_frame(frame: Any) -> Arrays:
    """Return the columns of a data frame; a column of lists is an array of two dimensions."""
    columns = {str(name): _dense_lists(column) for name, column in frame.items()}
    # a dict would silently keep the last of two columns of one name
    if len(columns) < frame.shape[1]:
        raise ReadingError("two arrays have one name")
    if any(map(_holds_lists, columns.values())):
        lists = {name: column.tolist() for name, column in columns.items()}
        return from_lists(dict(zip(lists, map(_as_lists, lists.values()), strict=True)))
    return Arrays({name: _column(column) for name, column in columns.items()})


def _holds_lists(column: Any) -> bool:
    return len(column) > 0 and isinstance(column.iloc[0], list | tuple | np.ndarray)


def _column(column: Any) -> np.ndarray:
    """Return a column as numbers, where one that is missing is nan, or as text."""
    if column.dtype.kind == "m":
        raise ReadingError(
            f"{column.name!r} holds spans of time, expected numbers or text"
        )
    if column.dtype.kind not in "biuf":
        return column.astype(object).where(column.notna(), "").to_numpy(str)
    if isinstance(column.dtype, np.dtype):
        return column.to_numpy()
    # of types in which a number may be missing
    return column.to_numpy(float, na_value=np.nan)


def _dense_lists(column: Any) -> Any:
    """Return lists for the vectors that Spark ML writes: a type, a size, indices and values."""
    if not len(column) or not isinstance(column.iloc[0], dict):
        return column
    is_vector = {"type", "values"} <= set(column.iloc[0])
    return column.map(_vector) if is_vector else column


def _vector(entry: Mapping[str, Any]) -> list[float]:
    if entry.get("indices") is None:
        return list(entry["values"])
    dense = np.zeros(int(entry["size"]))
    dense[np.asarray(entry["indices"], int)] = entry["values"]
    return dense.tolist()


def _as_lists(value: Any) -> Any:
    """Return lists for arrays within lists."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(map(_as_lists, value)) if isinstance(value, list) else value


def from_json(content: Any) -> Arrays:
    """Return the arrays of what was read from JSON: lists by name, or rows, as tools write them."""
    content = _without_wrapping(content)
    if isinstance(content, dict):
        return from_lists({name: v for name, v in flat(content) if isinstance(v, list)})
    rows = _rows_with_names(content)
    for is_log, arrays_of_log in LOGS:
        if is_log(rows[0]):
            return arrays_of_log(rows)
    return from_rows([*map(dict, map(flat, rows))])


def _rows_with_names(content: Any) -> list[dict[str, Any]]:
    rows = content if isinstance(content, list) else []
    rows = [{"scores": row} if is_ranking(row) else row for row in rows]
    if not _is_list_of(dict, rows):
        raise ReadingError(
            'expected rows with names, such as {"label": 1, "probs": [0.2, 0.8]}'
        )
    return rows


def _without_wrapping(content: Any) -> Any:
    """Return the rows within what pandas, Inspect and services put around them."""
    if not isinstance(content, dict):
        return content
    for names, unwrapped in WRAPPINGS:
        if names <= set(content):
            return unwrapped(content)
    if _is_list_of(dict, list(content.values())):
        return _rows_of_objects(content)
    return _only_list(content)


def _rows_of_split(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of what pandas wrote as names, an index and data."""
    names, index, rows = content["columns"], content.get("index"), content["data"]
    if index is not None and len(index) != len(rows):
        raise ReadingError(
            f"an index of {len(index)} rows, and {len(rows)} rows of data"
        )
    return [dict(zip(names, row, strict=True)) for row in rows]


def _rows_of_objects(content: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    """Return the rows of what pandas wrote by columns, or by its index."""
    first = next(iter(content.values()))
    # rows by their index have labels within, columns have row numbers
    if all_called(first, "labels"):
        return list(content.values())
    # an index may be lacking in some columns; it keeps its order
    index = dict.fromkeys(chain.from_iterable(content.values()))
    return [{name: content[name].get(row) for name in content} for row in index]


def _only_list(content: Mapping[str, Any]) -> Any:
    """Return the one list of rows, such as in {"metadata": …, "predictions": […]}."""
    lists = [value for value in content.values() if isinstance(value, list) and value]
    return lists[0] if len(lists) == 1 and _is_list_of(dict, lists[0]) else content


# by the names that tell them: pandas' split and table, and a log of Inspect
WRAPPINGS: tuple[tuple[set[str], Callable[[Mapping[str, Any]], Any]], ...] = (
    ({"columns", "data"}, _rows_of_split),
    ({"schema", "data"}, itemgetter("data")),
    ({"eval", "samples"}, itemgetter("samples")),
)


def from_nested(value: Any) -> Arrays:
    """Return the arrays of a dict, a pair of labels and scores, one array, or lists of batches."""
    value = _without_batches(value)
    if isinstance(value, dict):
        return Arrays(_arrays_of_dict(value))
    if isinstance(value, list | tuple) and len(value) == 2:
        return _labels_and_scores(_one_array("", value[0]), _one_array("", value[1]))
    array = as_numpy(value)
    if array.ndim == 0:
        raise ReadingError(
            f"scores: shape () of {array.dtype}, expected numbers (n, K)"
        )
    return Arrays({"": array}, scores="")


def _without_batches(value: Any) -> Any:
    """Return arrays for a list of batches, dicts or pairs of arrays; anything else as it is."""
    if _is_list_of(dict, value):
        return _batches_by_name(value)
    if isinstance(value, list) and all(map(_is_batch, value)):
        return [*map(_concatenated, zip(*value, strict=True))]
    return value


def _is_list_of(entry_type: type, value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(v, entry_type) for v in value)
    )


def _concatenated(batches: Any) -> np.ndarray:
    return np.concatenate([as_numpy(batch) for batch in batches])


def _batches_by_name(batches: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = list(batches[0])
    for number, name in product(range(len(batches)), names):
        if name not in batches[number]:
            raise ReadingError(f"row {number} has no {name!r}, and other rows have")
    return {name: [batch[name] for batch in batches] for name in names}


def _arrays_of_dict(value: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Return the arrays of a dict, those of a dict within it under names joined by dots."""
    paths: dict[str, Any] = {}
    for name, inner in value.items():
        paths |= _entries_below(str(name), inner)
    entries = {path: array for path, array in paths.items() if _has_entries(array)}
    return {path: _one_array(path, array) for path, array in entries.items()}


def _entries_below(name: str, inner: Any) -> dict[str, Any]:
    """Return what a dict holds under its name and theirs; of anything else its name and itself."""
    if not isinstance(inner, dict):
        return {name: inner}
    return {f"{name}.{below}" if below else name: inner[below] for below in inner}


def _has_entries(value: Any) -> bool:
    """Tell whether something is an array, or a list; a single number says nothing of samples."""
    return bool(getattr(value, "shape", isinstance(value, list | tuple)))


def _labels_and_scores(first: np.ndarray, second: np.ndarray) -> Arrays:
    # labels have fewer axes than scores
    y, scores = sorted(
        (first, second), key=lambda array: (array.ndim, array.dtype.kind)
    )
    if y.ndim == scores.ndim:
        raise ReadingError(
            "two arrays of one shape: name them, y and logits or probabilities"
        )
    return Arrays({"y": y, "scores": scores}, y="y", scores="scores")


def _is_batch(value: Any) -> bool:
    """Tell whether something is a pair of arrays, such as the logits and labels of a batch."""
    pair = isinstance(value, list | tuple) and len(value) == 2
    return pair and all(len(getattr(array, "shape", ())) > 0 for array in value)


def _one_array(name: str, value: Any) -> np.ndarray:
    """Return an array; batches in a list are put behind each other."""
    if not _is_list_of_arrays(value):
        return as_numpy(value, name)
    arrays = [as_numpy(array, name) for array in value]
    # a list of vectors is the rows of one array, but batches of labels are vectors too
    most_axes = 0 if is_called(name, "labels") else 1
    are_rows = arrays[0].ndim <= most_axes
    are_alike = len({array.shape for array in arrays}) == 1
    return np.stack(arrays) if are_rows and are_alike else np.concatenate(arrays)


def _is_list_of_arrays(value: Any) -> bool:
    return (
        isinstance(value, list | tuple) and bool(value) and hasattr(value[0], "shape")
    )


def from_object(source: Any) -> Arrays:
    """Return the arrays of an object in memory; a ValueError says that it is none that is known."""
    if _is_polars(source):
        return Arrays({column.name: _series(column) for column in source.get_columns()})
    if _is_arrow(source):
        source = source.to_pandas()
    if hasattr(source, "iloc") and hasattr(source, "columns"):  # pandas
        return from_frame(source.reset_index(drop=True))
    return from_nested_names(_arrays_by_name(source))


def _is_polars(source: Any) -> bool:
    return hasattr(source, "to_dict") and hasattr(source, "get_columns")


def _is_arrow(source: Any) -> bool:
    return hasattr(source, "to_pandas") and hasattr(source, "column_names")


def _arrays_by_name(source: Any) -> Any:
    """Return a dict for what holds arrays by name: a mapping, an archive, a structured array."""
    names = getattr(getattr(source, "dtype", None), "names", None)
    if names:
        return {name: source[name] for name in names}
    # a numpy archive, or a group of h5py, has keys and is no dict
    if hasattr(source, "keys"):
        return {str(name): source[name] for name in source.keys()}
    return source


def from_nested_names(source: Any) -> Arrays:
    """Return the arrays of plain lists by name, in which a value may be missing, or of arrays."""
    if isinstance(source, dict) and all(map(_is_plain_list, source.values())):
        return from_lists(source)
    return from_nested(source)


def _is_plain_list(value: Any) -> bool:
    return type(value) is list and not _is_list_of_arrays(value)


def _series(column: Any) -> np.ndarray:
    """Return a column of polars; where a number is missing it is nan, where text is, empty."""
    values = column.to_list()
    if list in map(type, values):
        return stack(column.name, values, [])
    array = column.to_numpy()
    if array.dtype.kind in "biuf":
        return array
    return np.array(["" if value is None else str(value) for value in values])
