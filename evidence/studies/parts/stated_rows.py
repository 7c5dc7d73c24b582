"""The rows that a file of predictions states, read by none of the readers that are tried."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pyarrow import ArrowException, feather, parquet

LOGS = (".jsonl", ".jevl", ".ndjson")
COLUMNAR = {".parquet": parquet.read_table, ".feather": feather.read_table}
TENSORS = 8 + 0x88  # where the arrays of the file of tensors begin


@dataclass(frozen=True)
class File:
    """A whole file: what ends its name, its bytes, its reader, and what it gives."""

    suffix: str
    content: bytes
    read: Callable[[Any], Any]
    truth: Any


def rows_of(file: File, content: bytes, n: int) -> Sequence[Any]:
    """Return the rows that a file states, as they are written; of a table that n were read of."""
    if file.suffix == ".safetensors":
        return rows_of_tensors(file, content)
    if file.suffix in COLUMNAR:
        return rows_of_columns(content, COLUMNAR[file.suffix])
    if file.suffix == ".json":
        return rows_of_json(content)
    if file.suffix in LOGS:
        return lines_of(content)
    return rows_of_table(file, lines_of(content), n)


def rows_of_table(file: File, lines: list[str], n: int) -> list[str]:
    """Return the lines under the heading of a table of which n rows were read."""
    whole = {*lines_of(file.content)[-len(file.truth) :]}
    first = next((at for at, line in enumerate(lines) if line in whole), len(lines))
    # a changed line above the first whole one is a row, or of the heading: nobody could know
    return lines[-n:] if n and len(lines) - first <= n < len(lines) else lines[first:]


def lines_of(content: bytes) -> list[str]:
    """Return the lines with text, whatever ends them."""
    wide = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    text = content.decode("utf-16" if wide else "utf-8-sig", errors="surrogateescape")
    return [line for line in re.split("\r\n|\n|\r", text) if line.strip()]


def is_other_order(file: File, content: bytes) -> bool:
    """Tell whether the heading of a table has its names at other places."""
    headings = [
        re.split(r"[,;\t ]", lines_of(text)[0]) for text in (file.content, content)
    ]
    return headings[0] != headings[1] and sorted(headings[0]) == sorted(headings[1])


def rows_of_json(content: bytes) -> list[str]:
    """Return rows of a list, of lists by name, or of objects by name; none of broken JSON."""
    try:
        value = json.loads(content, object_pairs_hook=Pairs)
    except ValueError:
        return []
    rows = rows_of_object(value) if isinstance(value, Pairs) else value
    return [json.dumps(row) for row in rows]


def rows_of_object(value: "Pairs") -> Sequence[Any]:
    """Return the rows of an object: it has columns by name, or rows by index."""
    blocks = blocks_of(value)
    if not blocks or not isinstance(blocks[0], Pairs):
        return [[*row] for row in zip(*blocks, strict=False)]
    are_objects = all(isinstance(block, Pairs) for block in blocks)
    if are_objects and len(blocks) > len(blocks[0]):  # an object a row
        return value
    return rows_of_columns_by_index([dict(block) for block in blocks])


def blocks_of(value: "Pairs") -> list[Any]:
    """Return what holds the rows of an object: what is named so, or else each list or object."""
    data = [block for name, block in value if name in ("data", "samples")]
    return data or [block for _, block in value if isinstance(block, list)]


def rows_of_columns_by_index(columns: list[dict[str, Any]]) -> list[list[Any]]:
    """Return the rows of columns that name each of their rows."""
    names = dict.fromkeys(name for column in columns for name in column)
    return [[column.get(name) for column in columns] for name in names]


def rows_of_columns(content: bytes, read: Callable[[Any], Any]) -> list[str]:
    """Return the rows that the format's own library reads, none where it reads nothing."""
    try:
        rows = read(BytesIO(content)).to_pylist()
    except (ArrowException, ValueError, OSError):
        return []
    return [json.dumps([*row.values()]) for row in rows]


class Pairs(list[tuple[str, Any]]):
    """The names and values of an object, in which a name may stand twice."""


def rows_of_tensors(file: File, content: bytes) -> list[bytes]:
    """Return rows of the two arrays; a file of another size states none."""
    if len(content) != len(file.content):
        return []
    n = len(file.truth)
    labels, logits = content[TENSORS : TENSORS + 8 * n], content[TENSORS + 8 * n :]
    return [labels[8 * i : 8 * i + 8] + logits[24 * i : 24 * i + 24] for i in range(n)]
