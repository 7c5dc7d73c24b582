"""What runs a student's notebook: its cells, their time, and why a name is not set."""

import ast
import inspect
import json
import pickle
import signal
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest
from one_lab import RIGHT, answered

from book.show import exercises, seal
from book.show.exercises import check, printed_by
from teaching import student
from teaching.student import code_cells


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_notebook_that_another_editor_saved_is_read(encoding, tmp_path):
    path = tmp_path / "one.ipynb"
    text = nbformat.writes(answered(RIGHT))
    path.write_text(text, encoding="utf-8")
    plain = code_cells(path)
    path.write_text(text, encoding=encoding)
    assert code_cells(path) == plain and len(plain) > 3


def test_a_cell_and_a_call_end_in_time(monkeypatch):
    with pytest.raises(student.Late), student.time_limit(0.02):
        while True:
            pass

    def endless():
        while True:
            pass

    monkeypatch.setattr(student, "SECONDS_OF_CELL", 0.02)
    names = {"endless": endless}
    text = student.answer_line(student.call_function, names, "endless", (), {})
    assert "no answer in time" in text


def test_after_a_block_no_alarm_is_left():
    before = signal.getsignal(signal.SIGALRM)
    with student.time_limit(30):
        assert 29 < signal.getitimer(signal.ITIMER_REAL)[0] <= 30
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is before


PLAIN = {  # by the kind that is told: a value, and how it is told
    "value": (np.float64(0.5), 0.5),
    "array": (np.array([1, 2]), [1, 2]),
    "dict": (pd.Series({"a": 1}), [[["value", "a"], ["value", 1]]]),
    "tuple": ((True, None), [["value", True], ["value", None]]),
    "list": (range(2), [["value", 0], ["value", 1]]),
    "function": (abs, "builtin_function_or_method"),
    "other": (object(), "object"),
    "open": (..., None),
}


@pytest.mark.parametrize("kind", PLAIN)
def test_a_value_is_told_by_its_kind_and_what_json_holds(kind):
    value, told = PLAIN[kind]
    assert student.plain_value(value) == [kind, told]


def test_an_answer_is_a_line_and_one_too_long_says_so(monkeypatch):
    monkeypatch.setattr(student, "LARGEST_ANSWER", 40)
    shortest = student.answer_line(lambda: ["value", "x" * 27])
    assert json.loads(shortest) == ["value", "x" * 27] and len(shortest) == 40
    longer = student.answer_line(lambda: ["value", "x" * 28])
    assert json.loads(longer) == ["raised", "too long an answer"]


@pytest.mark.parametrize("user", [0, 1000])
def test_who_is_root_becomes_nobody_and_all_limits_are_set(user, monkeypatch):
    """First the groups, then the group, then the user, who may no longer change them."""
    done, limits = [], {}
    monkeypatch.setattr(student.os, "getuid", lambda: user)
    for name in ("setgroups", "setgid", "setuid"):
        monkeypatch.setattr(
            student.os, name, lambda to, name=name: done.append((name, to))
        )
    monkeypatch.setattr(student.resource, "setrlimit", limits.__setitem__)
    student.confine()
    nobody = [("setgroups", []), ("setgid", 61187), ("setuid", 61187)]
    assert done == ([] if user else nobody)
    assert limits == {
        getattr(student.resource, f"RLIMIT_{name}"): (most, most)
        for name, most in student.LIMITS.items()
    }
    assert student.LIMITS["NPROC"] == student.LIMITS["CORE"] == 0


class Kernel:
    """Answers as IPython does: with errors before and in the execution of a cell."""

    def __init__(self, errors):
        self.errors, self.user_ns = errors, {"set": 1}

    def run_cell(self, source):
        error = self.errors.get(source)
        before = error if isinstance(error, SyntaxError) else None
        return SimpleNamespace(
            error_before_exec=before, error_in_exec=None if before else error
        )


