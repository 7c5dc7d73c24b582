"""Execute a notebook in processes of its own, sealed off from the machine and from its settings.

The caller starts a supervisor, and the supervisor a kernel. What the caller holds of the supervisor
is a pipe: it closes when the caller is done, stops, or is killed, and the supervisor then ends the
kernel, removes their folder and ends. Nothing outlives the caller, whatever ends it.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calib.files import is_running

PASSED_ON = ("PATH", "TMPDIR", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
STARTING: Any = {"stdin": subprocess.PIPE, "start_new_session": True}  # a terminal's Ctrl-C is ours
DRAWING = """\
# Sharp PNG files whose bytes depend on the figure alone.
c = get_config()
c.InlineBackend.figure_formats = {"retina"}
c.InlineBackend.rc = {"figure.dpi": 100, "figure.facecolor": "white", "savefig.facecolor": "white"}
c.InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "metadata": {"Software": None}}
c.HistoryManager.enabled = False
c.IPKernelApp.log_level = "CRITICAL"
"""
_running: set[subprocess.Popen[str]] = set()


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


def run_notebook(
    notebook: Any,
    *,
    seconds: float | None,
    cwd: Any = None,
    environment: Any = None,
    progress: Any = None,
) -> Any:
    """Return a notebook as it is after execution, and the files that it wrote, as bytes by name.

    Its cells run in `cwd`, or in an empty folder that is removed afterwards, with variables beyond
    those of `sealed_environment`; what they write to stderr is shown on `progress` as it comes.
    A RunError says that a cell fails, the time is over, or a process was killed.
    """
    import nbformat

    with _folder() as folder:
        profile = folder / "ipython" / "profile_default"
        profile.mkdir(parents=True)
        (profile / "ipython_kernel_config.py").write_text(DRAWING)
        (folder / "cwd").mkdir()
        nbformat.write(notebook, folder / "given.ipynb")
        run_supervised(
            [sys.executable, "-P", __file__, str(folder), str(cwd or folder / "cwd")],
            seconds=seconds,
            env=sealed_environment(folder) | (environment or {}),
            stdout=progress or subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        failure = folder / "failure.json"
        if failure.exists():
            raise RunError(**json.loads(failure.read_text(encoding="utf-8")))
        if not (folder / "executed.ipynb").exists():
            raise RunError("the process that executed it was killed")
        files = {path.name: path.read_bytes() for path in (folder / "cwd").iterdir()}
        return nbformat.read(folder / "executed.ipynb", as_version=4), files


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
    """Run a command that calls :func:`end_with_parent`; return its status and what it wrote.

    That is what came on stderr, where it is a pipe. After `seconds` it is stopped, a RunError.
    Options are those of ``subprocess.Popen``.

    Examples
    --------
    >>> run_supervised([sys.executable, "-c", "raise SystemExit(3)"], seconds=60)
    (3, None)
    """
    process = subprocess.Popen(command, text=True, **STARTING, **options)
    _running.add(process)
    try:
        if process.stderr is None:
            return process.wait(seconds), None
        told = process.stderr.read()
        return process.wait(seconds), told
    except subprocess.TimeoutExpired:
        raise RunError(f"stopped after {seconds:g} s, its time limit") from None
    finally:
        _stop(process)
        _running.discard(process)


def stop_all() -> None:
    """Stop what runs in other threads."""
    for process in list(_running):
        _stop(process)


def _stop(process: Any) -> None:
    with process.stdin:
        pass
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()


def end_with_parent(clean_up: Any = lambda: None) -> None:
    """End this process when the pipe that is its stdin closes, after cleaning up."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        try:
            clean_up()
        finally:
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


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
        "HOME": str(folder),
        "IPYTHONDIR": str(Path(folder) / "ipython"),
        "JUPYTER_RUNTIME_DIR": str(folder),
        "LC_ALL": "C.UTF-8",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "TZ": "UTC",
    }


@contextmanager
def _folder() -> Iterator[Any]:
    """Make a folder for a run.

    The supervisor removes it too, where this process cannot, and the next run what neither could.
    """
    for left in Path(tempfile.gettempdir()).glob("calib-run-*-*"):
        process = left.name.split("-")[2]
        if process.isdecimal() and not is_running(int(process)):
            shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"calib-run-{os.getpid()}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _supervise(folder: Any, cwd: Any) -> None:
    """Execute the notebook in a folder; leave there what it became, or why it failed."""
    import papermill
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from nbclient.exceptions import DeadKernelError

    manager = AsyncKernelManager(connection_file=str(folder / "kernel.json"))
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    manager._kernel_spec = KernelSpec(argv=[*command, "--log-level=50"], language="python")

    def end_kernel() -> None:
        kernel: Any = manager.provisioner
        if kernel is not None and kernel.pid:
            os.killpg(kernel.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)

    end_with_parent(end_kernel)
    try:
        papermill.execute_notebook(
            folder / "given.ipynb",
            folder / "written.ipynb",
            km=manager,
            kernel_name="python3",
            cwd=cwd,
            stderr_file=sys.stdout,
            progress_bar=False,
            record_timing=False,
            request_save_on_cell_execute=False,
            start_timeout=300,
            shutdown_kernel="immediate",
        )
    except papermill.PapermillExecutionError as error:
        message = f"{error.ename}: {error.evalue}"
        _leave_failure(folder, message, source=error.source, traceback=error.traceback)
    except DeadKernelError:
        _leave_failure(folder, "its kernel died; often that is a lack of memory")
    else:
        os.replace(folder / "written.ipynb", folder / "executed.ipynb")


def _leave_failure(folder: Any, message: Any, **more: Any) -> None:
    (folder / "failure.json").write_text(json.dumps({"message": message, **more}))


if __name__ == "__main__":
    try:
        _supervise(Path(sys.argv[1]), sys.argv[2])
    except Exception as error:
        _leave_failure(Path(sys.argv[1]), f"{type(error).__name__}: {error}")
