"""Compute data/results: `python -m data.results` all of it, or the tables of one module.

`python -m data.results MODULE [TABLE ...]` from the root. What was computed before with the same
code is not computed again, so that an interrupted run goes on where it stopped.
"""

import argparse
from importlib import import_module

from . import tables

STEPS = (
    *("base", "refits", "zoo", "details", "curves", "diagrams", "classes", "sizes", "split_half"),
    *("psce_edge", "interval_coverage", "report_coverage", "operating", "share_model"),
    *("language", "debates", "people", "groups", "sets", "worlds"),
)


def main(argv=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m data.results", description=__doc__)
    parser.add_argument("module", nargs="?", help="a module of this folder; by default most")
    parser.add_argument("tables", nargs="*", help="some of its TABLES; by default all")
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    given = parser.parse_args(argv)
    tables.PROCESSES = given.processes
    for step in [given.module] if given.module else STEPS:
        module = import_module(f"data.results.{step}")
        for name in given.tables or module.TABLES:
            rows = module.TABLES[name]()
            if rows is not None:
                tables.write_table(name, list(rows))


if __name__ == "__main__":
    main()
