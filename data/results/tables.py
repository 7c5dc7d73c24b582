"""Compute tables piece by piece in two processes, keep each piece, write whole CSV files."""

import hashlib
import inspect
import json
import time
from pathlib import Path

from joblib import Parallel, delayed

from book.evidence.tables import csv_bytes
from calib.files import write_whole

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
PIECES = ROOT / "_build" / "results"
UNUSED = {"__init__", "__main__", "model", "outputs", "plots", "runner", "simulate", "study"}


def code_key(function) -> str:
    """A checksum of what the results of a function depend on, besides the files of others."""
    modules = [*ROOT.glob("calib/*.py"), *ROOT.glob("calib/maps/*.py")]
    paths = [path for path in sorted(modules) if path.stem not in UNUSED]
    paths += [FOLDER / "evaluate.py", Path(inspect.getfile(function)), ROOT / "data/sources.csv"]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compute_pieces(name, function, items, *, processes=2) -> list[dict]:
    """The rows that `function(item)` returns for all items, in their order.

    A piece that was computed before with the same code is read from ``_build/results``.
    """
    folder = PIECES / f"{name}-{code_key(function)}"
    folder.mkdir(parents=True, exist_ok=True)
    missing = [item for item in items if not (folder / f"{item}.json").exists()]
    if missing:
        pool = Parallel(n_jobs=processes, return_as="generator_unordered")
        done = pool(delayed(_piece)(function, item, folder) for item in missing)
        for number, (item, seconds) in enumerate(done, 1):
            print(f"[{number}/{len(missing)}] {name} {item} {seconds:.1f} s", flush=True)
    return [row for item in items for row in json.loads((folder / f"{item}.json").read_text())]


def _piece(function, item, folder) -> tuple:
    start = time.perf_counter()
    rows = function(item)
    write_whole(folder / f"{item}.json", json.dumps(rows).encode())
    return item, time.perf_counter() - start


def write_table(name: str, rows: list[dict]):
    """Write ``data/results/NAME.csv``, floats with ten digits."""
    path = FOLDER / f"{name}.csv"
    table = [{key: _text(value) for key, value in row.items()} for row in rows]
    write_whole(path, csv_bytes(table))
    print(f"{path.relative_to(ROOT)}: {len(rows)} rows")


def _text(value):
    return f"{value:.10g}" if isinstance(value, float) else value
