"""Rank a map of your own among those of calib.

``python -m evidence.arena my_map.py:MyMap -o mine.csv``: the file is run; the table of maps is
printed and the cases come out, with status 2 where the file, the class or the output is not as it
should be. Gain: the NLL of temperature scaling less that of the map, in thousandths of a nat, with
its 95 % interval over data sets. A failed fit counts as the network as it is.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import joblib

from evidence.arena.one_map import rank_map


def main(argv: Sequence[str] | None = None) -> int:
    """Rank the map that the command line names; return the status of the command."""
    parser = argparse.ArgumentParser(prog="evidence.arena", description=__doc__)
    parser.add_argument("map", metavar="FILE.py:CLASS", help="the map; it is run")
    parser.add_argument("-o", "--output", required=True, help="its cases, NAME.csv")
    parser.add_argument("--jobs", type=int, default=2, help="processes; default: 2")
    parser.add_argument(
        "--backend", default="loky", help="of joblib: loky, threading, dask, …"
    )
    parser.add_argument(
        "--scheduler", help="address of a Dask cluster; by default a local one"
    )
    options = parser.parse_args(argv)
    path, _, name = options.map.rpartition(":")
    try:
        if not path:
            raise ValueError(f"{options.map!r}, expected FILE.py:CLASS")
        with workers(options), joblib.parallel_config(backend=options.backend):
            progress = sys.stderr.isatty()
            table, failures = rank_map(
                path, name, options.output, n_jobs=options.jobs, progress=progress
            )
    except (OSError, ValueError) as error:
        print(" ".join(str(error).splitlines()), file=sys.stderr)
        return 2
    if failures:
        summary = f"{len(failures)} fits failed and count as the network as it is"
        print(f"{summary}, the first: {failures[0]}", file=sys.stderr)
    print(
        table.round({"gain": 1, "low": 1, "high": 1, "rank": 1, "failed": 2}).round(4)
    )
    print(f"wrote {options.output}")
    return 0


def workers(options: argparse.Namespace) -> AbstractContextManager[Any]:
    """Return Dask's workers: local processes, or those of a cluster; nothing for other backends."""
    if options.backend != "dask":
        return nullcontext()
    from dask.distributed import Client

    local = {
        "n_workers": options.jobs,
        "threads_per_worker": 1,
        "dashboard_address": None,
    }
    return Client(options.scheduler) if options.scheduler else Client(**local)


if __name__ == "__main__":
    sys.exit(main())
