"""Run a student's notebook behind the wall and answer questions about it in plain values.

This file alone, with the notebook, the students' modules and the questions, is in the workspace
where it runs (`teaching.wall`). It writes lines of JSON: what the notebook's names hold, then what
its functions return. The student's code may write there what it likes: these are answers, and are
judged elsewhere. The limits below are the system's, and nothing here can raise them again.
"""

import json
import os
import pickle
import re
import resource
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import numpy as np

LIMITS = {
    "CPU": 300,  # seconds
    "AS": 2**32,  # bytes of memory
    "FSIZE": 2**26,  # bytes of a file
    "NOFILE": 256,
    "NPROC": 0,  # neither processes nor threads
    "CORE": 0,
}
SECONDS_OF_CELL = 60  # and of a call of a function
NOBODY = 61187  # a user whom no machine has
LARGEST_ANSWER = 2**23  # bytes of one answer
FAILED = "the cell failed"


class Late(BaseException):
    """Time is up: nothing that code catches by accident."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise Late where a block takes longer."""

    def late(number: int, frame: FrameType | None) -> None:
        raise Late("no answer in time")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def plain_value(value: Any) -> list[Any]:
    """Return a value as a pair of its kind and of what JSON can hold."""
    if value is ... or is_stub(value):
        return ["open", None]
    for kinds, pair in PLAIN:
        if isinstance(value, kinds):
            return pair(value)
    if is_array(value):
        return ["array", value.tolist()]
    if hasattr(value, "to_dict"):  # of pandas
        return plain_value(value.to_dict())
    kind = "function" if callable(value) else "other"
    return [kind, type(value).__name__]


def is_stub(value: Any) -> bool:
    """Return whether a function is still `def f(x): ...`, as the checks of students see it.

    It returns nothing whatever it is given. (The modules of a course are of the day on which it
    was made, so that nothing of theirs is imported here.)
    """

    def stub() -> None: ...

    code = getattr(value, "__code__", None)
    if code is None:
        return False
    constants = set(code.co_consts)
    return code.co_code == stub.__code__.co_code and constants <= {None, ...}


def is_array(value: Any) -> bool:
    """Return whether a value is an array, as the checks of students see it (`book.show.seal`)."""
    if not hasattr(value, "iloc"):
        return hasattr(value, "tolist")
    index = np.asarray(value.index)
    counts = index.dtype.kind in "iu" and np.array_equal(index, range(len(index)))
    return counts and hasattr(value, "tolist")  # a frame has none


def _items(kind: str) -> Callable[[Any], list[Any]]:
    return lambda value: [kind, [plain_value(item) for item in value]]


def _dictionary(value: dict[Any, Any]) -> list[Any]:
    return [
        "dict",
        [[plain_value(key), plain_value(item)] for key, item in value.items()],
    ]


# In this order: a boolean of numpy is one of Python first, and what is left is named by its kind.
PLAIN: list[tuple[Any, Callable[[Any], list[Any]]]] = [
    (np.generic, lambda value: plain_value(value.item())),
    ((bool, int, float, str, type(None)), lambda value: ["value", value]),
    ((list, range), _items("list")),
    (tuple, _items("tuple")),
    ((set, frozenset), _items("set")),
    (dict, _dictionary),
]


def value_of(
    namespace: dict[str, Any], name: str, failures: dict[str, str]
) -> list[Any]:
    """Return what a name holds; of one that nothing set, why the cell that names it failed."""
    if name not in namespace:
        reason = reason_of(name, failures)
        return ["raised", f"{FAILED}: {reason}"] if reason else ["open", None]
    with time_limit(SECONDS_OF_CELL):
        return plain_value(namespace[name])


def call_function(
    namespace: dict[str, Any],
    name: str,
    arguments: tuple[Any, ...],
    options: dict[str, Any],
) -> list[Any]:
    """Return what a function of the notebook returns."""
    if name not in namespace:
        return ["open", None]
    with time_limit(SECONDS_OF_CELL):
        return plain_value(namespace[name](*arguments, **options))


def answer_line(answer: Callable[..., list[Any]], *question: Any) -> str:
    """Return an answer as a line; one that fails or is too long is a line as well."""
    try:
        text = json.dumps(answer(*question))
    except BaseException as error:  # SystemExit of a student's function too
        text = json.dumps(["raised", f"{type(error).__name__}: {error}"[:300]])
    if len(text) > LARGEST_ANSWER:
        return json.dumps(["raised", "too long an answer"])
    return text


def code_cells(notebook: Path) -> list[str]:
    """Return the code cells of a notebook but the first, which looks for data."""
    every = json.loads(notebook.read_bytes())["cells"]  # in any Unicode
    sources = ["".join(cell["source"]) for cell in every if cell["cell_type"] == "code"]
    if not sources:
        return []
    # of any other cell these words may be a student's
    return sources[1:] if "book.show.handed_out" in sources[0] else sources


def cell_runner() -> Any:
    """Return what runs cells, as a notebook's kernel does."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False  # type: ignore[assignment] # as its own documentation does
    return InteractiveShell.instance()


def run(kernel: Any, sources: list[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Run cells, each of which may fail; return the names that they leave, and what failed why."""
    failures = {}
    for source in sources:
        problem = f"it took more than {SECONDS_OF_CELL:g} seconds"
        with suppress(Late), time_limit(SECONDS_OF_CELL):
            result = kernel.run_cell(source)
            error = result.error_before_exec or result.error_in_exec
            if not isinstance(error, Late):  # the kernel catches that as well
                problem = f"{type(error).__name__}: {error}"[:200] if error else ""
        if problem:
            failures[source] = problem
    return kernel.user_ns, failures


def reason_of(name: str, failures: dict[str, str]) -> str:
    """Return why the first cell that names something failed; nothing where none did."""
    for source, problem in failures.items():
        if re.search(rf"\b{re.escape(name)}\b", source):
            return problem
    return ""


def output_apart() -> TextIO:
    """Return the output alone; what a notebook reads and prints is nothing."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    return answers


def confine() -> None:
    """Become the user `nobody` where this is root; limit what this process uses."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    for name, limit in LIMITS.items():
        with suppress(ValueError, OSError):  # a system that knows no such limit
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))


def main(copies: str, trusted: str = "") -> None:
    """Answer the questions that lie beside the notebook; nothing else reaches the output."""
    folder = Path(copies)
    if not trusted:
        confine()
    for path in folder.glob("*.npz"):  # a notebook finds them beside itself
        shutil.copyfile(path, path.name)
    names, calls = pickle.loads((folder / "questions.pickle").read_bytes())
    sources = code_cells(folder / "notebook.ipynb")
    kernel, answers = cell_runner(), output_apart()
    namespace, failures = run(kernel, sources)
    for name in names:
        print(
            answer_line(value_of, namespace, name, failures), file=answers, flush=True
        )
    for call in calls:
        arguments = pickle.loads(call)
        print(
            answer_line(call_function, namespace, *arguments), file=answers, flush=True
        )
    os._exit(0)  # what the notebook left for the end is not waited for


if __name__ == "__main__":
    main(*sys.argv[1:])
