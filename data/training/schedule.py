"""Train what is missing, several processes of one thread at a time."""

import os
import signal

from joblib import Parallel, delayed
from tqdm import tqdm

from . import zoo


def attempt(run, folder=zoo.ZOO):
    """Train one run and write its files, outputs last.

    Returned are the run and the processor seconds it took, or the run and what went wrong.
    """
    from .make import make

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches the parent, which ends all
    try:
        return run, make(run, folder), None
    except Exception as error:
        return run, None, repr(error)


def train_missing(runs, folder=zoo.ZOO, processes=2):
    """Train the runs whose files are not all there; those that fail are named at the end."""
    for part in folder.rglob("*.part"):
        part.unlink()
    zoo.write_index(folder)
    missing = [run for run in runs if not zoo.finished(run, folder)]
    if not missing:
        print(f"all {len(runs)} runs are in {folder}")
        return
    os.environ["OMP_NUM_THREADS"] = "1"
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    pool = Parallel(n_jobs=processes, batch_size=1, return_as="generator_unordered")
    failed = collect(pool(delayed(attempt)(run, folder) for run in missing), missing, folder)
    if failed:
        raise SystemExit(f"{len(failed)} runs failed: {', '.join(failed)}")


def collect(attempts, runs, folder):
    """Note each run as it ends, under a bar of the work done; return the names of those failed."""
    failed = []
    form = "{l_bar}{bar}| {elapsed} so far, {remaining} left{postfix}"
    with tqdm(total=round(sum(run.work for run in runs)), bar_format=form) as bar:
        for done, (run, seconds, error) in enumerate(attempts, 1):
            if error:
                bar.write(f"FAILED {run.name}: {error}")
                failed.append(run.name)
                continue
            zoo.add_seconds(run.name, seconds, folder)
            zoo.write_index(folder)
            bar.write(f"[{done}/{len(runs)}] {run.name} {seconds:.0f} s")
            bar.set_postfix_str(f"{done}/{len(runs)}")
            bar.update(run.work)
    return failed
