"""Execute notebooks in processes of their own, sealed off from the machine and from its settings.

A `Runner` starts a process that imports once what chapters import; for each notebook that process
forks a supervisor, and the supervisor a kernel (`book.forks`). What the runner holds of them is a
pipe: it closes when the runner is done, stops, or is killed; the supervisor then ends the kernel,
and their folder is removed. Nothing outlives the runner, whatever ends it.
"""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from calib.files import is_running

PASSED_ON = ("PATH", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
STARTING: Any = {"stdin": subprocess.PIPE, "start_new_session": True}  # a terminal's Ctrl-C is ours
DRAWING = """\
# Sharp PNG files whose bytes depend on the figure alone; the executor packs them tighter.
c = get_config()
c.InlineBackend.figure_formats = {"retina"}
c.InlineBackend.rc = {"figure.dpi": 100, "figure.facecolor": "white", "savefig.facecolor": "white"}
c.InlineBackend.print_figure_kwargs = {
    "bbox_inches": "tight", "metadata": {"Software": None}, "pil_kwargs": {"compress_level": 1}
}
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "CRITICAL"
"""
FORKS = Path(__file__).with_name("forks.py")
FORKING = {  # a kernel sets the first before anything is imported; a fork copies no threads
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
IMPORTED = (  # by most chapters
    "IPython.core.completer",
    "book.display",
    "book.exercises",
    "book.figure_data",
    "book.looks",
    "calib.calibrators",
    "calib.metrics",
    "calib.plots",
    "calib.study",
    "jinja2",
    "matplotlib.backends.backend_agg",
    "matplotlib.pyplot",
    "pandas.io.formats.style",
    "scipy.optimize",
    "scipy.stats",
    "seaborn",
)


class RunError(Exception):
    """A notebook did not run to its end; the message is one line.

    Attributes
    ----------
    source : str
        The cell that failed, if one did.
    traceback : list of str
        Its traceback.
    """

    def __init__(self, message: Any, source: str = "", traceback: Any = ()) -> None:
        super().__init__(" ".join(str(message).split()))
        self.source = source
        self.traceback = list(traceback)


class Runner:
    """Runs notebooks, one at a time.

    Parameters
    ----------
    environment : dict, optional
        Variables of its processes, beyond those of `sealed_environment`.
    imported : sequence of str
        Modules to import once for all notebooks.
    """

    def __init__(self, environment: Any = None, imported: Any = IMPORTED) -> None:
        self.environment = environment or {}
        self.imported = imported
        self.process: Any = None

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def run(
        self, notebook: Any, *, seconds: float, cwd: Any = None, environment: Any = None
    ) -> Any:
        """Return a notebook as it is after execution.

        Its cells run in `cwd`, or in an empty folder that is removed afterwards, with further
        variables of their own. A RunError says that a cell fails, the time is over, or a process
        was killed.
        """
        import nbformat

        if self.process is None or self.process.poll() is not None:
            self.stop()
            self._start()
        with _folder(self.folder) as folder:
            profile = folder / "ipython" / "profile_default"
            profile.mkdir(parents=True)
            (profile / "ipython_kernel_config.py").write_text(DRAWING)
            (folder / "cwd").mkdir()
            nbformat.write(notebook, folder / "given.ipynb")
            job = {
                "folder": str(folder),
                "cwd": str(cwd or folder / "cwd"),
                "environment": home(folder) | (environment or {}),
            }
            self._do(job, seconds)
            failure = folder / "failure.json"
            if failure.exists():
                raise RunError(**json.loads(failure.read_text(encoding="utf-8")))
            if not (folder / "executed.ipynb").exists():
                raise RunError("the process that executed it was killed")
            return nbformat.read(folder / "executed.ipynb", as_version=4)

    def stop(self) -> None:
        """End its processes; the next notebook starts new ones."""
        process, self.process = self.process, None
        if process is not None:
            _stop(process)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> None:
        _remove_left_behind()
        self.folder = Path(tempfile.mkdtemp(prefix=f"calib-run-{os.getpid()}-"))
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(FORKS), str(self.folder), *self.imported],
            env=sealed_environment(self.folder) | FORKING | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            **STARTING,
        )

    def _do(self, job: Any, seconds: float) -> None:
        """Hand over a job, and wait until it is done or its process is gone."""
        with suppress(BrokenPipeError):
            print(json.dumps(job), file=self.process.stdin, flush=True)
        done, _, _ = select.select([self.process.stdout], [], [], seconds)
        if not done:
            self.stop()
            raise RunError(f"stopped after {seconds:g} s, its time limit")
        self.process.stdout.readline()


