"""Rank a map of your own among those of calib.

``python -m book.evidence.arena my_map.py:MyMap -o mine.csv``: the file is run; the table of maps is
printed and the cases come out, with status 2 where the file, the class or the output is not as it
should be. Gain: the NLL of temperature scaling less that of the map, in thousandths of a nat, with
its 95 % interval over data sets. A failed fit counts as the network as it is.
"""

import argparse
import sys

from book.evidence.arena.study import on_backend, study


def main(argv: list[str] | None = None) -> int:
    """Fit the map to the bundled sets and print its place; wrong input gets one line."""
    parser = argparse.ArgumentParser(prog="book.evidence.arena", description=__doc__)
    parser.add_argument("map", metavar="FILE.py:CLASS", help="the map; it is run")
    parser.add_argument("-o", "--output", required=True, help="its cases, NAME.csv")
    parser.add_argument("--jobs", type=int, default=2, help="processes; default: 2")
    parser.add_argument("--backend", default="loky", help="of joblib: loky, threading, dask, …")
    parser.add_argument("--scheduler", help="address of a Dask cluster; by default a local one")
    given = parser.parse_args(argv)
    path, _, name = given.map.rpartition(":")
    try:
        if not path:
            raise ValueError(f"{given.map!r}, expected FILE.py:CLASS")
        with on_backend(given.backend, n_jobs=given.jobs, scheduler=given.scheduler):
            progress = sys.stderr.isatty()
            table, failures = study(path, name, given.output, n_jobs=given.jobs, progress=progress)
    except (OSError, ValueError) as error:
        print(" ".join(str(error).splitlines()), file=sys.stderr)
        return 2
    if failures:
        told = f"{len(failures)} fits failed and count as the network as it is"
        print(f"{told}, the first: {failures[0]}", file=sys.stderr)
    print(table.round({"gain": 1, "low": 1, "high": 1, "rank": 1, "failed": 2}).round(4))
    print(f"wrote {given.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
