"""Files as people save them: each format gives arrays by name, and runs nothing."""

import csv
import gzip
import json
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from calib.extras import how_to_install
from calib.files import read_file, refuse_special
from calib.pickles import read_torch
from calib.readers import MOST_BYTES, read_npy, read_npz
from calib.reading.tables import Arrays, from_columns, from_rows

SEPARATORS = ",;\t"
MISSING = ["", "nan", "NaN"]


def load(path: Any) -> Arrays:
    """Return the arrays of a file by name; the ending of its name says the format.

    A ValueError says that the ending is unknown, or the file not what its ending says.
    """
    ending = ending_of(path)
    if Path(path).is_dir():
        raise ValueError("it is a folder: name the files in it, such as FOLDER/*.jsonl")
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
    if _is_gzip(path):
        _check_gzip(path)
    return LOADERS[ending](Path(path))


def ending_of(path: Any) -> str:
    """Return the ending of a file's name in small letters, without one that says compressed.

    Examples
    --------
    >>> ending_of("a.b.CSV.gz"), ending_of("a.npz")
    ('.csv', '.npz')
    """
    path = Path(path)
    return (path.with_suffix("") if _is_gzip(path) else path).suffix.lower()


def _is_gzip(path: Any) -> bool:
    return Path(path).suffix.lower() == ".gz"


def _check_gzip(path: Any) -> None:
    """Refuse a gzip file that is damaged or unpacks to too much; its checksum is at its end."""
    size = 0
    try:
        with gzip.open(path) as file:
            while block := file.read(1 << 20):
                size += len(block)
                if size > MOST_BYTES:
                    raise ValueError(f"it unpacks to more than {MOST_BYTES} bytes")
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"not a whole gzip file: {error}") from None


def extra(module: Any, what: str) -> Any:
    """Return a module that an extra brings; ValueError says which."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        advice = how_to_install(package, "files")
        raise ValueError(f"reading {what} needs {package}{advice}; npz needs no extra") from None


def _text(path: Any, separator: Any = None) -> Arrays:
    import warnings

    pandas = extra("pandas", "tables")
    names, separator = _heading(path, separator)
    before_3 = pandas.__version__.startswith("2.")  # which may miss a number's last bit
    exactly = {"float_precision": "round_trip"} if before_3 else {}
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
                **exactly,
            )
    except (pandas.errors.ParserError, pandas.errors.ParserWarning, UnicodeDecodeError) as error:
        raise ValueError(f"not a table: {' '.join(str(error).split())}") from None
    frame.columns = names
    return from_columns({name: frame[name] for name in frame}, pandas)


def as_written(path: Any) -> Any:
    """Return a table as a data frame, text files with every entry as it is written."""
    pandas = extra("pandas", "tables")
    if ending_of(path) in (".parquet", ".feather", ".arrow"):
        return _table(Path(path)).to_pandas()
    names, separator = _heading(path, "\t" if ending_of(path) == ".tsv" else None)
    frame = pandas.read_csv(
        path, dtype=str, na_filter=False, sep=separator, encoding="utf-8-sig", index_col=False
    )
    frame.columns = names
    return frame


def _heading(path: Any, separator: str | None) -> tuple[list[Any], str]:
    """Return the names of the columns, and what stands between them."""
    try:
        with _opened(path) as file:
            line = file.readline()
        separator = separator or max(SEPARATORS, key=line.count)
        names = [name.strip() for name in next(csv.reader([line], delimiter=separator), [])]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"not a table: {error}") from None
    if not names:
        raise ValueError("it is empty, expected names of columns in the first line")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(f"more than one column is named {name!r}")
    return names, separator


def _columnar(path: Any) -> Arrays:
    pandas = extra("pandas", "tables")
    pyarrow = extra("pyarrow", f"{path.suffix} files")
    try:
        table = _table(path)
        table.validate(full=True)
        columns = {str(name): table[name].to_pandas() for name in table.column_names}
    except (pyarrow.ArrowException, OSError, ValueError, KeyError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"not a whole {path.suffix} file: {reason}") from None
    return from_columns(columns, pandas)


def _table(path: Any) -> Any:
    """Return the table of a parquet or feather file; checksums of parquet pages are compared."""
    if path.suffix.lower() == ".parquet":
        parquet = extra("pyarrow.parquet", "parquet files")
        return parquet.read_table(path, page_checksum_verification=True)
    return extra("pyarrow.feather", "feather files").read_table(path)


def _json(path: Any) -> Arrays:
    try:
        with _opened(path) as file:
            content = json.load(file, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON: {error}") from None
    return from_rows(content)


def _object(pairs: Any) -> dict[str, Any]:
    """Return the names and values of a JSON object as a dict; none of the names comes twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        (name, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"an object has {name!r} twice")
    return found


