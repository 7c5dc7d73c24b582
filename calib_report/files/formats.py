"""Files as people save them: the bytes of each format give arrays by name, and nothing runs."""

# Mirrored by the answer desk, book/assets/desk/table.js: change both.

import bz2
import gzip
import json
import lzma
import os
import re
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calib_report.arrays import Arrays, without
from calib_report.contract import UNREAD, Note, ReadingError
from calib_report.files.adapters import from_frame, from_json, from_nested
from calib_report.files.extras import ending_of, extra
from calib_report.files.text_tables import frame_of_text
from calib_report.values import Column, is_vector

MOST_BYTES = 1 << 30  # that one archive may unpack to
LINES = (".jsonl", ".ndjson", ".jevl")  # endings of files of a JSON object a line
PACKED: dict[str, Any] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zip": zipfile.ZipFile,
}


def load(path: str | os.PathLike[str]) -> Arrays:
    """Return the arrays of a file by name; the ending of its name says the format."""
    path = Path(path)
    _refuse_device(path)
    if path.is_dir():
        return _rows_of_parts(path)
    ending = ending_of(path)
    if ending in PACKED:
        with tempfile.TemporaryDirectory() as folder:
            return load(_unpacked(path, ending, Path(folder)))
    if ending not in LOADERS:
        advice = UNREAD.get(ending, "a csv or npz file needs a line of code")
        raise ReadingError(
            f"expected a file that ends in {', '.join(LOADERS)}; {advice}"
        )
    with _damage(path, ending):
        return LOADERS[ending](path)


@contextmanager
def _damage(path: Path, ending: str) -> Iterator[None]:
    """Turn whatever a damaged file raises, which can be nearly anything, into an error of ours."""
    try:
        yield
    except (ReadingError, FileNotFoundError, PermissionError):
        raise
    except Exception as error:
        raise ReadingError(_fault(path, ending, error)) from None


def _fault(path: Path, ending: str, error: Exception) -> str:
    """Say what is wrong with a damaged file, in the words of the error or better ones."""
    reason = " ".join(str(error).split()) or type(error).__name__
    # first, since numpy takes a pointer for Python objects
    if _is_pointer(path):
        reason = "a pointer of Git LFS, whose file comes by: git lfs pull"
    # numpy advises to trust such a file
    elif re.search("allow_pickle|Python objects", reason):
        return "it holds Python objects, expected arrays of numbers"
    return f"not a whole {ending} file: {reason}"


def _is_pointer(path: Path) -> bool:
    """Tell whether a file is what Git LFS puts in the place of a large one."""
    with open(path, "rb") as file:
        return file.read(40).startswith(b"version https://git-lfs")


def _unpacked(path: Path, ending: str, folder: Path) -> Path:
    """Return a packed file, of at most `MOST_BYTES`, unpacked into a folder."""
    place = folder / (path.stem if ending != ".zip" else "file")
    with _damage(path, ending), ExitStack() as stack:
        if ending == ".zip":
            archive = stack.enter_context(zipfile.ZipFile(path))
            name = _only_member(archive)
            place = folder / f"file{Path(name).suffix}"
            packed: Any = stack.enter_context(archive.open(name))
        else:
            packed = stack.enter_context(PACKED[ending](path))
        _copy(packed, place)
    return place


def _copy(packed: Any, place: Path) -> None:
    """Write what a packed file holds, unless it is a bomb: a few bytes may unpack to a disk."""
    size = 0
    with open(place, "wb") as file:
        for block in iter(partial(packed.read, 1 << 20), b""):
            size += len(block)
            if size > MOST_BYTES:
                raise ReadingError(f"it unpacks to more than {MOST_BYTES} bytes")
            file.write(block)


def _only_member(archive: zipfile.ZipFile) -> str:
    names = [*filter(_is_file_name, archive.namelist())]
    readable = [name for name in names if ending_of(name) in LOADERS]
    if len(readable) != 1:
        raise ReadingError(
            f"an archive of {', '.join(names[:5]) or 'nothing'}: expected one file to read"
        )
    return readable[0]


def _is_file_name(name: str) -> bool:
    # macOS puts a second, hidden file beside each
    return not name.endswith("/") and "__MACOSX" not in name


