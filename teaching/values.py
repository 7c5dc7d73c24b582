"""Plain values as they come out of a workspace: read by form, never trusted.

In: lines of JSON that a student's code may have written. Out: numbers, texts, arrays and their
containers, functions that look their answers up; anything else is a `NoAnswer` that says why.
"""

import json
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from teaching.student import LARGEST_ANSWER

CALLABLE = object()  # stands for a function of the notebook


class NoAnswer(AssertionError):
    """What a submission says is no value to compare."""


def value_of_line(line: str) -> Any:
    """Return the value of a line; NoAnswer where there is none."""
    if len(line) > LARGEST_ANSWER:
        raise NoAnswer("too long an answer")
    try:
        return value_of_pair(json.loads(line))
    except (ValueError, TypeError, RecursionError, OverflowError, MemoryError):
        raise NoAnswer("is no plain value") from None


def value_of_pair(item: Any) -> Any:
    """Return the value of a pair of its kind and what JSON holds."""
    kind, value = item
    if kind not in READERS:
        raise NoAnswer(_fault(kind, value))
    return READERS[kind](value)


def _atom(value: Any) -> Any:
    if value is not None and type(value) not in (bool, int, float, str):
        raise NoAnswer(_fault("value", value))
    return value


def _array(value: Any) -> np.ndarray:
    array = np.array(value)
    if array.dtype.kind not in "biufU":
        raise NoAnswer("holds no numbers")
    return array


READERS: dict[str, Callable[[Any], Any]] = {
    "list": lambda items: list(map(value_of_pair, items)),
    "tuple": lambda items: tuple(map(value_of_pair, items)),
    "set": lambda items: set(map(value_of_pair, items)),
    "dict": lambda pairs: {
        value_of_pair(key): value_of_pair(value) for key, value in pairs
    },
    "array": _array,
    "value": _atom,
    "function": lambda value: CALLABLE,
}


def _fault(kind: str, value: Any) -> str:
    if kind == "open":
        return "not filled in"
    if kind == "raised":
        return str(value)[:300]
    return f"is of the kind {str(value)[:60]}, which cannot be compared"


class Replies:
    """What a submission answers: values by name, and what its functions returned."""

    def __init__(
        self, lines: list[str], names: list[str], calls: Iterable[bytes], fault: str
    ):
        self.fault = fault
        self.lines_of_names = dict(zip(names, lines, strict=False))
        self.lines_of_calls = dict(zip(calls, lines[len(names) :], strict=False))

    def value(self, name: str) -> Any:
        """Return a plain value; a function becomes one that looks up what was returned."""
        value = self._of(self.lines_of_names, name)
        return self._function(name) if value is CALLABLE else value

    def _of(self, lines: dict[Any, str], asked: str | bytes) -> Any:
        if asked not in lines:
            raise NoAnswer(self.fault or "was not asked")
        return value_of_line(lines[asked])

    def _function(self, name: str) -> Callable[..., Any]:
        def looked_up(*arguments: Any, **options: Any) -> Any:
            return self._of(self.lines_of_calls, call_of(name, arguments, options))

        return looked_up


def call_of(name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> bytes:
    """Return a call of a function as bytes, by which its answer is found."""
    return pickle.dumps((name, arguments, options))
