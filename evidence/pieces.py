"""Compute tables piece by piece in some processes, and keep each piece."""

import hashlib
import inspect
import json
import sys
import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from calib.files import write_whole
from evidence.data import csv_rows, data_folder
from evidence.imports import imported_files
from evidence.rows import Row, results_folder

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
PIECES = ROOT / "_build" / "results"
# what names the data that studies load, with the SHA-256 of each file where one is stored
DATA_LISTS = (
    "zoo/zoo.csv",
    "sources/*.csv",
    "language/*",
    "results/arena/arena_lots.csv",
)


def files_behind(function: Callable[..., Any]) -> list[Path]:
    """The modules that the module of a function imports, itself and theirs, and their data."""
    module = Path(inspect.getfile(function)).relative_to(ROOT).with_suffix("")
    return imported_files(ROOT, [f"import {'.'.join(module.parts)}"])


def environment_key() -> str:
    """What numbers may depend on beside code and data: Python's version, locked packages."""
    return f"{sys.version.split()[0]}\n{LOCK.read_text('utf-8')}"


def code_key(function: Callable[..., Any]) -> str:
    """A checksum of what a function's results depend on: environment, code, `DATA_LISTS`."""
    digest = hashlib.sha256(environment_key().encode())
    for path in [*files_behind(function), *lists_of_data()]:
        # any change, also of a comment: computing once too often is cheaper than a stale table
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def lists_of_data() -> list[Path]:
    """The files of the `DATA_LISTS`: where a network or a source is another, one of them is."""
    return [path for name in DATA_LISTS for path in sorted(data_folder().glob(name))]


def compute_pieces(
    name: str, function: Callable[[str], list[Row]], items: Sequence[str]
) -> list[Row]:
    """The rows that `function(item)` returns for all items, in their order.

    A piece that was computed before with the same `code_key` is read from ``_build/results``. How
    many processes compute the others is joblib's: one, or what `joblib.parallel_config` says.
    """
    folder = PIECES / f"{name}-{code_key(function)}"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [item for item in items if not (folder / f"{item}.json").exists()]
    if missing:
        # in the order in which they end, so that what is done is kept at once
        pool = Parallel(return_as="generator_unordered")
        done = pool(delayed(_piece)(function, item, folder) for item in missing)
        for number, (item, seconds) in enumerate(done, 1):
            print(
                f"[{number}/{len(missing)}] {name} {item} {seconds:.1f} s", flush=True
            )
    rows = []
    for item in items:
        rows += json.loads((folder / f"{item}.json").read_text())
    return rows


def _piece(
    function: Callable[[str], list[Row]], item: str, folder: Path
) -> tuple[str, float]:
    start = time.perf_counter()
    rows = function(item)
    # written whole or not at all: a piece that is there is finished
    write_whole(folder / f"{item}.json", json.dumps(rows).encode())
    return item, time.perf_counter() - start


def stored_and_computed(
    name: str, function: Callable[[str], list[Row]], items: Sequence[str], column: str
) -> list[Row]:
    """The rows of all items: those of NAME.csv as they are, others computed; without it, all.

    Delete the file to compute it anew.
    """
    rows: dict[str, list[Row]] = {}
    for path in results_folder().rglob(f"{name}.csv"):
        for row in csv_rows(path.read_bytes()):
            rows.setdefault(row[column], []).append(row)
    for row in compute_pieces(
        name, function, [item for item in items if item not in rows]
    ):
        rows.setdefault(row[column], []).append(row)
    return list(chain.from_iterable(rows.get(item, []) for item in items))