def _rows_of_parts(folder: Path) -> Arrays:
    """Return the rows of a folder of part files, as Spark writes it."""
    # in the order of their numbers, which is that of the rows
    parts = sorted(folder.glob("part-*"))
    if len({*map(_ending_of_part, parts)}) != 1:
        raise ReadingError(
            "a folder, and none of part files of one format: name a file"
        )
    pandas = extra("pandas", "part files")
    frames = []
    for part in parts:
        columns = {name: list(array) for name, array in load(part).named.items()}
        frames.append(pandas.DataFrame(columns))
    with _damage(parts[0], parts[0].suffix):
        return from_frame(pandas.concat(frames, ignore_index=True))


def _ending_of_part(part: Path) -> str:
    """Return all endings of a name, such as csv.gz, but for that of a checksum."""
    return part.name.partition(".")[2].lower().removesuffix(".crc")


def load_log(paths: list[Any]) -> Arrays:
    """Return the rows of several files of JSON lines as one log, with a column ``file``."""
    if not {*map(ending_of, paths)} <= {*LINES}:
        raise ReadingError(
            "of several files only logs of JSON lines are read as one: put tables or arrays into "
            "one file, pandas.concat(tables) or numpy.concatenate(arrays)"
        )
    rows: list[Any] = []
    for path in paths:
        rows += [row | {"file": Path(path).name} for row in _lines(path)]
    return from_json(rows)


def _refuse_device(path: Path) -> None:
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ReadingError("not a regular file")


def _numpy(path: Path) -> Arrays:
    if zipfile.is_zipfile(path):
        _refuse_members(path)
    # with a memory map numpy compares shape and size
    content = np.load(path, mmap_mode="r", allow_pickle=False)
    if isinstance(content, np.ndarray):
        return Arrays({"": np.array(content)}, scores="")
    with content as archive:
        members = {name: archive[name] for name in archive.files}
    # numpy gives a member without its mark as bytes
    strange = [name for name in members if not isinstance(members[name], np.ndarray)]
    if not strange:
        return Arrays(members)
    note = Note(f"Members of the archive that are no arrays: {', '.join(strange)}.")
    return Arrays(without(members, strange), notes=[note])


def _refuse_members(path: Path) -> None:
    """Refuse an archive of too much, of paths out of it, or of two arrays of one name."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    names = [member.filename for member in members]
    if sum(member.file_size for member in members) > MOST_BYTES:
        raise ReadingError(f"it unpacks to more than {MOST_BYTES} bytes")
    if any(map(_leads_out, names)):
        raise ReadingError(
            "an array is named as a path out of the file, such as ../name"
        )
    if len({*names}) < len(names):
        raise ReadingError("two arrays have one name")


def _leads_out(name: str) -> bool:
    # unpacked by somebody else, such a name would leave the folder
    return not {"..", "/"}.isdisjoint(Path(name).parts)


def _text(path: Path) -> Arrays:
    frame = _with_numbers(frame_of_text(path))
    _refuse_headings(frame)
    return _with_vectors(from_frame(frame))


def _refuse_headings(frame: Any) -> None:
    """Refuse files that were put one behind the other, each with its heading."""
    first, last = frame.columns[0], frame.columns[-1]
    # the first and the last cell are enough: names are seldom values in both
    again = (frame[first].astype(str) == first) & (frame[last].astype(str) == last)
    if again.any() and len(frame.columns) > 1:
        raise ReadingError(
            f"row {again.argmax()} of column {first!r} is {first!r} too: the first line, and no "
            "other, should name the columns"
        )


def _with_numbers(frame: Any) -> Any:
    """Return a table whose texts of whole numbers are numbers, but for codes such as 007."""
    pandas = extra("pandas", "tables")
    for name in frame.columns:
        if _holds_written_numbers(frame[name]):
            frame[name] = pandas.to_numeric(frame[name])
    return frame


def _holds_written_numbers(column: Any) -> bool:
    if column.dtype.kind in "biuf":
        return False
    cells = column.dropna()
    # pandas has functions of text for columns of text alone
    if len(cells) == 0 or not hasattr(cells, "str"):
        return False
    cells = cells.str.strip()
    # spaces around a number, as some programs write, make it text to pandas
    are_numbers = cells.str.fullmatch(r"[-+]?\d+(\.\d*)?|[-+]?\.\d+").all()
    return bool(are_numbers and not cells.str.match(r"[-+]?0\d").any())


def _with_vectors(arrays: Arrays) -> Arrays:
    """Return cells such as "[0.1, 0.9]", where a whole column has them, as rows of an array."""
    vectors = {
        name: Column(name, column).numbers
        for name, column in arrays.named.items()
        if _holds_vectors(column)
    }
    return arrays.replaced(named=arrays.named | vectors)


def _holds_vectors(column: np.ndarray) -> bool:
    return column.dtype.kind == "U" and len(column) > 0 and all(map(is_vector, column))


def as_written(path: str | os.PathLike[str]) -> Any:
    """Return a table as a data frame, text files with every entry as it is written."""
    path = Path(path)
    _refuse_device(path)
    if ending_of(path) == ".parquet":
        return _arrow(path).to_pandas()
    return frame_of_text(path, dtype=str, na_filter=False)


def _arrow(path: Path) -> Any:
    """Return the table of a parquet file, whose pages have checksums."""
    parquet = extra("pyarrow.parquet", "parquet files")
    # a page that was damaged can decode to other numbers without an error
    table = parquet.read_table(path, page_checksum_verification=True)
    table.validate(full=True)
    return table


def _feather(path: Path) -> Any:
    table = extra("pyarrow.feather", "feather files").read_table(path, memory_map=False)
    table.validate(full=True)
    return table


def _sheet(path: Path) -> Any:
    """Return the first sheet of a workbook; the others are not read."""
    pandas = extra("pandas", "tables")
    extra("openpyxl", "xlsx files")
    options = {"keep_default_na": False, "na_values": [""]}
    frame = pandas.read_excel(path, engine="openpyxl", **options)
    # pandas names columns so that have no name; what holds nothing is none
    nameless = [name for name in frame.columns if str(name).startswith("Unnamed:")]
    empty = [name for name in nameless if frame[name].isna().all()]
    return frame.drop(columns=empty)


def _lines(path: str | os.PathLike[str]) -> list[Any]:
    _refuse_device(Path(path))
    rows: list[Any] = []
    with open(path, encoding="utf-8-sig") as file:
        try:
            rows.extend(_parsed(line) for line in file if line.strip())
        except ValueError as error:
            raise ReadingError(f"row {len(rows)}: not JSON: {error}") from None
    return rows


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the names and values of a JSON object; none of its names comes twice."""
    values = dict(pairs)
    if len(values) < len(pairs):
        name = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ReadingError(f"an object has {name!r} twice")
    return values


