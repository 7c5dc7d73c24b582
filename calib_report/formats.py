"""Files as people save them: the bytes of each format give arrays by name, and nothing runs."""

import csv
import gzip
import json
import os
import re
import stat
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from calib_report.adapters import Arrays, from_columns, from_json, from_nested
from calib_report.extras import how_to_install

MOST_BYTES = 1 << 30  # that one file may unpack to
SEPARATORS = ",;\t|"
EMPTY = ["", "nan", "NaN"]
DECIMAL_COMMA = re.compile(r"(^|[;\t|])\"?-?\d+,\d+\"?($|[;\t|\r\n])")
HEADING = (
    "the first line, and no other, should name the columns, such as label,prob_cat,prob_dog (with "
    "numpy.savetxt: header='label,prob_cat,prob_dog', comments='')"
)
ADVICE = {
    **dict.fromkeys((".pkl", ".pickle"), "; a pickle can run code, so none is read: save npz"),
    ".mat": "; numpy.savez(name, **scipy.io.loadmat(name)) makes an npz of it",
    **dict.fromkeys((".h5", ".hdf5"), "; save its arrays with numpy.savez"),
    ".xlsx": "; export it as csv",
    ".orc": "; pandas.read_orc(name).to_csv(...) makes a csv of it",
}


def load(path: str | os.PathLike[str]) -> Arrays:
    """Return the arrays of a file by name; the ending of its name says the format.

    A ValueError says that the ending is unknown, or that the file is not what its ending says; an
    OSError that it cannot be read.
    """
    path, ending = Path(path), ending_of(path)
    if path.is_dir():
        raise ValueError("it is a folder: name the files in it, such as FOLDER/*.jsonl")
    if ending not in LOADERS:
        advice = ADVICE.get(ending, "; a csv or npz file needs a line of code")
        raise ValueError(f"expected a file that ends in {', '.join(LOADERS)}{advice}")
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise ValueError("not a regular file")
    try:
        _refuse_bomb(path)
        return LOADERS[ending](path)
    except MemoryError:
        raise ValueError(f"not a {ending} file: it asks for more memory than there is") from None
    except Exception as error:  # a damaged file can raise nearly anything
        if re.search("allow_pickle|Python objects", str(error)):  # numpy advises to trust the file
            raise ValueError("it holds Python objects, expected arrays of numbers") from None
        if type(error) in (ValueError, PermissionError):
            raise
        told = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"not a whole {ending} file: {told}") from None


