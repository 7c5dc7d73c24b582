"""Compute tables of data/results: `python -m evidence.studies` most of them, or those named.

`python -m evidence.studies NAME ...` from the root; a pattern such as 'set_*' or 'language/*'
stands for all tables, or all of a folder, that it fits. The table FOLDER/NAME.csv is what `rows` of
the module `evidence.studies.FOLDER.NAME` returns. A study that keeps
pieces does not compute again what it computed before with the same code and lists of data, so that
an interrupted run goes on where it stopped. `arena` and `metrics_of_zoo` keep the rows of their
stored table, whatever became of the code: delete the file to compute them anew. Numbers have ten
digits, or the `DIGITS` of their study.
"""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from joblib import parallel_config

from evidence.rows import DIGITS, write_table

HERE = Path(__file__).resolve().parent
# of which another study reads the table: computed before the others
FIRST = ["share_ranks"]
# which take long, or need other libraries: computed when they are named, in this order: each
# after those whose tables it reads
BY_NAME = """
    regret_of_advice report_on_registered_networks
    maps_on_six_networks maps_on_simulated_networks
    promises_about_chance reading_of_files time_and_memory
    bad_arguments changed_files killed_runs
    arena arena_peers arena_ranking arena_decisions calarena_audit calarena_peers
""".split()


def folders_of_studies(root: Path = HERE) -> dict[str, str]:
    """Return the folder of each study by its name; what several studies need lies in `parts`."""
    modules = sorted(root.glob("*/[!_]*.py"))
    return {
        path.stem: path.parent.name for path in modules if path.parent.name != "parts"
    }


FOLDERS = folders_of_studies()


def usual() -> list[str]:
    """Return the tables that are computed by default, in their order."""
    return [*FIRST, *(name for name in FOLDERS if name not in {*FIRST, *BY_NAME})]


def tables_named(pattern: str) -> list[str]:
    """Return the tables that a name or a pattern stands for; a ValueError says that none does."""
    known = [*usual(), *BY_NAME]
    tables = [
        name
        for name in known
        if fnmatchcase(name, pattern) or fnmatchcase(f"{FOLDERS[name]}/{name}", pattern)
    ]
    if not tables:
        near = get_close_matches(pattern, known, n=1)
        there = ", ".join(sorted(known))
        names = f"the nearest is {near[0]}" if near else f"there are {there}"
        raise ValueError(f"{pattern!r} is no table of data/results; {names}")
    return tables


def compute(name: str) -> None:
    """Compute a table and write it where its study lies."""
    folder = FOLDERS[name]
    study = import_module(f"evidence.studies.{folder}.{name}")
    digits = getattr(study, "DIGITS", DIGITS)
    write_table(f"{folder}/{name}", list(study.rows()), digits)


def main(argv: Sequence[str] | None = None) -> None:
    """Compute the tables that the command line names, each written when it is done."""
    parser = argparse.ArgumentParser(
        prog="python -m evidence.studies", description=__doc__
    )
    parser.add_argument(
        "tables", nargs="*", metavar="NAME", help="by default those of `usual`"
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes; default: 2")
    options = parser.parse_args(argv)
    chosen = [] if options.tables else usual()
    for pattern in options.tables:
        try:
            chosen += tables_named(pattern)
        except ValueError as error:
            parser.error(str(error))
    with parallel_config(n_jobs=options.jobs):
        for name in chosen:
            compute(name)


if __name__ == "__main__":
    main()
