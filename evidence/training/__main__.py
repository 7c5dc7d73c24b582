"""Train what the zoo lacks: `python -m evidence.training` from the root of the project.

A run whose files are there is skipped; interrupting loses at most the runs in progress. `--list`
prints the runs and whether they are there, `--only WORD` takes those whose name or block holds it.
"""

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from joblib import Parallel, delayed
from tqdm import tqdm

from evidence.data import data_folder
from evidence.training import zoo_files
from evidence.training.runs import ARCHIVE_RUNS, RUNS, Run

Attempt = tuple[Run, float | None, str | None]  # seconds that it took, or its error


def attempt(run: Run, folder: Path) -> Attempt:
    """Train one run and write its files; return it, and its processor seconds or its error."""
    from evidence.training.write_run import write_run

    try:
        return run, write_run(run, folder), None
    except Exception as error:
        return run, None, repr(error)


def train_missing(runs: list[Run], folder: Path, n_jobs: int = 2) -> None:
    """Train the runs whose files are not all there; those that fail are named at the end."""
    zoo_files.write_index(folder)
    missing = [run for run in runs if not zoo_files.is_finished(run, folder)]
    os.environ["OMP_NUM_THREADS"] = "1"
    pool = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator_unordered")
    attempts = pool(delayed(attempt)(run, folder) for run in missing)
    failed = collect(tqdm(attempts, total=len(missing)), folder)
    if failed:
        raise SystemExit(f"{len(failed)} runs failed: {', '.join(failed)}")


def collect(attempts: Iterable[Attempt], folder: Path) -> list[str]:
    """Note each run as it ends; return the names of those that failed."""
    failed = []
    for run, seconds, error in attempts:
        if seconds is None:
            tqdm.write(f"FAILED {run.name}: {error}")
            failed.append(run.name)
            continue
        zoo_files.add_seconds(run.name, seconds, folder)
        zoo_files.write_index(folder)
        tqdm.write(f"{run.name} {seconds:.0f} s")
    return failed


def main(argv: Sequence[str] | None = None) -> None:
    """Train, or list, the runs that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m evidence.training", description=__doc__
    )
    parser.add_argument("--list", action="store_true", help="print the runs and stop")
    parser.add_argument("--only", default="", metavar="WORD", help="runs that hold it")
    parser.add_argument(
        "--jobs", type=int, default=2, help="processes of one thread each; default: 2"
    )
    parser.add_argument(
        "--archive",
        action="store_true",
        help="the runs that need all of CIFAR-10, from the official archive",
    )
    options = parser.parse_args(argv)
    folder = data_folder() / "zoo"
    listed = ARCHIVE_RUNS if options.archive else RUNS
    runs = [run for run in listed if options.only in f"{run.name} {run.block}"]
    if not runs:
        parser.error(f"--only: no name or block of a run holds {options.only!r}")
    if options.list:
        for run in runs:
            state = "here   " if zoo_files.is_finished(run, folder) else "missing"
            print(f"{state} {run.name:45s} {run.block}")
    else:
        try:
            train_missing(runs, folder, n_jobs=options.jobs)
        except KeyboardInterrupt:
            print(
                "interrupted; the finished runs are kept, the same command goes on from here"
            )


if __name__ == "__main__":
    main()
