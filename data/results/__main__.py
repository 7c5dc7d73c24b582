"""Compute data/results: `python -m data.results` all of it, with the name of a module its tables.

What follows the name are options of that module. What was computed before with the same code is not
computed again, so that an interrupted run goes on where it stopped.
"""

import sys
from importlib import import_module

STEPS = (
    *("base", "kind", "refits", "zoo", "details", "curves", "diagrams", "classes", "guo", "sizes"),
    *("split_half", "psce_edge", "interval_coverage", "report_coverage", "operating"),
    *("language", "people", "groups", "sets", "worlds"),
)


def main(name: str = "", *options: str) -> None:
    for step in [name] if name else STEPS:
        import_module(f"data.results.{step}").main(*options)


if __name__ == "__main__":
    main(*sys.argv[1:])
