"""Marks for a notebook: its values, taken as plain ones, in the place of the solution's.

The notebook runs in a process of its own (`teaching.student`). Here, where none of its code runs,
the teacher's notebook is executed with the same student's data; then each step's check, and its
hidden test, are executed once for each part of the answer, with that part in the solution's place.
"""

import io
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import time
import types
import zlib
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from unittest.mock import patch

import numpy as np
import yaml

from book.show.exercises import answers, check, said

HERE = Path(__file__).parent
HIDDEN = yaml.safe_load((HERE / "hidden.yml").read_text(encoding="utf-8"))
SECONDS, LARGEST = 120, 2**28  # for a notebook or a call; bytes of an answer
INEXACT = float | np.floating | np.ndarray | types.FunctionType


class NoAnswer(AssertionError):
    """What a student's process says is no value to compare."""


class Work:
    """A student's notebook while it runs: a process that is asked for values."""

    def __init__(self, notebook: Path, support: Path, student: str, place: str):
        packages = [support, *support.parent.glob("*.whl")]  # what the students have
        given = {"PATH": os.environ["PATH"], "HOME": place, "IPYTHONDIR": place, "TMPDIR": place}
        given |= {"PYTHONPATH": os.pathsep.join(map(str, packages)), "MPLBACKEND": "Agg"}
        given |= {"CALIB_STUDENT": student, "CALIB_DATA": str(support / "data")}
        given |= {"PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        closed = f"{support.resolve().parents[1]}{os.sep}"
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        self.line, theirs = socket.socketpair()
        with theirs:
            asked = [notebook.resolve(), theirs.fileno(), closed, *(p.resolve() for p in packages)]
            apart = {"env": given, "cwd": place, "start_new_session": True}
            command = [sys.executable, "-P", HERE / "student.py", *map(str, asked)]
            self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], **apart, **quiet)
        self.rest = b""

    def reply(self, name: str = "", asked: bytes = b""):
        """Return the next answer, to what is asked; NoAnswer where there is none in time."""
        until = time.monotonic() + SECONDS
        try:
            self.line.settimeout(SECONDS)
            self.line.sendall(asked)
            while b"\n" not in self.rest:
                self.line.settimeout(max(0.001, until - time.monotonic()))
                part = self.line.recv(2**20)
                if not part or len(self.rest) > LARGEST:
                    raise ConnectionError
                self.rest += part
        except OSError as problem:
            self.close()
            late = isinstance(problem, TimeoutError)
            raise NoAnswer("no answer in time" if late else "the notebook ended") from None
        line, _, self.rest = self.rest.partition(b"\n")
        try:
            return self.restore(json.loads(line), name)
        except (ValueError, TypeError, RecursionError):
            raise NoAnswer("is no plain value") from None

    def restore(self, item, name=""):
        """Return a plain value; a function of a name becomes one that asks the process."""
        kind, value = item
        if kind in ("list", "tuple", "set"):
            parts = [self.restore(one) for one in value]
            return {"list": list, "tuple": tuple, "set": set}[kind](parts)
        if kind == "dict":
            return {self.restore(k): self.restore(v) for k, v in value}
        if kind == "array":
            array = np.array(value)
            if array.dtype.kind not in "biufU":
                raise NoAnswer("holds no numbers")
            return array
        if kind == "value" and (value is None or type(value) in (bool, int, float, str)):
            return value
        if kind == "function" and name:
            return lambda *given, **named: self.question("call", name, given, named)
        said = {"open": "not filled in", "raised": value}
        raise NoAnswer(str(said.get(kind, f"is of the kind {value}, which cannot be compared")))

    def question(self, kind: str, name: str, *rest):
        """Ask for a value, or for what a function returns."""
        return self.reply(name if kind == "value" else "", pickle.dumps((kind, name, *rest)))

    def close(self) -> None:
        self.line.close()
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def parts(names: list[str], solution: dict) -> list[tuple]:
    """Return the parts of a step that earn marks of their own: the names or keys that each needs.

    A function is tried on what its check asks and on hidden data; a number, an array and each
    number of a dictionary count alone; what can be guessed only where all else of it is right.
    """
    found, guessable = [], False
    for name in names:
        value = solution[name]
        if isinstance(value, INEXACT):
            found.append([(name, None)])
        elif isinstance(value, dict) and all(isinstance(v, INEXACT) for v in value.values()):
            found += [[(name, key)] for key in value]
        else:
            guessable |= not isinstance(value, tuple | list)
            found += [[(name, None)]] if isinstance(value, tuple | list) else []
    return [*found, [(name, None) for name in names]] if guessable else found


