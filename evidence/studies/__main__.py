"""Compute data/results: `python -m evidence.studies` most of it, or the tables that are named.

`python -m evidence.studies NAME ...` from the root; a pattern such as 'language*' stands for all
tables that it fits. The table NAME is what `rows` of the module `evidence.studies.NAME` returns.
What was computed before with the same code is not computed again, so that an interrupted run goes
on where it stopped.
"""

import argparse
from collections.abc import Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path

from evidence import pieces

HERE = Path(__file__).resolve().parent
# in the order in which they need one another; a study that is not named here comes after them
ORDER = """
    metrics missing_mass halves replication preprocessing kind metric_intervals
    refits zoo details ks_curves knots ks_against_ece
    guo diagrams reliability classes method_differences sizes split_half
    measure_spread measure_gamed measure_winners psce_edge interval_coverage
    report_coverage paired_coverage gate_with_memory promises agreement
    operating share_ranks share_uniform share_model share_priors share_words
    language language_maps language_paired language_transfer language_bins
    language_lifeeval debates real people entropy estimators_with_truth
    group_gaps group_maps group_chance
    set_sizes set_temperature set_law abstention abstention_zoo
    priors prior_coverage tilted ensembles
    classifiers nearest fifth same_networks
""".split()
# which take long, or need other libraries: computed when they are named
BY_NAME = """
    advice opened choosing_networks choosing_simulated
    gate files fuzz fuzz_files kills costs
    arena arena_ranking arena_decisions arena_peers calarena_audit calarena_peers
""".split()


def studies_there(folder: Path = HERE) -> list[str]:
    """Return the modules of a folder: each is a study, what several need lies in `parts`."""
    return sorted(
        path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")
    )


def usual() -> list[str]:
    """Return the tables that are computed by default, in their order."""
    others = set(studies_there()) - {*ORDER, *BY_NAME}
    return [*ORDER, *sorted(others)]


def tables_named(pattern: str) -> list[str]:
    """Return the tables that a name or a pattern stands for; a ValueError says that none does."""
    tables = [name for name in [*usual(), *BY_NAME] if fnmatchcase(name, pattern)]
    if not tables:
        names = ", ".join(sorted([*usual(), *BY_NAME]))
        raise ValueError(f"{pattern!r} is no table of data/results; there are {names}")
    return tables


def main(argv: Sequence[str] | None = None) -> None:
    """Compute the tables that the command line names, each written when it is done."""
    parser = argparse.ArgumentParser(
        prog="python -m evidence.studies", description=__doc__
    )
    parser.add_argument(
        "tables", nargs="*", metavar="NAME", help="by default those of `usual`"
    )
    parser.add_argument("--processes", type=int, default=2, help="default: 2")
    options = parser.parse_args(argv)
    pieces.PROCESSES = options.processes
    chosen = [] if options.tables else usual()
    for pattern in options.tables:
        try:
            chosen += tables_named(pattern)
        except ValueError as error:
            parser.error(str(error))
    for table in chosen:
        rows = import_module(f"evidence.studies.{table}").rows()
        pieces.write_table(table, list(rows))


if __name__ == "__main__":
    main()
