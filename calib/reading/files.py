"""Files as people save them: each format gives arrays by name, and runs nothing."""

import csv
import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from calib.files import read_file, refuse_special
from calib.pickles import read_torch
from calib.readers import read_npy, read_npz
from calib.reading.tables import Arrays, from_columns, from_rows

SEPARATORS = ",;\t"
MISSING = ["", "nan", "NaN"]


def load(path: Any) -> Arrays:
    """Return the arrays of a file by name; the ending of its name says the format.

    Raises
    ------
    ValueError
        Where the ending is unknown, or the file is not what its ending says.
    OSError
        Where it cannot be read.
    """
    ending = ending_of(path)
    if ending not in LOADERS:
        known = ", ".join(LOADERS)
        advice = {
            ".pkl": "; a pickle can run code, so none is read: save npz",
            ".pickle": "; a pickle can run code, so none is read: save npz",
            ".mat": "; numpy.savez(name, **scipy.io.loadmat(name)) makes an npz of it",
            ".h5": "; save its arrays with numpy.savez",
            ".hdf5": "; save its arrays with numpy.savez",
            ".xlsx": "; export it as csv",
        }.get(ending, "")
        raise ValueError(f"expected a file that ends in {known}{advice}")
    refuse_special(path)
    return LOADERS[ending](Path(path))


def ending_of(path: Any) -> str:
    """Return the ending of a file's name in small letters, without one that says compressed.

    Examples
    --------
    >>> ending_of("a.b.CSV.gz"), ending_of("a.npz")
    ('.csv', '.npz')
    """
    path = Path(path)
    return (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()


def extra(module: Any, what: str) -> Any:
    """Return a module that an extra brings; ValueError says which."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise ValueError(
            f"reading {what} needs {package}: pip install 'neural-calibration[files]'"
        ) from None


def _npz(path: Any) -> Any:
    return Arrays(read_npz(path))


def _npy(path: Any) -> Any:
    return Arrays({"": read_npy(read_file(path))})


def _text(path: Any, separator: Any = None) -> Any:
    import warnings

    pandas = extra("pandas", "tables")
    names, separator = _heading(path, separator)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pandas.errors.ParserWarning)
            frame = pandas.read_csv(
                path,
                keep_default_na=False,
                na_values=MISSING,
                low_memory=False,
                sep=separator,
                encoding="utf-8-sig",
                index_col=False,
            )
    except (pandas.errors.ParserError, pandas.errors.ParserWarning, UnicodeDecodeError) as error:
        raise ValueError(f"not a table: {' '.join(str(error).split())}") from None
    frame.columns = names
    return from_columns({name: frame[name] for name in frame}, pandas)


def _heading(path: Any, separator: str) -> Any:
    """Return the names of the columns, and what stands between them."""
    try:
        with _opened(path) as file:
            line = file.readline()
        separator = separator or max(SEPARATORS, key=line.count)
        names = [name.strip() for name in next(csv.reader([line], delimiter=separator), [])]
    except (UnicodeDecodeError, csv.Error, EOFError, zlib.error) as error:
        raise ValueError(f"not a table: {error}") from None
    if not names:
        raise ValueError("it is empty, expected names of columns in the first line")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(f"more than one column is named {name!r}")
    return names, separator


def _tsv(path: Any) -> Any:
    return _text(path, "\t")


def _columnar(path: Any) -> Any:
    pandas = extra("pandas", "tables")
    pyarrow = extra("pyarrow", f"{path.suffix} files")
    parquet = path.suffix.lower() == ".parquet"
    try:
        if parquet:
            table = extra("pyarrow.parquet", "parquet files").read_table(path)
        else:
            table = extra("pyarrow.feather", "feather files").read_table(path)
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"not a {path.suffix} file: {' '.join(str(error).split())}") from None
    columns = {str(name): table[name].to_pandas() for name in table.column_names}
    return from_columns(columns, pandas)


def _json(path: Any) -> Any:
    try:
        with _opened(path) as file:
            content = json.load(file)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    return from_rows(content)


def _json_lines(path: Any) -> Any:
    rows: list[Any] = []
    try:
        with _opened(path) as file:
            rows.extend(json.loads(line) for line in file if line.strip())
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"row {len(rows)}: not JSON: {error}") from None
    return from_rows(rows)


def _opened(path: Any) -> Any:
    import gzip

    opening = gzip.open if path.suffix.lower() == ".gz" else open
    return opening(path, "rt", encoding="utf-8-sig")


def _torch(path: Any) -> Any:
    try:
        return from_nested(read_torch(path))
    except ValueError as error:
        advice = "torch.save({'y': y, 'logits': logits}, path) of tensors alone can be read"
        raise ValueError(f"{error}; {advice}, so can npz and safetensors") from None


def from_nested(value: Any) -> Any:
    """Return named arrays as they are, and of a pair the labels and the scores."""
    if isinstance(value, dict):
        return Arrays(value)
    if isinstance(value, list | tuple) and len(value) == 2:
        return Arrays(_labels_and_scores(*map(np.asarray, value)))
    if isinstance(value, np.ndarray):
        return Arrays({"": value})
    raise ValueError("expected one array, two, or a dict of them")


def _labels_and_scores(first: Any, second: Any) -> Any:
    """Return which of two arrays holds labels: the one with fewer axes, of integers."""
    labels, scores = sorted((first, second), key=lambda array: (array.ndim, array.dtype.kind))
    if labels.ndim == scores.ndim:
        raise ValueError("two arrays of one shape: name them, y and logits or probabilities")
    return {"y": labels, "scores": scores}


def _safetensors(path: Any) -> Any:
    extra("safetensors", "safetensors files")
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="numpy") as file:
            return Arrays({name: file.get_tensor(name) for name in file.keys()})
    except SafetensorError as error:
        raise ValueError(f"not a safetensors file: {error}") from None


LOADERS = {
    ".npz": _npz,
    ".npy": _npy,
    ".csv": _text,
    ".tsv": _tsv,
    ".txt": _text,
    ".parquet": _columnar,
    ".feather": _columnar,
    ".arrow": _columnar,
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".pt": _torch,
    ".pth": _torch,
    ".safetensors": _safetensors,
}