_parsed = partial(json.loads, object_pairs_hook=_each_name_once)


AS_FLOAT32 = "save the array as float32, of torch by tensor.float()"


def _safetensors(path: Path) -> Arrays:
    safetensors = extra("safetensors.numpy", "safetensors files")
    try:
        arrays = safetensors.load_file(path)
    except TypeError as error:  # numpy alone knows no bfloat16, and the like
        raise ReadingError(f"{error}: {AS_FLOAT32}") from None
    for array in arrays.values():  # another package may have taught it the type
        if array.dtype.kind not in "biuf":
            raise ReadingError(
                f"data type {array.dtype.name!r} not understood: {AS_FLOAT32}"
            )
    return Arrays(arrays)


def _torch(path: Path) -> Arrays:
    torch = extra("torch", f"{path.suffix} files")
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # whose texts advise to trust the file
        raise ReadingError(
            "not a torch file of tensors alone, as torch.save({'y': y, 'logits': logits}, path) "
            "writes it; npz and safetensors can be read too"
        ) from None
    return from_nested(content)


LOADERS: dict[str, Callable[[Path], Arrays]] = {
    **dict.fromkeys((".npz", ".npy"), _numpy),
    **dict.fromkeys((".csv", ".tsv", ".txt"), _text),
    **dict.fromkeys(
        (".feather", ".arrow"), lambda path: from_frame(_feather(path).to_pandas())
    ),
    ".xlsx": lambda path: from_frame(_sheet(path)),
    ".parquet": lambda path: from_frame(_arrow(path).to_pandas(ignore_metadata=True)),
    ".json": lambda path: from_json(_parsed(path.read_text("utf-8-sig"))),
    **dict.fromkeys(LINES, lambda path: from_json(_lines(path))),
    **dict.fromkeys((".pt", ".pth"), _torch),
    ".safetensors": _safetensors,
}

# first bytes of a file, and the ending that says its format
BEGINNINGS = {
    b"PK\x03\x04": ".npz",
    b"PAR1": ".parquet",
    b"ARROW1": ".feather",
    b"\x1f\x8b": ".csv.gz",
    b"[": ".json",
    b"{": ".jsonl",
}


def ending_by_content(content: bytes) -> str:
    """Return the ending of a file by its first bytes, that of a table of text by default."""
    endings = (
        ending for first, ending in BEGINNINGS.items() if content.startswith(first)
    )
    return next(endings, ".csv")