def _json_lines(path: Any) -> Arrays:
    rows: list[Any] = []
    try:
        with _opened(path) as file:
            lines = (line for line in file if line.strip())
            rows.extend(json.loads(line, object_pairs_hook=_object) for line in lines)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"row {len(rows)}: not JSON: {error}") from None
    return from_rows(rows)


def _opened(path: Any) -> Any:
    opening = gzip.open if _is_gzip(path) else open
    return opening(path, "rt", encoding="utf-8-sig")


def _torch(path: Any) -> Arrays:
    try:
        return from_nested(read_torch(path))
    except ValueError as error:
        advice = "torch.save({'y': y, 'logits': logits}, path) of tensors alone can be read"
        raise ValueError(f"{error}; {advice}, so can npz and safetensors") from None


def from_nested(value: Any) -> Arrays:
    """Return named arrays as they are, and of a pair the labels and the scores."""
    if isinstance(value, dict):
        return Arrays(value)
    if isinstance(value, list | tuple) and len(value) == 2:
        return Arrays(_labels_and_scores(*map(np.asarray, value)))
    if isinstance(value, np.ndarray):
        return Arrays({"": value})
    if isinstance(value, list | tuple) and len(value) > 2:
        raise ValueError(
            f"{len(value)} arrays, such as batches: concatenate them first, torch.cat(batches) or "
            "numpy.concatenate(batches)"
        )
    raise ValueError("expected one array, two, or a dict of them")


def _labels_and_scores(first: Any, second: Any) -> dict[str, Any]:
    """Return which of two arrays holds labels: the one with fewer axes, of integers."""
    labels, scores = sorted((first, second), key=lambda array: (array.ndim, array.dtype.kind))
    if labels.ndim == scores.ndim:
        raise ValueError("two arrays of one shape: name them, y and logits or probabilities")
    return {"y": labels, "scores": scores}


def _tensor(file: Any, path: Any, name: str) -> np.ndarray:
    """Return a tensor of a safetensors file; bfloat16, which numpy does not know, as float32."""
    if file.get_slice(name).get_dtype() != "BF16":
        return file.get_tensor(name)
    content = read_file(path)
    size = int.from_bytes(content[:8], "little")
    about = json.loads(content[8 : 8 + size])[name]
    start, end = about["data_offsets"]
    halves = np.frombuffer(content[8 + size + start : 8 + size + end], "<u2")
    return (halves.astype("<u4") << 16).view("<f4").reshape(about["shape"])


def _safetensors(path: Any) -> Arrays:
    extra("safetensors", "safetensors files")
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="numpy") as file:
            return Arrays({name: _tensor(file, path, name) for name in file.keys()})
    except (SafetensorError, TypeError) as error:
        raise ValueError(f"not a safetensors file: {error}") from None


LOADERS: dict[str, Callable[[Path], Arrays]] = {
    ".npz": lambda path: Arrays(read_npz(path)),
    ".npy": lambda path: Arrays({"": read_npy(read_file(path))}),
    ".csv": _text,
    ".tsv": lambda path: _text(path, "\t"),
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
