"""Train what is missing, several processes of one thread at a time."""

import os

from joblib import Parallel, delayed
from tqdm import tqdm

from . import zoo


def attempt(run, folder=zoo.ZOO):
    """Train one run and write its files; return it, and its processor seconds or its error."""
    from .make import make

    try:
        return run, make(run, folder), None
    except Exception as error:
        return run, None, repr(error)


def train_missing(runs, folder=zoo.ZOO, processes=2):
    """Train the runs whose files are not all there; those that fail are named at the end."""
    zoo.write_index(folder)
    missing = [run for run in runs if not zoo.finished(run, folder)]
    os.environ["OMP_NUM_THREADS"] = "1"
    pool = Parallel(n_jobs=processes, batch_size=1, return_as="generator_unordered")
    attempts = pool(delayed(attempt)(run, folder) for run in missing)
    failed = collect(tqdm(attempts, total=len(missing)), folder)
    if failed:
        raise SystemExit(f"{len(failed)} runs failed: {', '.join(failed)}")


def collect(attempts, folder):
    """Note each run as it ends; return the names of those that failed."""
    failed = []
    for run, seconds, error in attempts:
        if error:
            tqdm.write(f"FAILED {run.name}: {error}")
            failed.append(run.name)
            continue
        zoo.add_seconds(run.name, seconds, folder)
        zoo.write_index(folder)
        tqdm.write(f"{run.name} {seconds:.0f} s")
    return failed
