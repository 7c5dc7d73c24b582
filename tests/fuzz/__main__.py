"""The long fuzz: `python -m tests.fuzz [CALLS [TABLE ...]]` writes counts to data/results.

CALLS bad arguments to each callable (fuzz), CALLS changed files of each kind (fuzz_files), and
killed runs (kills): see `corpus.py`, `files.py`, `kills.py`. `python -m tests.fuzz 1250 fuzz_files`
made the table of changed files.
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
    counts, examples = found
    for fault, example in examples.items():
        print(f"{name}: {fault}: {example}", flush=True)
    return {head: name, **{kind: counts[kind] for kind in kinds}}


def of_callables(n, seed):
    kinds = ("returned", "refused", "wrong")
    return [row("callable", f, kinds, corpus.fuzz(f, n, seed)) for f in corpus.public()]


def of_files(n, seed):
    kinds = ("same", "other", "refused", "wrong")
    with tempfile.TemporaryDirectory() as name:
        return [
            row(
                "file",
                kind,
                kinds,
                files.mutate(kind, file, n, Path(name) / "changed", seed),
            )
            for kind, file in files.corpus(Path(name)).items()
        ]


def of_kills(n, seed):
    return kills.count()


TABLES = {"fuzz": of_callables, "kills": of_kills, "fuzz_files": of_files}


def is_wrong(row):
    if "wrong" in row:
        return row["wrong"] > 0
    return (row["orphans"], row["left"], row["same"]) != (0, 0, True)


def main(n="1000", *names, seed=3):
    """Count and write; the exit status says whether any was wrong."""
    mpl.use("Agg")
    any_wrong = False
    for name in names or TABLES:
        rows = TABLES[name](int(n), seed)
        write_whole(ROOT / "data" / "results" / f"{name}.csv", csv_bytes(rows))
        any_wrong |= any(map(is_wrong, rows))
    return int(any_wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
