"""Files as people save them: the bytes of each format give arrays by name, and nothing runs."""

import csv
import json
import os
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from calib_report.adapters import Arrays, from_frame, from_json, from_nested
from calib_report.contract import PATTERNS, UNREAD, refused

EXTRAS = {  # of the package, and what each brings that the application may lack
    "files": ["pandas", "pyarrow", "safetensors"],
    "report": ["jinja2", "threadpoolctl"],
    "onnx": ["onnx"],
}
MOST_BYTES = 1 << 30  # that one archive may unpack to
SEPARATORS = ",;\t|"


def load(path: str | os.PathLike[str]) -> Arrays:
    """Return the arrays of a file by name; the ending of its name says the format."""
    path, ending = Path(path), ending_of(path)
    if ending not in LOADERS:
        advice = UNREAD.get(ending, "a csv or npz file needs a line of code")
        raise refused("ending", endings=", ".join(LOADERS), advice=advice)
    _refuse_device(path)
    try:
        return LOADERS[ending](path)
    except Exception as error:  # a damaged file can raise nearly anything
        if re.search("allow_pickle|Python objects", str(error)):  # numpy advises to trust the file
            raise refused("objects") from None
        if type(error) in (ValueError, PermissionError):
            raise
        told = " ".join(str(error).split()) or type(error).__name__
        raise refused("damaged", ending=ending, told=told) from None


def load_log(paths: list[Any]) -> Arrays:
    """Return the rows of several files of JSON lines as one log, with a column ``file``."""
    if {ending_of(path) for path in paths} - {".jsonl", ".ndjson", ".jevl"}:
        raise refused("several")
    return from_json([row | {"file": Path(path).name} for path in paths for row in _lines(path)])


def _refuse_device(path: Path) -> None:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise refused("device")


def ending_of(path: str | os.PathLike[str]) -> str:
    return Path(path).suffix.lower()


def extra(module: str, what: str) -> ModuleType:
    """Return a module that not every installation has; ValueError says what to install."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        advice = how_to_install(package)
        raise refused("extra", what=what, package=package, advice=advice) from None


def how_to_install(module: str | None) -> str:
    """Say how to install the extra that brings a module, or the module."""
    package = (module or "").partition(".")[0]
    for extra in (extra for extra, packages in EXTRAS.items() if package in packages):
        return f"; the extra {extra!r} brings it: pip install '.[{extra}]' in a checkout"
    return f"; pip install {package}" * bool(package)


def _numpy(path: Path) -> Arrays:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            n_bytes, names = sum(i.file_size for i in archive.infolist()), archive.namelist()
        if n_bytes > MOST_BYTES:
            raise refused("bomb", most=MOST_BYTES)
        if any({"..", "/"} & {*Path(name).parts} for name in names):
            raise refused("outside")
        if len({*names}) < len(names):
            raise refused("one_name")
    found = np.load(path, mmap_mode="r", allow_pickle=False)  # which compares shape and size
    if isinstance(found, np.ndarray):
        return Arrays({"": np.array(found)})
    with found:
        return Arrays({name: found[name] for name in found.files})


def _text(path: Path) -> Arrays:
    frame = _frame(path)
    ends = [frame[name].astype(str) == str(name) for name in (frame.columns[0], frame.columns[-1])]
    if (again := np.all(ends, axis=0)).any():
        raise refused("heading_again", row=again.argmax(), name=frame.columns[0])
    return from_frame(frame)


def as_written(path: str | os.PathLike[str]) -> Any:
    """Return a table as a data frame, text files with every entry as it is written."""
    _refuse_device(path := Path(path))
    if ending_of(path) == ".parquet":
        return _arrow(path).to_pandas()
    return _frame(path, dtype=str, na_filter=False)


def _frame(path: Path, **options: Any) -> Any:
    """Return a text file as a data frame: UTF-16 where it says so, Windows-1252 if not UTF-8."""
    pandas = extra("pandas", "tables")
    options = {"keep_default_na": False, "na_values": ["", "nan", "NaN"]} | options
    with open(path, "rb") as file:
        wide = file.read(2) in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "cp1252"):
        with warnings.catch_warnings(), suppress(UnicodeDecodeError):
            warnings.simplefilter("error", pandas.errors.ParserWarning)
            options |= _layout(path, encoding) | {"encoding": encoding}
            return pandas.read_csv(path, header=None, index_col=False, low_memory=False, **options)
    raise refused("encoding")


def _layout(path: Path, encoding: str) -> dict[str, Any]:
    """Return how a text file is written; lines that begin with # may stand before its heading."""
    with open(path, encoding=encoding, newline="") as file:
        head = list(islice(file, 100))
    before = next((i for i, line in enumerate(head) if line.strip() and line[0] != "#"), len(head))
    first = "".join(head[before : before + 1])
    separator = "\t" if ending_of(path) == ".tsv" else max(SEPARATORS, key=first.count)
    names = [name.strip() for name in next(csv.reader(head[before:], delimiter=separator), [])]
    numbers = all(re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", name, re.I) for name in names)
    lines = before + 1
    if names and numbers and names != [str(k) for k in range(len(names))]:
        if len(names) > 1:
            raise refused("heading", names=", ".join(names[:3]))
        names, lines = [""], before  # one column, such as labels, without a name
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times != 1:
        raise refused("same_columns" if times else "nothing", name=name)
    comma = separator != "," and any(
        PATTERNS["decimal_comma"].search(line) for line in head[lines:]
    )
    decimal = "," if comma else "."
    return {"sep": separator, "names": names, "skiprows": lines, "decimal": decimal}


def _arrow(path: Path) -> Any:
    """Return the table of a parquet file, whose pages have checksums."""
    parquet = extra("pyarrow.parquet", "parquet files")
    table = parquet.read_table(path, page_checksum_verification=True)
    table.validate(full=True)
    return table


def _lines(path: str | os.PathLike[str]) -> list[Any]:
    _refuse_device(Path(path))
    rows: list[Any] = []
    with open(path, encoding="utf-8-sig") as file:
        try:
            rows.extend(_parsed(line) for line in file if line.strip())
        except ValueError as error:
            raise refused("not_json", row=len(rows), error=error) from None
    return rows


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the names and values of a JSON object; none of its names comes twice."""
    if len(found := dict(pairs)) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise refused("twice_in_object", name=name)
    return found


_parsed = partial(json.loads, object_pairs_hook=_once)


def _safetensors(path: Path) -> Arrays:
    found = extra("safetensors.numpy", "these").load_file(path)  # of types that numpy alone knows
    if odd := [array.dtype.name for array in found.values() if array.dtype.kind not in "biuf"]:
        raise TypeError(f"data type {odd[0]!r} not understood")
    return Arrays(found)


def _torch(path: Path) -> Arrays:
    torch = extra("torch", f"{path.suffix} files")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # whose texts advise to trust the file
        raise refused("torch") from None
    return from_nested(content)


LOADERS: dict[str, Callable[[Path], Arrays]] = {
    **dict.fromkeys((".npz", ".npy"), _numpy),
    **dict.fromkeys((".csv", ".tsv", ".txt"), _text),
    ".parquet": lambda path: from_frame(_arrow(path).to_pandas(ignore_metadata=True)),
    ".json": lambda path: from_json(_parsed(path.read_text("utf-8-sig"))),
    **dict.fromkeys((".jsonl", ".ndjson", ".jevl"), lambda path: from_json(_lines(path))),
    **dict.fromkeys((".pt", ".pth"), _torch),
    ".safetensors": _safetensors,
}
