"""Rank a map of your own among those of calib.

``python -m book.evidence.arena my_map.py:MyMap -o mine.html``: the file is run; the page and its
cases come out, with status 2 where the file, the class or the output is not as it should be.
"""

import argparse
import sys

from book.evidence.arena.study import on_backend, study


def main(argv: list[str] | None = None) -> int:
    """Fit the map to the bundled sets and write its page; wrong input gets one line."""
    parser = argparse.ArgumentParser(prog="book.evidence.arena", description=__doc__)
    parser.add_argument("map", metavar="FILE.py:CLASS", help="the map; it is run")
    parser.add_argument("-o", "--output", required=True, help="the page, NAME.html")
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
            row = study(path, name, given.output, n_jobs=given.jobs, progress=progress)
    except (OSError, ValueError) as error:
        print(" ".join(str(error).splitlines()), file=sys.stderr)
        return 2
    if failures := row["failures"]:
        told = f"{len(failures)} of {row['cases']} fits failed and count as the network as it is"
        print(f"{told}, the first: {failures[0]}", file=sys.stderr)
    gain = f"{row['gain']:+.1f} ({row['low']:+.1f} to {row['high']:+.1f})"
    print(f"wrote {given.output}; gain over one temperature, thousandths of a nat: {gain}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