def with_parameters(notebook: Any, parameters: Any) -> Any:
    """Put a cell that sets parameters after the cell of a notebook that is tagged so.

    Parameters
    ----------
    notebook : NotebookNode
    parameters : dict

    Returns
    -------
    NotebookNode
        The same notebook.
    """
    from nbformat.v4 import new_code_cell
    from papermill.translators import PythonTranslator

    if parameters:
        tagged = ["parameters" in cell.metadata.get("tags", []) for cell in notebook.cells]
        code = PythonTranslator.codify(parameters, "Parameters")
        cell = new_code_cell(code, metadata={"tags": ["injected-parameters"]})
        notebook.cells.insert(tagged.index(True) + 1, cell)
    return notebook


def run_supervised(
    command: list[str], *, seconds: float | None = None, **options: Any
) -> tuple[int, str | None]:
    """Run a command that calls `book.forks.end_with_parent`; return its status and what it wrote.

    That is what came on stderr, where it is a pipe. After `seconds` it is stopped, a RunError.
    Options are those of ``subprocess.Popen``.

    Examples
    --------
    >>> run_supervised([sys.executable, "-c", "raise SystemExit(3)"], seconds=60)
    (3, None)
    """
    process = subprocess.Popen(command, text=True, **STARTING, **options)
    try:
        if process.stderr is None:
            return process.wait(seconds), None
        told = process.stderr.read()
        return process.wait(seconds), told
    except subprocess.TimeoutExpired:
        raise RunError(f"stopped after {seconds:g} s, its time limit") from None
    finally:
        _stop(process)


def _stop(process: Any) -> None:
    """Let a process end by closing its pipe, kill it if it does not, and close what it wrote to."""
    with suppress(BrokenPipeError):
        process.stdin.close()
    with process.stdout or nullcontext(), process.stderr or nullcontext():
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def sealed_environment(folder: str) -> dict[str, str]:
    """Return the variables of a process whose home is a folder, whatever those of this one are.

    Examples
    --------
    >>> found = sealed_environment("/nowhere")
    >>> found["HOME"], "MPLBACKEND" in found
    ('/nowhere', False)
    """
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
    fonts = {"XDG_CACHE_HOME": str(cache)} if os.access(cache, os.W_OK) else {}
    return {
        **{name: os.environ[name] for name in PASSED_ON if name in os.environ},
        **{f"{name}_NUM_THREADS": "1" for name in threads},
        **fonts,  # matplotlib keeps the list of this machine's fonts there, and no settings
        **home(folder),
        "LC_ALL": "C.UTF-8",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "TZ": "UTC",
    }


def home(folder: Any) -> dict[str, str]:
    """Return the variables that make a folder the home of a process."""
    return {
        "HOME": str(folder),
        "IPYTHONDIR": str(Path(folder) / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(folder),
    }


@contextmanager
def _folder(parent: Path) -> Iterator[Path]:
    """Make a folder for a notebook."""
    folder = Path(tempfile.mkdtemp(dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left_behind() -> None:
    """Remove what runners left that were killed before they had a process to clean up."""
    for left in Path(tempfile.gettempdir()).glob("calib-run-*-*"):
        process = left.name.split("-")[2]
        if process.isdecimal() and not is_running(int(process)):
            shutil.rmtree(left, ignore_errors=True)