def ending_of(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file's name in small letters, without one that says compressed."""
    path = Path(path)
    return (path.with_suffix("") if _is_gzip(path) else path).suffix.lower()


def extra(module: str, what: str) -> ModuleType:
    """Return a module that not every installation has; ValueError says what to install."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        advice = how_to_install(package, "files")
        raise ValueError(f"reading {what} needs {package}{advice}; npz needs no extra") from None


def _is_gzip(path: Path) -> bool:
    return path.suffix.lower() == ".gz"


def _refuse_bomb(path: Path) -> None:
    """Refuse an archive that is damaged, unpacks to too much, or names arrays oddly."""
    n_bytes, names = 0, list[str]()
    if _is_gzip(path):
        with gzip.open(path) as file:  # its checksum is at its end, so all is read once
            while n_bytes <= MOST_BYTES and (block := file.read(1 << 20)):
                n_bytes += len(block)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            n_bytes = sum(info.file_size for info in archive.infolist())
            names = archive.namelist()
    if n_bytes > MOST_BYTES:
        raise ValueError(f"it unpacks to more than {MOST_BYTES} bytes")
    if any({"..", "/"} & {*Path(name).parts} for name in names):
        raise ValueError("an array is named as a path out of the file, such as ../name")
    if len({*names}) < len(names):
        raise ValueError("two arrays have one name")


def _numpy(path: Path) -> Arrays:
    found = np.load(path, mmap_mode="r", allow_pickle=False)  # which compares shape and size
    if isinstance(found, np.ndarray):
        return Arrays({"": np.array(found)})
    with found:
        return Arrays({name: found[name] for name in found.files})


class _Layout(NamedTuple):
    """How a text file is written, and how many lines stand before its first row of data."""

    names: list[str]
    separator: str
    decimal: str
    lines: int
    encoding: str


def _text(path: Path) -> Arrays:
    layout = _layout(path)
    columns = dict(_frame(path, layout))
    for name, column in columns.items():
        again = np.array([v == name for v in column]) if column.dtype.kind == "O" else np.zeros(1)
        if again.any():
            raise ValueError(f"row {again.argmax()} of column {name!r} is {name!r} too: {HEADING}")
    found = from_columns(columns)
    if layout.encoding == "cp1252":
        found.notes.append("The file is not UTF-8; it is read as Windows-1252 (Latin-1).")
    return found


def as_written(path: str | os.PathLike[str]) -> Any:
    """Return a table as a data frame, text files with every entry as it is written."""
    path = Path(path)
    if ending_of(path) in (".parquet", ".feather", ".arrow"):
        return _arrow(path).to_pandas()
    return _frame(path, _layout(path), dtype=str, na_filter=False)


def _frame(path: Path, layout: _Layout, **options: Any) -> Any:
    pandas = extra("pandas", "tables")
    options = {"keep_default_na": False, "na_values": EMPTY, "low_memory": False} | options
    if pandas.__version__.startswith("2."):  # which may miss a number's last bit
        options["float_precision"] = "round_trip"
    with warnings.catch_warnings():
        warnings.simplefilter("error", pandas.errors.ParserWarning)
        return pandas.read_csv(
            path,
            sep=layout.separator,
            names=layout.names,
            skiprows=layout.lines,
            decimal=layout.decimal,
            encoding=layout.encoding,
            header=None,
            index_col=False,
            **options,
        )


def _layout(path: Path) -> _Layout:
    """Find out how a text file is written; lines that begin with # may stand before its heading."""
    encoding = _encoding(path)
    with _opened(path, encoding) as file:
        head = list(islice(file, 100))
    before = next((i for i, line in enumerate(head) if line.strip() and line[0] != "#"), len(head))
    first = head[before] if before < len(head) else ""
    separator = "\t" if ending_of(path) == ".tsv" else max(SEPARATORS, key=first.count)
    if separator not in first and ending_of(path) == ".txt":
        separator = r"\s+"
    names, lines = _fields(head[before:], separator), before + 1
    said = _fields([head[before - 1].lstrip("# ")], separator) if before else []
    if said and len(said) == len(names) and _all_numbers(names) and not _all_numbers(said):
        names, lines = said, before  # as numpy.savetxt writes its header
    elif _all_numbers(names) and names != [str(k) for k in range(len(names))]:
        if len(names) > 1:
            raise ValueError(f"its first line holds the numbers {', '.join(names[:3])}: {HEADING}")
        names, lines = [""], before  # one column, such as labels, without a name
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times != 1:
        raise ValueError(f"more than one column is named {name!r}" if times else "it is empty")
    comma = separator in ";\t|" and any(DECIMAL_COMMA.search(line) for line in head[lines:])
    return _Layout(names, separator, "," if comma else ".", lines, encoding)


def _fields(lines: list[str], separator: str) -> list[str]:
    if separator == r"\s+":
        return lines[0].split()
    return [name.strip() for name in next(csv.reader(lines, delimiter=separator), [])]


def _all_numbers(names: list[str]) -> bool:
    return bool(names) and all(re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", n, re.I) for n in names)


def _encoding(path: Path) -> str:
    """Return UTF-16 where the file says so, Windows-1252 where it is not UTF-8."""
    with gzip.open(path) if _is_gzip(path) else open(path, "rb") as file:
        if file.read(2) in (b"\xff\xfe", b"\xfe\xff"):
            return "utf-16"
    try:
        with _opened(path, "utf-8-sig") as text:
            while text.read(1 << 20):
                pass
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8-sig"


def _opened(path: Path, encoding: str) -> Any:
    opener: Any = gzip.open if _is_gzip(path) else open
    return opener(path, "rt", encoding=encoding, newline="")


def _columnar(path: Path) -> Arrays:
    table = _arrow(path)
    table.validate(full=True)
    return from_columns({str(name): table[name].to_pandas() for name in table.column_names})


def _arrow(path: Path) -> Any:
    """Return the table of a parquet or feather file; checksums of parquet pages are compared."""
    if ending_of(path) == ".parquet":
        parquet = extra("pyarrow.parquet", "parquet files")
        return parquet.read_table(path, page_checksum_verification=True)
    return extra("pyarrow.feather", "feather files").read_table(path)


def _json(path: Path) -> Arrays:
    with _opened(path, "utf-8-sig") as file:
        return from_json(json.load(file, object_pairs_hook=_once))


def _json_lines(path: Path) -> Arrays:
    rows: list[Any] = []
    with _opened(path, "utf-8-sig") as file:
        try:
            lines = (line for line in file if line.strip())
            rows.extend(json.loads(line, object_pairs_hook=_once) for line in lines)
        except ValueError as error:
            raise ValueError(f"row {len(rows)}: not JSON: {error}") from None
    return from_json(rows)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the names and values of a JSON object; none of its names comes twice."""
    if len(found := dict(pairs)) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object has {name!r} twice")
    return found


def _torch(path: Path) -> Arrays:
    torch = extra("torch", f"{path.suffix} files")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # whose texts advise to trust the file
        raise ValueError(
            "not a torch file of tensors alone, as torch.save({'y': y, 'logits': logits}, path) "
            "writes it; npz and safetensors can be read too"
        ) from None
    return from_nested(content)


def _safetensors(path: Path) -> Arrays:
    safetensors = extra("safetensors", "safetensors files")
    with safetensors.safe_open(str(path), framework="numpy") as file:
        if wide := [name for name in file.keys() if file.get_slice(name).get_dtype() == "BF16"]:
            raise ValueError(
                f"{wide[0]!r} is bfloat16, which numpy does not know: save it as float32"
            )
        return Arrays({name: file.get_tensor(name) for name in file.keys()})


LOADERS: dict[str, Callable[[Path], Arrays]] = {
    **dict.fromkeys((".npz", ".npy"), _numpy),
    **dict.fromkeys((".csv", ".tsv", ".txt"), _text),
    **dict.fromkeys((".parquet", ".feather", ".arrow"), _columnar),
    ".json": _json,
    **dict.fromkeys((".jsonl", ".ndjson", ".jevl"), _json_lines),
    **dict.fromkeys((".pt", ".pth"), _torch),
    ".safetensors": _safetensors,
}
