"""Fork a supervisor and a kernel for each notebook from a process that has made their imports.

As a script it reads a line of JSON for each notebook, and answers with an empty line; what became
of the notebook lies in its folder. It starts no thread, draws no random number and keeps no figure,
so that each fork begins as a new process would.
"""

import io
import json
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def main(folder: str, *imported: str) -> None:
    """Serve until stdin closes, then remove the folder."""
    for name in ("papermill", "ipykernel.kernelapp", *imported):
        import_module(name)
    if "pandas" in sys.modules:
        _show_tables_as_a_kernel_does()
    if "matplotlib.backends.backend_agg" in sys.modules:
        _read_fonts()
    try:
        for line in iter(sys.stdin.readline, ""):
            supervisor = os.fork()
            if not supervisor:
                _supervise(**json.loads(line))
            os.waitpid(supervisor, 0)
            print(flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _show_tables_as_a_kernel_does() -> None:
    """Show up to 20 columns; pandas does so when it is imported by a kernel."""
    import pandas

    pandas.options.display.max_columns = 20


def _read_fonts() -> None:
    """Read the fonts and the grammar of formulas, which a first figure needs; keep no figure."""
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    figure.add_subplot(title="$x^2$", xlabel="x", xscale="log").plot([1, 10], label="y")
    figure.axes[0].legend()
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")


def end_with_parent(clean_up: Callable[[], None] = lambda: None) -> None:
    """End this process when the pipe that is its stdin closes, after cleaning up."""

    def watch() -> None:
        while os.read(0, 1):
            pass
        try:
            clean_up()
        finally:
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class _Kernel:
    """A forked kernel: the part of ``subprocess.Popen`` that jupyter_client asks of its process."""

    stdin = stdout = stderr = returncode = None

    def __init__(self, connection_file: str, cwd: str) -> None:
        supervisor = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            _be_kernel(connection_file, cwd, supervisor)
        os.setpgid(self.pid, self.pid)

    def poll(self, how: int = os.WNOHANG) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, how)
            self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def wait(self) -> int | None:
        return self.poll(0)

    def end(self) -> None:
        """Kill it and what it started."""
        if self.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)


def _be_kernel(connection_file: str, cwd: str, supervisor: int) -> None:
    """Become a kernel that ends with its supervisor; never return."""
    from ipykernel.kernelapp import IPKernelApp

    try:
        os.dup2(1, 0)
        os.chdir(cwd)
        ending = f"--IPKernelApp.parent_handle={supervisor}"
        IPKernelApp.launch_instance(["-f", connection_file, "--log-level=50", ending])
    finally:
        os._exit(1)


def _supervise(folder: str, cwd: str, environment: dict[str, str]) -> None:
    """Execute the notebook in a folder; leave there what it became, or why it failed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    os.environ.update(environment)
    try:
        _execute(Path(folder), cwd)
    except Exception as error:
        _leave_failure(Path(folder), f"{type(error).__name__}: {error}")
    finally:
        os._exit(0)


def _execute(folder: Path, cwd: str) -> None:
    import papermill
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.provisioning import LocalProvisioner
    from nbclient.exceptions import DeadKernelError

    manager = AsyncKernelManager(connection_file=str(folder / "kernel.json"), ip="127.0.0.1")
    manager.write_connection_file()
    kernel = _Kernel(manager.connection_file, cwd)
    end_with_parent(kernel.end)
    manager.provisioner = LocalProvisioner(kernel_spec=KernelSpec(), parent=manager)
    manager.provisioner.process = kernel
    try:
        papermill.execute_notebook(
            folder / "given.ipynb",
            folder / "written.ipynb",
            km=manager,
            kernel_name="python3",
            cwd=cwd,
            progress_bar=False,
            record_timing=False,
            request_save_on_cell_execute=False,
            start_timeout=300,
        )
    except papermill.PapermillExecutionError as error:
        message = f"{error.ename}: {error.evalue}"
        _leave_failure(folder, message, source=error.source, traceback=error.traceback)
    except DeadKernelError:
        _leave_failure(folder, "its kernel died; often that is a lack of memory")
    else:
        os.replace(folder / "written.ipynb", folder / "executed.ipynb")
    finally:
        kernel.end()


def _leave_failure(folder: Path, message: str, **more: Any) -> None:
    (folder / "failure.json").write_text(json.dumps({"message": message, **more}))


if __name__ == "__main__":
    main(*sys.argv[1:])