def tried(part, source: str, solution: dict, work: Work) -> str:
    """Return "right", or what is wrong with a part of an answer that stands in the solution."""
    space, names = dict(solution), [name for name, _ in part]
    try:
        for name, key in part:
            value = work.question("value", name)
            if callable(value) != callable(solution[name]):
                raise NoAnswer("is no function" if callable(solution[name]) else "is a function")
            if key is not None:
                if not isinstance(value, dict) or key not in value:
                    raise NoAnswer(f"{key!r} is missing")
                value = solution[name] | {key: value[key]}
            space[name] = value
    except NoAnswer as problem:
        return f"{', '.join(names)}: {problem}"
    found = said(source, space | {"check": check})
    return found if found == "right" else f"{', '.join(names)}: {found}"


def steps(notebook) -> list[dict]:
    """Return the steps of a teacher's notebook: label, cells up to the next one, names, check."""
    found = [{"label": "", "cells": [], "names": [], "check": ""}]
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        tags = cell.metadata.get("tags", [])
        if "stub" in tags:
            names = answers(cell.source)
            found.append({"label": cell.metadata["exercise"], "cells": [], "names": names})
        if "check" in tags:
            found[-1]["check"] = cell.source
        elif "book.show.handed_out" not in cell.source:
            found[-1]["cells"].append(cell.source)
    return found


def hidden_test(label: str, secret: int) -> str:
    """Return the hidden test of a step as a check, with numbers drawn from the teacher's secret."""
    seed = [secret, zlib.crc32(label.encode())]
    head = f"hidden_rng = lambda k=0: np.random.default_rng([*{seed}, k])\nwith check('hidden'):\n"
    return head + indent(HIDDEN[label], "    ")


def judge(teacher, notebook: Path, support: Path, student: str, secret: int) -> list[dict]:
    """Return for each step of a lab its label, the share that is right, and what is said of it."""
    given = {"CALIB_STUDENT": student, "CALIB_DATA": str(support / "data")}
    with TemporaryDirectory() as ours, TemporaryDirectory() as theirs:
        for path, place in product(support.parent.glob("reserved.npz"), (ours, theirs)):
            shutil.copy(path, place)
        with patch.dict(os.environ, given), chdir(ours):
            work = Work(notebook, support, student, theirs)
            try:
                return list(_judged(teacher, work, secret))
            finally:
                work.close()


def _judged(teacher, work: Work, secret: int):
    with suppress(NoAnswer):
        work.reply()
    solution: dict = {"np": np}
    for step in steps(teacher):
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            for source in step["cells"]:
                exec(source, solution)
        if not step["label"]:
            continue
        results = []
        for part in parts(step["names"], solution):
            result = tried(part, step["check"], solution, work)
            results.append(result)
            if step["label"] in HIDDEN and callable(solution[part[0][0]]):
                hidden = hidden_test(step["label"], secret)
                other = tried(part, hidden, solution, work) if result == "right" else result
                results.append(other if other == "right" else "other data: not the right answer")
        good = results.count("right")
        if good == len(results):  # what follows may use it, as the student does
            solution |= {n: work.question("value", n) for n in step["names"]}
        notes = list(dict.fromkeys(one for one in results if one != "right"))
        yield {"label": step["label"], "share": good / len(results), "said": notes}
