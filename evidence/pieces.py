"""Compute tables piece by piece in some processes, keep each piece, write whole CSV files."""

import hashlib
import inspect
import json
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from calib.bins import Bins
from calib.files import write_whole
from evidence.data import csv_bytes, csv_rows, data_folder
from evidence.imports import imported_files

Row = dict[str, Any]  # of a table, by column

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements.lock"
PIECES = ROOT / "_build" / "results"
PROCESSES = 2
# what names the data that studies load, with the SHA-256 of each file where one is stored
DATA_LISTS = (
    "zoo/zoo.csv",
    "sources/*.csv",
    "language/*",
    "results/arena/arena_lots.csv",
)


def results_folder() -> Path:
    """The folder of the tables that studies compute."""
    return data_folder() / "results"


def generator(*names: object, seed: int | None = None) -> np.random.Generator:
    """A generator of its own for each combination of names."""
    # a checksum, since Python's own hash of a text changes from run to run
    key = zlib.crc32(" ".join(map(str, names)).encode())
    return np.random.default_rng(key if seed is None else [seed, key])


def rows_of_bins(head: Row, bins: Bins) -> Iterator[Row]:
    """One row a bin, after a head: number of samples, sums of their scores and of their hits."""
    sums = zip(bins.count, bins.score_sum, bins.hit_sum, strict=True)
    for m, (count, score_sum, hit_sum) in enumerate(sums, 1):
        entry = {
            "count": int(count),
            "score_sum": float(score_sum),
            "hit_sum": float(hit_sum),
        }
        yield head | {"bin": m} | entry


def format_number(value: float, form: str) -> str:
    """A number as text; nothing where there is none."""
    return "" if np.isnan(value) else format(value, form)


def means(drawn: list[Row]) -> Row:
    """The mean and the standard deviation of each column of rows."""
    columns: Row = {}
    for column in drawn[0]:
        values = np.array([row[column] for row in drawn])
        columns |= {
            column: float(values.mean()),
            f"{column}_sd": float(values.std(ddof=1)),
        }
    return columns


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

    A piece that was computed before with the same `code_key` is read from ``_build/results``.
    """
    folder = PIECES / f"{name}-{code_key(function)}"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [item for item in items if not (folder / f"{item}.json").exists()]
    if missing:
        # in the order in which they end, so that what is done is kept at once
        pool = Parallel(n_jobs=PROCESSES, return_as="generator_unordered")
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


def write_table(place: str, rows: list[Row]) -> None:
    """Write ``data/results/PLACE.csv``, floats with ten digits; a place is a folder and a name."""
    table = [{key: _text(value) for key, value in row.items()} for row in rows]
    write_whole(results_folder() / f"{place}.csv", csv_bytes(table, f"{place}.csv"))
    print(f"data/results/{place}.csv: {len(rows)} rows")


def _text(value: Any) -> Any:
    return f"{value:.10g}" if isinstance(value, float) else value
