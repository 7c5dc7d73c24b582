"""Execute the chapters with papermill, sealed off from the machine and from its settings.

One process imports what most chapters import and forks a worker for each chapter; the worker forks
a kernel, which papermill drives. A worker and all that it starts are one group, killed when the
chapter is done or late, or the process above it gone. Two executions give the same bytes.
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
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import wait
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from book.build.outputs import check_outputs, settle
from book.build.project import BookError, Chapter, Project, sha256
from book.build.students import add_proofs, imports_of_proofs, quoted, take_proofs
from calib.files import write_whole
from evidence.imports import followed

PROCESSES, SECONDS = 2, 600  # at a time; after which a chapter is stopped
ROOT = Path(__file__).parents[2]
STARTUP = ROOT / "book/build/startup.py"
PASSED_ON = ("PATH", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
SAVED = dict(
    bbox_inches="tight", metadata={"Software": None}, pil_kwargs={"compress_level": 1}
)
WHITE = {"figure.dpi": 100, "figure.facecolor": "white", "savefig.facecolor": "white"}
SETTINGS = {  # sharp PNG files whose bytes depend on the figure alone; `settle` packs them tighter
    "InlineBackend": {
        "figure_formats": {"retina"},
        "rc": WHITE,
        "print_figure_kwargs": SAVED,
    },
    "HistoryManager": {"enabled": False},
    "IPKernelApp": {"log_level": "CRITICAL"},
}
IMPORTED = (  # by papermill and its kernels, then by most chapters
    *("papermill", "jupytext", "ipykernel.kernelapp", "IPython.core.completer"),
    *("jinja2", "pandas.io.formats.style", "scipy.optimize", "scipy.stats"),
    *("seaborn", "calib.maps", "evidence.fit_and_measure"),
    *("book.show.display", "book.show.exercises", "book.show.looks"),
)


class Job(NamedTuple):
    """A chapter to execute, the key of what it becomes and its place."""

    chapter: Chapter
    parameters: dict[str, Any]
    key: str
    path: Path


def _record(path: Path) -> dict[str, Any]:
    """Return key and seconds of what was executed; nothing where it is not what was written."""
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        record = json.loads(path.with_suffix(".json").read_bytes())
        if record["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest():
            return record
    return {}


def execute_all(
    project: Project,
    chapters: list[Chapter],
    parameters: dict[str, Any] | None = None,
    *,
    force: bool = False,
    seconds: float = SECONDS,
) -> None:
    """Bring executed notebooks up to date; raise `BookError` if a chapter fails."""
    start = time.perf_counter()
    jobs = _stale(project, chapters, parameters or {}, force=force)
    n, errors = len(jobs), []
    running = _run(project, jobs, seconds) if jobs else ()
    for number, (name, took, error) in enumerate(running, 1):
        at = f"[{number:{len(str(n))}}/{n}]"
        print(f"{at} {'FAIL' if error else 'ok':4} {took:6.1f} s  {name}", flush=True)
        if error:
            errors.append(error)
    took = time.perf_counter() - start
    print(f"executed {n - len(errors)} of {len(chapters)} chapters in {took:.1f} s")
    if errors:
        raise BookError("\n\n".join(errors))


def _stale(
    project: Project,
    chapters: list[Chapter],
    parameters: dict[str, Any],
    *,
    force: bool,
) -> list[Job]:
    """Return the chapters to execute, the longest first: it must not begin last."""
    stale = []
    for chapter in chapters:
        name, path = key(project, chapter, parameters), project.executed(chapter)
        before = _record(path)
        if force or before.get("key") != name:
            job = Job(chapter, parameters, name, path)
            stale.append((before.get("seconds", 60), job))
    return [job for _, job in sorted(stale, key=itemgetter(0), reverse=True)]


def key(
    project: Project, chapter: Chapter, parameters: dict[str, Any] | None = None
) -> str:
    """Return the hash of all that the executed chapter depends on."""
    try:
        sources = [*chapter.code(), STARTUP.read_text(), *imports_of_proofs(chapter)]
        modules = followed(project.root, sources)
    except SyntaxError as error:
        raise BookError(f"{chapter.path}: {error.msg}: {error.text}") from None
    names = "execute", "outputs", "students"
    code = [STARTUP, *(Path(__file__).with_name(f"{name}.py") for name in names)]
    files = [chapter.path, *code, project.root / "requirements.lock", *modules]
    facts = [sys.version.split()[0], parameters or {}]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode())
    for path in [*files, *project.data_files(chapter)]:
        digest.update(
            f"\0{path.name}\0{sha256(path, path.stat().st_mtime_ns)}".encode()
        )
    return digest.hexdigest()


def _run(
    project: Project, jobs: list[Job], seconds: float
) -> Iterator[tuple[str, float, str]]:
    """Yield name, seconds and error of each job as it is done."""
    code = "from book.build.execute import serve; serve()"
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


def sealed_environment(home: str, project: Project) -> dict[str, str]:
    """Return the variables of a process, whatever the settings of this one and of its user are."""
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    fonts = {"XDG_CACHE_HOME": str(cache)} if os.access(cache, os.W_OK) else {}
    return {
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        **{f"{name}_NUM_THREADS": "1" for name in threads},
        **fonts,  # matplotlib keeps the list of this machine's fonts there, and no settings
        "CALIB_DATA": str(project.data),
        "HOME": home,
        "JE_ARROW_MALLOC_CONF": "background_thread:false",  # a fork copies no threads
        "LC_ALL": "C.UTF-8",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([str(project.root), str(ROOT)]),
        "PYTHONSTARTUP": str(STARTUP),
        "TZ": "UTC",
    }


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


def end_with_parent() -> None:
    """Let this process, and what it starts in its group, end when its parent is gone."""
    parent: Any = multiprocessing.parent_process()

    def watch() -> None:
        wait([parent.sentinel])
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def _work(project: Project, job: Job, home: str, seconds: float, tells: Any) -> None:
    """Execute a chapter and keep it, with its record; tell why not."""
    os.setpgrp()
    signal.setitimer(signal.ITIMER_REAL, seconds)  # ends this process
    for stream in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    start, error = time.perf_counter(), ""
    try:
        content = _execute(project, job, tempfile.mkdtemp(dir=home))
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


def _execute(project: Project, job: Job, home: str) -> bytes:
    """Return the chapter as an executed notebook, free of traces of the run."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.provisioning import LocalProvisioner

    chapter, connection = job.chapter, f"{home}/kernel.json"
    os.environ.update(HOME=home, CALIB_DECLARED=os.pathsep.join(chapter.data))
    os.chdir(chapter.path.parent)
    # files in place of ports, which may be taken
    manager = AsyncKernelManager(connection_file=connection, transport="ipc")
    manager.write_connection_file()
    manager.provisioner = LocalProvisioner(kernel_spec=KernelSpec(), parent=manager)
    manager.provisioner.process = _Kernel(connection)  # type: ignore[assignment] # acts as one
    end_with_parent()
    import jupytext  # while the kernel starts
    import nbformat
    import papermill

    notebook = jupytext.read(chapter.path)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    if job.parameters:
        _refuse_unknown(chapter, job.parameters, papermill.inspect_notebook(notebook))
    add_proofs(chapter, notebook)
    options = {"kernel_name": "python3", "progress_bar": False, "record_timing": False}
    try:
        executed = papermill.execute_notebook(
            notebook, None, job.parameters, km=manager, start_timeout=300, **options
        )
    except papermill.PapermillExecutionError as error:
        message = " ".join(f"{error.ename}: {error.evalue}".split())
        trace = "\n".join([quoted(error.source), *error.traceback])
        raise BookError(f"{chapter.path}: {message}\n{trace}".rstrip()) from None
    take_proofs(chapter, executed)
    settle(executed)
    check_outputs(project.root, chapter, executed)
    return f"{nbformat.writes(executed)}\n".encode()


def _refuse_unknown(
    chapter: Chapter, parameters: dict[str, Any], declared: dict[str, Any]
) -> None:
    """Raise where a chapter is given parameters that it does not declare."""
    unknown = sorted(set(parameters) - set(declared))
    if unknown:
        has = f"it has {', '.join(declared)}" if declared else "it has none"
        message = f"unknown parameter {', '.join(unknown)}; {has}"
        raise BookError(f"{chapter.path}: {message}")


class _Kernel(multiprocessing.context.ForkProcess):
    """A forked kernel, with what jupyter_client asks of ``subprocess.Popen`` beside."""

    stdin = stdout = stderr = None
    returncode = property(lambda self: self.exitcode)

    def __init__(self, connection: str) -> None:
        super().__init__()
        self._given = ["-f", connection, f"--IPKernelApp.parent_handle={os.getpid()}"]
        self.start()

    def run(self) -> None:
        from ipykernel.kernelapp import IPKernelApp
        from traitlets.config import Config

        IPKernelApp.launch_instance(self._given, config=Config(SETTINGS))

    def poll(self) -> int | None:
        return self.exitcode

    wait = poll
