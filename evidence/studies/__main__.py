"""Compute data/results: `python -m evidence.studies` all of it, or the tables of one module.

`python -m evidence.studies MODULE [TABLE ...]` from the root. What was computed before with the
same code is not computed again, so that an interrupted run goes on where it stopped.
"""

import argparse
from importlib import import_module

from evidence.studies import pieces

STEPS = (
    *("base", "refits", "zoo", "details", "curves", "diagrams", "classes", "sizes", "split_half"),
    *("psce_edge", "interval_coverage", "report_coverage", "paired_coverage", "operating"),
    *("language", "debates", "people", "groups", "sets", "worlds"),
)
ELSEWHERE = {  # what lies in packages of its own
    "language": "evidence.language.tables",
    "arena": "evidence.arena.every_map",
    "arena_peers": "evidence.arena.peers",
    "bundle": "evidence.arena.bundle",
    "calarena": "evidence.arena.calarena",
}


def main(argv=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m evidence.studies", description=__doc__)
    parser.add_argument("module", nargs="?", help="a module of this folder; by default most")
    parser.add_argument("tables", nargs="*", help="some of its TABLES; by default all")
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    given = parser.parse_args(argv)
    pieces.PROCESSES = given.processes
    for step in [given.module] if given.module else STEPS:
        module = import_module(ELSEWHERE.get(step, f"evidence.studies.{step}"))
        for name in given.tables or module.TABLES:
            rows = module.TABLES[name]()
            if rows is not None:
                pieces.write_table(name, list(rows))


if __name__ == "__main__":
    main()
