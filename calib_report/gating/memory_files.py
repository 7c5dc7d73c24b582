"""The file of a memory: JSON of one schema, of which every entry is checked as it is read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from calib_report.checked_numbers import number_in_json
from calib_report.contract import listed
from calib_report.files.saving import output_path, write_together
from calib_report.gating.memory import NO_SAMPLE, Look, Memory
from calib_report.gating.promise import Promise, check_promise
from calib_report.wording.words import NOUNS

FORM, FIRST_FORM = "calib-memory-2", "calib-memory-1"
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
    schema = content.get("schema") if isinstance(content, dict) else None
    # its sums do not tell which shift of the log odds repairs
    if schema == FIRST_FORM:
        raise ValueError(f"{schema} is of an earlier version: begin a new memory")
    _expect(schema == FORM, f"schema {FORM}")
    promise = _promise_of(content["promise"])
    looks = tuple(_look_of(look, promise.streams) for look in content["looks"])
    return Memory(promise, looks)


def _promise_of(stated: Mapping[str, Any]) -> Promise:
    classes, streams = tuple(stated["classes"]), tuple(stated["streams"])
    model, task, tolerance = stated["model"], stated["task"], stated["tolerance"]
    _expect(_are_texts(*classes, *streams), "names that are text")
    _expect(0 < len({*streams}) == len(streams), "streams")
    _expect(task in NOUNS and _are_texts(model), "a task and a model")
    offset = number_in_json(tolerance, "tolerance")
    return check_promise(Promise(model, task, classes, streams, offset))


def _look_of(stated: Mapping[str, Any], streams: tuple[str, ...]) -> Look:
    number, name, digest = stated["number"], stated["name"], stated["digest"]
    # True is an int to isinstance
    _expect(type(number) is int and number > 0, "a look's number, from 1")
    _expect(_are_texts(name, digest), "a look's name and digest")
    has_streams = set(stated["sums"]) == {*streams}
    _expect(has_streams, f"sums of {listed(streams, 5)} in look {number}")
    sums = {
        stream: _sums_of(stated["sums"][stream], f"look {number}, {stream}: ")
        for stream in streams
    }
    return Look(number, name, digest, sums)


def _sums_of(stated: Any, where: str) -> np.ndarray:
    """Return the sums of a stream, which are such as samples could have."""
    rows = [[number_in_json(sum_, f"{where}a sum") for sum_ in row] for row in stated]
    n_rows, n_columns = NO_SAMPLE.shape
    is_table = len(rows) == n_rows and all(len(row) == n_columns for row in rows)
    _expect(is_table, f"{where}{n_rows} rows of {n_columns} sums")
    sums = np.array(rows)
    _check_sums(sums, where)
    return sums


def _check_sums(sums: np.ndarray, where: str) -> None:
    """Raise ValueError where sums are none that samples could have."""
    count, offset, squares, variance, said, cubes = sums.T
    are_counts = (count == np.floor(count)) & (count >= 0)
    _expect(are_counts.all(), f"{where}counts")
    # an offset of one sample lies in [-1, 1], and its square in [0, 1]
    are_bounded = (abs(offset) <= count) & (squares >= 0) & (squares <= count)
    # of probabilities p (1 - p) and the third power are at most p itself
    least, most = np.minimum(variance, cubes), np.maximum(variance, cubes)
    are_of_probabilities = (least >= 0) & (most <= said) & (said <= count)
    are_possible = (are_bounded & are_of_probabilities).all()
    _expect(are_possible, f"{where}sums that so many samples can have")


def _are_texts(*values: object) -> bool:
    return all(isinstance(value, str) for value in values)


def _expect(condition: object, what: str) -> None:
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
        "schema": FORM,
        "promise": stated | {"tolerance": promise.tolerance},
        "looks": looks,
    }
    text = json.dumps(content, indent=1, allow_nan=False)
    write_together({output_path(path, ".json"): f"{text}\n".encode()})
