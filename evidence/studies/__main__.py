"""Compute data/results: `python -m evidence.studies` most of it, or the tables that are named.

`python -m evidence.studies TABLE ...` from the root; a module such as `studies.people` stands for
all of its tables. What was computed before with the same code is not computed again, so that an
interrupted run goes on where it stopped.
"""

import argparse
from importlib import import_module

from evidence.studies import pieces

USUAL = (  # modules of this folder, or of the evidence, in the order in which they need one another
    "studies.metrics",
    "studies.kind",
    "studies.intervals",
    "studies.refits",
    "studies.zoo",
    "studies.details",
    "studies.curves",
    "studies.diagrams",
    "studies.classes",
    "studies.sizes",
    "studies.split_half",
    "studies.measures",
    "studies.psce_edge",
    "studies.interval_coverage",
    "studies.report_coverage",
    "studies.paired_coverage",
    "studies.gate_with_memory",
    "studies.promises",
    "studies.agreement",
    "studies.operating",
    "studies.share_model",
    "studies.share_prior",
    "language.tables",
    "studies.debates",
    "studies.people",
    "studies.groups",
    "studies.sets",
    "studies.priors",
    "studies.tilted",
    "studies.ensembles",
    "studies.imagenetx",
    "studies.classifiers",
    "studies.fifth",
)
BY_NAME = (  # which take long, or need other libraries: computed when they are named
    "studies.advice",
    "studies.choosing",
    "arena.every_map",
    "arena.bundle",
    "arena.calarena",
    "arena.peers",
)


def makers(modules) -> dict:
    """Return the function that computes each table of some modules, by its name."""
    tables = {}
    for name in modules:
        tables |= import_module(f"evidence.{name}").TABLES
    return tables


def named(name: str) -> dict:
    """Return what computes a table, or each table of a module; a ValueError names the tables."""
    if name in (*USUAL, *BY_NAME):
        return makers([name])
    for module in (*USUAL, *BY_NAME):
        try:
            tables = import_module(f"evidence.{module}").TABLES
        except ImportError:  # of another library, which these tables do not need
            continue
        if name in tables:
            return {name: tables[name]}
    names = ", ".join(sorted(makers(USUAL)))
    raise ValueError(f"{name!r} is no table of data/results; there are {names}")


def main(argv=None) -> None:
    parser = argparse.ArgumentParser(prog="python -m evidence.studies", description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="by default those of USUAL")
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    options = parser.parse_args(argv)
    pieces.PROCESSES = options.processes
    chosen = {} if options.tables else makers(USUAL)
    for name in options.tables:
        try:
            chosen |= named(name)
        except ValueError as error:
            parser.error(str(error))
    for table, compute in chosen.items():
        rows = compute()
        if rows is not None:
            pieces.write_table(table, list(rows))


if __name__ == "__main__":
    main()
