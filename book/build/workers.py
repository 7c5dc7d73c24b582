"""The process that executes: it forks a worker for each chapter.

A worker and all that it starts are one group, killed when the chapter is done or late, or the
process above it gone.
"""

import hashlib
import io
import json
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

from book.build.kernel import executed
from book.build.project import BookError, Chapter, Project
from book.build.sealed_environment import sealed_environment
from calib.files import write_whole

IMPORTED = (  # by papermill and its kernels, then by most chapters
    *("papermill", "jupytext", "ipykernel.kernelapp", "IPython.core.completer"),
    *("jinja2", "pandas.io.formats.style", "scipy.optimize", "scipy.stats"),
    *("seaborn", "calib.maps", "evidence.fit_and_measure"),
    *("book.show.display", "book.show.exercises", "book.show.looks"),
)
PROCESSES = 2  # at a time


class Job(NamedTuple):
    """A chapter to execute, the key of what it becomes and its place."""

    chapter: Chapter
    parameters: dict[str, Any]
    key: str
    path: Path


def run_jobs(
    project: Project, jobs: list[Job], seconds: float
) -> Iterator[tuple[str, float, str]]:
    """Yield name, seconds and error of each job as it is done."""
    code = "from book.build.workers import serve; serve()"
    with (
        tempfile.TemporaryDirectory(
            prefix="calib-run-", ignore_cleanup_errors=True
        ) as home,
        subprocess.Popen(
            [sys.executable, "-P", "-c", code],
            env=sealed_environment(home, project),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a terminal's Ctrl-C is ours
        ) as process,
    ):
        waiting = {job.chapter.name for job in jobs}
        assert process.stdin and process.stdout  # they are pipes
        pickle.dump((project, jobs, home, seconds), process.stdin)
        process.stdin.flush()  # it stays open, and ends that process when it closes
        import_module("book.build.extension")  # meanwhile, what builds the pages
        for line in process.stdout:
            outcome = json.loads(line)
            waiting.remove(outcome[0])
            yield outcome
        for name in waiting:
            yield name, 0.0, f"chapters/{name}.md: the process that executes was killed"


@dataclass(frozen=True)
class _Worker:
    """A process that executes a chapter, and the pipe by which it says that it is done."""

    process: Any
    pipe: Any
    chapter: Chapter
    start: float

    def outcome(self, seconds: float) -> tuple[str, float, str]:
        """End a worker that is done; return name, seconds and error of its chapter."""
        took = time.perf_counter() - self.start
        try:
            error = self.pipe.recv()
        except EOFError:  # it ended without a word
            reason = "the process that executed it was killed"
            if took >= seconds:
                reason = f"stopped after {seconds:g} s, its time limit"
            error = f"{self.chapter.path}: {reason}"
        self.end()
        return self.chapter.name, took, error

    def end(self) -> None:
        """Kill a worker, its kernel and what its chapter started."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join()


def _start(project: Project, job: Job, home: str, seconds: float) -> _Worker:
    """Fork a worker for a chapter."""
    forks = multiprocessing.get_context("fork")
    pipe, worker_end = forks.Pipe(duplex=False)
    process = forks.Process(
        target=_work, args=(project, job, home, seconds, worker_end)
    )
    process.start()
    worker_end.close()  # the worker has it: when it dies, the pipe ends
    return _Worker(process, pipe, job.chapter, time.perf_counter())


def serve() -> None:
    """Execute the jobs that stdin brings, say of each on stdout that it is done, end with stdin."""
    project, jobs, home, seconds = pickle.load(sys.stdin.buffer)
    if len(jobs) > 1:
        _import()
    workers: dict[Any, _Worker] = {}
    try:
        while jobs or workers:
            while jobs and len(workers) < PROCESSES:
                worker = _start(project, jobs.pop(0), home, seconds)
                workers[worker.pipe] = worker
            done = wait([sys.stdin, *workers])  # type: ignore[list-item] # it has a fileno
            if sys.stdin in done:
                return
            for pipe in done:
                outcome = workers.pop(pipe).outcome(seconds)
                print(json.dumps(outcome), flush=True)
    finally:
        for worker in workers.values():
            worker.end()
        shutil.rmtree(home, ignore_errors=True)


def _import() -> None:
    """Import what chapters import, and read the fonts that a first figure needs; keep no figure."""
    for name in IMPORTED:
        with suppress(Exception):  # the chapter that imports it says what is wrong
            import_module(name)
    import pandas
    from matplotlib.figure import Figure

    pandas.options.display.max_columns = 20  # as where a kernel imports it
    figure = Figure(layout="constrained")
    figure.add_subplot(title="$x^2$", xscale="log").plot([1, 10])
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")


def _work(project: Project, job: Job, home: str, seconds: float, tells: Any) -> None:
    """Execute a chapter and keep it, with its record; tell why not."""
    os.setpgrp()
    signal.setitimer(signal.ITIMER_REAL, seconds)  # ends this process
    for stream in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    start, error = time.perf_counter(), ""
    try:
        content = executed(
            project, job.chapter, job.parameters, tempfile.mkdtemp(dir=home)
        )
        took = time.perf_counter() - start
        record = {
            "key": job.key,
            "seconds": took,
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        job.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(job.path, content)
        write_whole(job.path.with_suffix(".json"), json.dumps(record).encode())
    except BookError as fault:
        error = str(fault)
    except Exception as fault:
        error = f"{job.chapter.path}: {type(fault).__name__}: {fault}"
    tells.send(error)
