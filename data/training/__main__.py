"""Train what the zoo lacks: `python -m data.training` from the root of the project.

A run whose files are there is skipped; interrupting loses at most the runs in progress. `--index`
only rebuilds zoo.csv from the files, `--list` prints the runs and whether they are there,
`--only WORD` takes the runs whose name or block holds a word.
"""

import argparse

from . import zoo
from .runs import RUNS


def main():
    parser = argparse.ArgumentParser(prog="python -m data.training", description=__doc__)
    parser.add_argument("--index", action="store_true", help="rebuild zoo.csv and stop")
    parser.add_argument("--list", action="store_true", help="print the runs and stop")
    parser.add_argument(
        "--only", default="", metavar="WORD", help="runs whose name or block holds it"
    )
    parser.add_argument("--processes", type=int, default=2, help="default: 2, of one thread each")
    options = parser.parse_args()
    runs = [run for run in RUNS if options.only in f"{run.name} {run.block}"]
    if options.list:
        for run in runs:
            print(f"{'here   ' if zoo.finished(run) else 'missing'} {run.name:45s} {run.block}")
    elif options.index:
        zoo.write_index()
    else:
        from .schedule import train_missing

        try:
            train_missing(runs, processes=options.processes)
        except KeyboardInterrupt:
            print("interrupted; the finished runs are kept, the same command goes on from here")


if __name__ == "__main__":
    main()
