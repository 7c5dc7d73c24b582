"""The long fuzz: `python -m tests.fuzz [CALLS]` writes counts to data/results.

CALLS bad arguments to each callable (fuzz.csv), CALLS changed files of each kind (fuzz_files.csv),
and killed runs (kills.csv): see `corpus.py`, `files.py`, `kills.py`.
"""

import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
from helpers import ROOT

from calib.files import write_whole
from evidence.data import csv_bytes
from fuzz import corpus, files, kills


def row(head, name, kinds, found):
    counts, wrong = found
    for what, example in wrong.items():
        print(f"{name}: {what}: {example}", flush=True)
    return {head: name, **{kind: counts[kind] for kind in kinds}}


def main(n="1000", seed=1):
    """Count and write; the exit status says whether any was wrong."""
    mpl.use("Agg")
    kinds, n = ("returned", "refused", "wrong"), int(n)
    rows = [row("callable", f, kinds, corpus.fuzz(f, n, seed)) for f in corpus.public()]
    tables = {"fuzz": rows, "kills": kills.count()}
    kinds = ("same", "other", "refused", "wrong")
    with tempfile.TemporaryDirectory() as name:
        tables["fuzz_files"] = [
            row("file", kind, kinds, files.mutate(kind, file, n, Path(name) / "changed", seed))
            for kind, file in files.corpus(Path(name)).items()
        ]
    for name, rows in tables.items():
        write_whole(ROOT / "data" / "results" / f"{name}.csv", csv_bytes(rows))
    calm = all((r["orphans"], r["left"], r["same"]) == (0, 0, True) for r in tables["kills"])
    return int(not calm or any(r["wrong"] for kind in ("fuzz", "fuzz_files") for r in tables[kind]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
