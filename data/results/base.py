"""Compute the tables of all public predictions: `python -m data.results base`.

What was computed before with the same code is not computed again, so that an interrupted run
goes on where it stopped. `--quick` leaves out the passes that resample: bootstrap intervals, random
halves of the test sets, and the replication table, which needs these.
"""

import argparse
import functools

from book.evidence import source_names

from . import extra, halves
from .evaluate import measure
from .intervals import intervals
from .replicate import replication
from .tables import compute_pieces, write_table


def main(*given):
    parser = argparse.ArgumentParser(prog="python -m data.results base", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without the passes that resample")
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    options = parser.parse_args(given)
    pieces = functools.partial(compute_pieces, processes=options.processes)
    names = source_names()
    write_table("metrics", pieces("metrics", measure, names))
    write_table("human", extra.human())
    write_table("missing_mass", extra.missing_mass())
    if not options.quick:
        half_rows = pieces("halves", halves.half_values, halves.sources())
        write_table("halves", [halves.summary(row) for row in half_rows])
        write_table("replication", replication(half_rows))
        write_table("preprocessing", extra.preprocessing())
        write_table("intervals", pieces("intervals", intervals, names))