def test_a_name_that_a_failed_cell_would_have_set_says_why():
    errors = {
        "first = (": SyntaxError("'(' was never closed"),
        "second = f()": student.Late(),
    }
    namespace, failures = student.run(Kernel(errors), [*errors, "third = ..."])
    replies = [
        student.value_of(namespace, name, failures)
        for name in ("first", "second", "third")
    ]
    assert replies[0] == [
        "raised",
        "the cell failed: SyntaxError: '(' was never closed",
    ]
    assert replies[1][1].startswith("the cell failed: it took more than")
    assert replies[2] == ["open", None]
    assert student.value_of(namespace, "set", failures) == ["value", 1]


def test_of_a_hand_out_the_first_cell_alone_is_left_out(tmp_path):
    """Its words in another cell are a student's: that cell runs."""
    begin = "from book.show.handed_out import begin"
    comment = "x = 1  # as book.show.handed_out says"
    path = tmp_path / "one.ipynb"
    for sources, run in (
        ([begin, comment], [comment]),
        (["y = 2", comment], ["y = 2", comment]),
    ):
        cells = [{"cell_type": "code", "source": [source]} for source in sources]
        path.write_text(json.dumps({"cells": cells}))
        assert student.code_cells(path) == run
    path.write_text(json.dumps({"cells": []}))
    assert student.code_cells(path) == []


FUNCTIONS = {  # and whether they are what an exercise left open
    "def f(x): ...": True,
    "def f(x, y=1):\n    pass": True,
    "f = lambda x: None": True,
    "def f(x):\n    'a'\n    return 'a'": False,
    "f = ...": True,
    "def f(x): return x": False,
    "def f(x, y): return x / y": False,
    "def f(x): return 0": False,
    "def f(x): return None if x else ...": False,
    "f = abs": False,
    "f = 3": False,
}


@pytest.mark.parametrize("source", FUNCTIONS)
def test_an_empty_stub_is_what_the_check_of_students_calls_not_filled_in(source):
    values = {}
    exec(source, values)
    kind, _ = student.plain_value(values["f"])
    assert (kind == "open") == FUNCTIONS[source]
    said = printed_by("with check('x'):\n    assert f == 7", values | {"check": check})
    assert (said == "not yet: not filled in: f") == FUNCTIONS[source]


@pytest.mark.parametrize(
    ("here", "of_students"),
    [(student.is_stub, exercises._is_stub), (student.is_array, seal.is_array)],
)
def test_the_wall_and_the_checks_of_students_decide_by_the_same_code(here, of_students):
    """Behind the wall nothing of the book's modules is imported to tell what a value is."""
    assert body_of(here) == body_of(of_students)


def body_of(function):
    """What a function does, without its name and its docstring."""
    (tree,) = ast.parse(inspect.getsource(function)).body
    return [ast.dump(statement) for statement in tree.body[1:]]


@pytest.mark.parametrize("trusted", ["", "trusted"])
def test_each_answer_is_written_before_the_end_which_waits_for_nothing(
    trusted, tmp_path, monkeypatch
):
    """First the names, then the calls; who is trusted keeps rights, and data lie beside all."""
    copies, scratch = tmp_path / "copies", tmp_path / "scratch"
    copies.mkdir()
    scratch.mkdir()
    (copies / "reserved.npz").write_bytes(b"data")
    cells = [{"cell_type": "code", "source": [source]} for source in ("a", "b")]
    (copies / "notebook.ipynb").write_text(json.dumps({"cells": cells}))
    questions = ["set", "open"], [pickle.dumps(("double", (4,), {}))]
    (copies / "questions.pickle").write_bytes(pickle.dumps(questions))
    kernel, done = Kernel({}), []
    kernel.user_ns["double"] = lambda x: 2 * x
    monkeypatch.chdir(scratch)
    monkeypatch.setattr(student, "cell_runner", lambda: kernel)
    monkeypatch.setattr(student, "confine", lambda: done.append("confined"))
    monkeypatch.setattr(student.os, "_exit", done.append)
    with (tmp_path / "answers").open("w") as answers:
        monkeypatch.setattr(student, "output_apart", lambda: answers)
        student.main(str(copies), trusted)
        lines = (tmp_path / "answers").read_text().splitlines()
    told = [["value", 1], ["open", None], ["value", 8]]
    assert [json.loads(line) for line in lines] == told
    assert done == ([0] if trusted else ["confined", 0])
    assert (scratch / "reserved.npz").read_bytes() == b"data"
