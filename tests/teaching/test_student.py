"""What runs a student's notebook: its cells, their time, and why a name is not set."""

import json
from types import SimpleNamespace

import nbformat
import pytest
from one_lab import RIGHT, answered

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


def test_a_cell_and_a_call_end_in_time():
    with pytest.raises(student.Late), student.time_limit(0.02):
        while True:
            pass

    def endless():
        while True:
            pass

    student_seconds, student.SECONDS = student.SECONDS, 0.02
    try:
        text = student.answer_line(
            student.call_function, {"endless": endless}, "endless", (), {}
        )
    finally:
        student.SECONDS = student_seconds
    assert "no answer in time" in text


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
