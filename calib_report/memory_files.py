"""The file of a memory: JSON of one schema, of which every entry is checked as it is read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from calib_report.contract import few
from calib_report.memory import N_REGIONS, Look, Memory, Promise, checked_promise
from calib_report.words import NOUNS
from calib_report.writing import output_path, write_together

SCHEMA = "calib-memory-1"
LARGEST = 50_000_000  # bytes of a file that is read


def read_memory(path: str | Path) -> Memory | None:
    """Return the memory in a file, checked; None where there is no file.

    Raises
    ------
    ValueError
        Where the file is no such memory; it names what is wrong in it.
    """
    path = Path(path)
    if not path.exists():
        return None
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path}: larger than a memory can be")
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise ValueError(f"{path}: not the JSON of a memory") from None
    try:
        return _memory_of(content)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path}: not a memory: {error}") from None


def _memory_of(content: Any) -> Memory:
    """Return the memory that JSON describes; an error says where it describes none."""
    _expect(
        isinstance(content, dict) and content.get("schema") == SCHEMA,
        f"schema {SCHEMA}",
    )
    stated = content["promise"]
    names = {key: tuple(stated[key]) for key in ("classes", "streams")}
    _expect(
        all(isinstance(n, str) for each in names.values() for n in each),
        "names that are text",
    )
    _expect(
        names["streams"] != () and len({*names["streams"]}) == len(names["streams"]),
        "streams",
    )
    _expect(
        stated["task"] in NOUNS and isinstance(stated["model"], str),
        "a task and a model",
    )
    _expect(type(stated["tolerance"]) is float, "a tolerance")
    promise = checked_promise(
        Promise(stated["model"], stated["task"], tolerance=stated["tolerance"], **names)
    )
    return Memory(
        promise, tuple(_look_of(look, promise.streams) for look in content["looks"])
    )


def _look_of(stated: Mapping[str, Any], streams: tuple[str, ...]) -> Look:
    number, name, digest = stated["number"], stated["name"], stated["digest"]
    _expect(type(number) is int and number > 0, "a look's number, from 1")
    _expect(
        isinstance(name, str) and isinstance(digest, str), "a look's name and digest"
    )
    _expect(
        set(stated["sums"]) == {*streams}, f"sums of {few(streams, 5)} in look {number}"
    )
    sums = {stream: np.array(stated["sums"][stream], float) for stream in streams}
    for stream, each in sums.items():
        where = f"look {number}, {stream}: "
        _expect(each.shape == (N_REGIONS, 4), f"{where}{N_REGIONS} rows of 4 sums")
        _expect(bool(np.isfinite(each).all()), f"{where}finite sums")
        count, offset, squares, variance = each.T
        _expect(
            bool((count == np.floor(count)).all() and (count >= 0).all()),
            f"{where}counts",
        )
        bounded = (
            (abs(offset) <= count)
            & (squares >= 0)
            & (squares <= count)
            & (variance >= 0)
        )
        _expect(bool(bounded.all()), f"{where}sums that so many samples can have")
    return Look(number, name, digest, sums)


def _expect(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(f"expected {what}")


def write_memory(memory: Memory, path: str | Path) -> None:
    """Write a memory, whole or not at all."""
    promise = memory.promise
    stated = {
        name: getattr(promise, name) for name in ("model", "task", "classes", "streams")
    }
    looks = [
        {
            "number": look.number,
            "name": look.name,
            "digest": look.digest,
            "sums": {stream: sums.tolist() for stream, sums in look.sums.items()},
        }
        for look in memory.looks
    ]
    content = {
        "schema": SCHEMA,
        "promise": stated | {"tolerance": promise.tolerance},
        "looks": looks,
    }
    text = json.dumps(content, indent=1, allow_nan=False)
    write_together({output_path(path, ".json"): f"{text}\n".encode()})
