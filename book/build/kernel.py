"""A chapter executed in a forked kernel that papermill drives."""

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait
from typing import Any

from book.build.notebook_outputs import check_outputs, settle
from book.build.project import BookError, Chapter, Project
from book.build.students import add_proofs, quoted, take_proofs

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


def executed(
    project: Project, chapter: Chapter, parameters: dict[str, Any], home: str
) -> bytes:
    """Return the chapter as an executed notebook, free of traces of the run."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager
    from jupyter_client.provisioning import LocalProvisioner

    connection = f"{home}/kernel.json"
    os.environ.update(HOME=home, CALIB_DECLARED=os.pathsep.join(chapter.data))
    os.chdir(chapter.path.parent)
    # files in place of ports, which may be taken
    manager = AsyncKernelManager(connection_file=connection, transport="ipc")
    manager.write_connection_file()
    manager.provisioner = LocalProvisioner(kernel_spec=KernelSpec(), parent=manager)
    manager.provisioner.process = _Kernel(connection)  # type: ignore[assignment] # acts as one
    _end_with_parent()
    import jupytext  # while the kernel starts
    import nbformat
    import papermill

    notebook = jupytext.read(chapter.path)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:03d}"
    if parameters:
        _refuse_unknown(chapter, parameters, papermill.inspect_notebook(notebook))
    add_proofs(chapter, notebook)
    options = {"kernel_name": "python3", "progress_bar": False, "record_timing": False}
    try:
        notebook = papermill.execute_notebook(
            notebook, None, parameters, km=manager, start_timeout=300, **options
        )
    except papermill.PapermillExecutionError as error:
        message = " ".join(f"{error.ename}: {error.evalue}".split())
        trace = "\n".join([quoted(error.source), *error.traceback])
        raise BookError(f"{chapter.path}: {message}\n{trace}".rstrip()) from None
    take_proofs(chapter, notebook)
    settle(notebook)
    check_outputs(project.root, chapter, notebook)
    return f"{nbformat.writes(notebook)}\n".encode()


def _end_with_parent() -> None:
    """Let this process, and what it starts in its group, end when its parent is gone."""
    parent: Any = multiprocessing.parent_process()

    def watch() -> None:
        wait([parent.sentinel])
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


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
