"""Run a student's notebook in a process of its own and answer questions about it in plain values.

Nothing of the teacher's is in this process. Whatever the notebook does to it, what leaves it are
lines of JSON: numbers, texts, truth values, and arrays, lists and dictionaries of these.
The process has limits, and does not open the course's files. Neither is a wall: see course.md.
"""

import json
import os
import pickle
import resource
import socket
import sys
from contextlib import suppress

LIMITS = {"CPU": 600, "AS": 2**32, "FSIZE": 2**28, "NPROC": 0, "CORE": 0}  # seconds, bytes, forks
STARTS = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.system", "subprocess.Popen")


def plain(value) -> list:
    """Return a value as a pair of its kind and of what JSON can hold."""
    import numpy as np

    if value is ...:
        return ["open", None]
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return ["value", value]
    if isinstance(value, list | tuple | set | frozenset):
        kind = "list" if isinstance(value, list) else "tuple" if isinstance(value, tuple) else "set"
        return [kind, [plain(one) for one in value]]
    if isinstance(value, dict):
        return ["dict", [[plain(k), plain(v)] for k, v in value.items()]]
    if isinstance(value, np.ndarray):
        return ["array", value.tolist()]
    if hasattr(value, "to_dict") and hasattr(value, "index"):
        return plain(value.to_dict())
    return ["function" if callable(value) else "other", type(value).__name__]


def answer(space: dict, kind: str, name: str, given=(), named=None) -> list:
    """Return a value of the notebook, or what a function of it returns."""
    if name not in space:
        return ["open", None]
    return plain(space[name] if kind == "value" else space[name](*given, **(named or {})))


def run(path: str) -> tuple[dict, list[str]]:
    """Run the code cells of a notebook but the first, which looks for data; return its names."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    HistoryManager.enabled = False
    shell = InteractiveShell.instance()
    with open(path, encoding="utf-8") as file:
        cells = [c for c in json.load(file)["cells"] if c["cell_type"] == "code"]
    problems = []
    for cell in cells:
        source = "".join(cell["source"])
        if "book.show.handed_out" not in source:
            error = shell.run_cell(source).error_in_exec
            problems += [f"{type(error).__name__}: {error}"] if error else []
    return shell.user_ns, problems


def confine(course: str, allowed: tuple[str, ...]) -> None:
    """Limit what this process uses; refuse it programs, connections and the course's files."""
    for name, most in LIMITS.items():
        with suppress(ValueError, OSError):  # a system that knows no such limit
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))

    def refuse(event, args):
        if event in STARTS or event.startswith("socket.connect"):
            raise PermissionError(f"{event}: not while a notebook is graded")
        if event == "open" or event.startswith(("os.", "shutil.")):
            paths = args[: 1 if event == "open" else 2]  # what follows them is no path
            for path in (os.fsdecode(one) for one in paths if isinstance(one, str | bytes)):
                real = os.path.realpath(path)
                if real.startswith(course) and not real.startswith(allowed):
                    raise PermissionError(f"{path}: no file of yours")

    sys.addaudithook(refuse)


def main(path: str, line: str, course: str, *allowed: str) -> None:
    with socket.socket(fileno=int(line)) as own, own.makefile("rwb") as teacher:
        confine(course, (path, *allowed))
        space, problems = run(path)
        reply = plain(problems)
        while True:
            teacher.write(f"{json.dumps(reply)}\n".encode())
            teacher.flush()
            try:
                asked = pickle.load(teacher)
            except EOFError:
                return
            try:
                reply = answer(space, *asked)
            except BaseException as error:
                reply = ["raised", f"{type(error).__name__}: {error}"[:300]]


if __name__ == "__main__":
    main(*sys.argv[1:])
