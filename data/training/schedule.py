"""Train what is missing, several processes of one thread at a time."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from tqdm import tqdm

from . import zoo


def worker_starts():
    """Ctrl-C reaches the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def one(run, folder=zoo.ZOO):
    """Train one run, write its files (outputs last), return the processor seconds it took."""
    from .make import make

    return make(run, folder)


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
    pool = ProcessPoolExecutor(processes, get_context("spawn"), worker_starts)
    try:
        failed = collect({pool.submit(one, run, folder): run for run in missing}, folder)
    except BaseException:
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()
    if failed:
        raise SystemExit(f"{len(failed)} runs failed: {', '.join(failed)}")


def collect(futures, folder):
    """Note each run as it ends, under a bar of the work done; return the names of those failed."""
    failed = []
    work = round(sum(run.work for run in futures.values()))
    form = "{l_bar}{bar}| {elapsed} so far, {remaining} left{postfix}"
    with tqdm(total=work, bar_format=form) as bar:
        for done, future in enumerate(as_completed(futures), 1):
            run = futures[future]
            try:
                seconds = future.result()
            except Exception as error:
                bar.write(f"FAILED {run.name}: {error!r}")
                failed.append(run.name)
                continue
            zoo.add_seconds(run.name, seconds, folder)
            zoo.write_index(folder)
            bar.write(f"[{done}/{len(futures)}] {run.name} {seconds:.0f} s")
            bar.set_postfix_str(f"{done}/{len(futures)}")
            bar.update(run.work)
    return failed
