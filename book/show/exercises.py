"""Exercises: a stub to fill in, a check that says whether it is right, and proof that it can tell.

A check cell reads ``with check("ex-label"):`` and holds assertions about what the stub leaves open.
When a chapter is executed, `prove` runs its check on the solution, which must pass, and on wrong
versions of the solution, each of which must fail.
"""

import ast
import dis
import io
import json
import linecache
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import singledispatch
from types import CodeType, FrameType, TracebackType
from typing import Any, cast

import numpy as np

from evidence.data import data_folder

Space = dict[str, Any]  # names and what they hold, as `globals()`
NUMBERS = "biuf"  # kinds of NumPy's types: flags, integers, floating-point numbers
VERDICTS = ("holds", "fails", "mixed")
CLOSE = ("isclose", "allclose")
COMPARISONS = (*CLOSE, "array_equal")
MISTAKES = (  # what undoes a mistake, and its name
    (lambda value: value / 100, "is 100 times too large"),
    (lambda value: value * 100, "is 100 times too small"),
    (lambda value: -value, "has the other sign"),
    (lambda value: value - 1, "is one too large: counted from 1?"),
    (lambda value: 1 - value, "is one less the right one"),
)
PASSED: dict[str, bool] = {}  # by label, whether the last run of a check passed


class check:
    """Say "right" if what stands below holds, else "not yet" and what does not; raise nothing."""

    def __init__(self, label: str) -> None:
        self.label = label

    def __enter__(self) -> None:
        PASSED[self.label] = False

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if error is not None and not isinstance(error, Exception):
            return False
        PASSED[self.label] = error is None
        if error is None:
            print("right")
        else:
            print(f"not yet: {_reason(error, trace.tb_frame, trace)}")
        return True

    def run(self, space: Space) -> None:
        """Run the check of this label that lies beside the data of the archive."""
        checks = json.loads(
            (data_folder().parent / "checks.json").read_text(encoding="utf-8")
        )
        source, name = checks[self.label], f"<{self.label}>"
        linecache.cache[name] = (
            len(source),
            None,
            source.splitlines(keepends=True),
            name,
        )
        exec(compile(source, name, "exec"), {**space, "check": check})


def _reason(error: Exception, frame: FrameType, trace: TracebackType) -> str:
    if empty := _left_open(frame):
        return f"not filled in: {', '.join(empty)}"
    difference = ""
    with suppress(Exception):  # a comparison that cannot be looked into says less
        difference = _difference(frame, trace.tb_lineno)
    if not isinstance(error, AssertionError):
        is_none = "NoneType" in str(error)
        hint = " (does a function of yours return nothing?)" if is_none else ""
        return difference or f"{type(error).__name__}: {error}{hint}"
    words = filter(None, (str(error).partition("\n")[0], difference))
    return ": ".join(words) or "the values differ from what the check expects"


def _left_open(frame: FrameType) -> list[str]:
    """Return the names of answers that the check reads and that hold no answer yet."""
    answers = set(_names(frame.f_code)) & frame.f_globals.keys() - _stored(frame.f_code)
    values = {
        name: frame.f_globals[name] for name in _names(frame.f_code) if name in answers
    }
    return [name for name, value in values.items() if value is ... or _is_stub(value)]


def _names(code: CodeType) -> list[str]:
    """Return the names that code uses, that of its comprehensions too."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):  # the code of a comprehension or a function
            names += _names(constant)
    return names


def _stored(code: CodeType) -> set[str]:
    """Return the names that code gives a value: a check's own, not an answer's."""
    return {
        step.argval
        for step in dis.get_instructions(code)
        if step.opname == "STORE_NAME"
    }


def _is_stub(value: Any) -> bool:
    """Say whether a function is still `def f(x): ...`; one that returns `x / y` is none."""

    def stub() -> None: ...

    code = getattr(value, "__code__", None)
    if code is None:
        return False
    constants = set(code.co_consts)
    return code.co_code == stub.__code__.co_code and constants <= {None, ...}


def _difference(frame: FrameType, line: int) -> str:
    """Say how the two sides of the failed comparison of a line differ, not what is right."""
    tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    asserts = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    (test,) = (
        node.test for node in asserts if node.lineno <= line <= (node.end_lineno or 0)
    )
    sides = compared_sides(test)
    if not sides:
        return ""
    answer, right = (
        eval(compile(ast.Expression(side), "", "eval"), frame.f_globals, frame.f_locals)
        for side in sides
    )
    return f"{ast.unparse(sides[0])} {difference_in_words(answer, right)}"


def compared_sides(test: ast.expr) -> list[ast.expr]:
    """Return the two sides of ``a == b``, ``a is b`` or ``np.isclose(a, b)``; else nothing."""
    if isinstance(test, ast.Call) and getattr(test.func, "attr", "") in COMPARISONS:
        return test.args[:2]
    if not isinstance(test, ast.Compare) or len(test.ops) > 1:
        return []
    is_equality = isinstance(test.ops[0], ast.Eq | ast.Is)
    return [test.left, test.comparators[0]] if is_equality else []


def difference_in_words(answer: Any, right: Any) -> str:
    """Say how a value differs from the right one, without telling it.

    Examples
    --------
    >>> difference_in_words(35.0, 0.35), difference_in_words([1, 2], [1, 2, 3])
    ('is 100 times too large', 'has the shape (2,), expected (3,)')
    """
    answer, right = np.asarray(answer), np.asarray(right)
    if answer.dtype.kind not in NUMBERS or right.dtype.kind not in NUMBERS:
        return "is not what was asked for"
    if answer.shape != right.shape:
        return f"has the shape {answer.shape}, expected {right.shape}"
    answer, right = answer.astype(float), right.astype(float)
    if np.isnan(answer).any() and not np.isnan(right).any():
        return "holds NaN"
    return _mistake(answer, right) or _distance(answer, right)


def _mistake(answer: np.ndarray, right: np.ndarray) -> str:
    """Return the frequent mistake that leads from right numbers to an answer; nothing if none."""
    for change, mistake in MISTAKES:
        # not one number near 0 may pass for another: hence a tolerance of almost nothing
        if np.allclose(change(answer), right, rtol=1e-3, atol=1e-12, equal_nan=True):
            return mistake
    return ""


def _distance(answer: np.ndarray, right: np.ndarray) -> str:
    """Say of a number its side, of an array in how many places it differs."""
    if answer.ndim == 0:
        return f"is too {'large' if answer > right else 'small'}"
    far = ~np.isclose(answer, right, rtol=1e-3, atol=1e-6, equal_nan=True)
    if not far.any():
        return "is not near enough"
    return f"differs in {far.sum()} of {far.size} places"


def open_names(stub: str) -> list[str]:
    """Return the names that a stub leaves open: assigned ``...``, or functions with one inside."""
    names = []
    for node in ast.parse(stub).body:
        if isinstance(node, ast.FunctionDef) and any(map(_is_dots, ast.walk(node))):
            names.append(node.name)
        if isinstance(node, ast.Assign) and _is_dots(node.value):
            targets = [name for name in node.targets if isinstance(name, ast.Name)]
            names += [name.id for name in targets]
    return names


def _is_dots(node: ast.AST) -> bool:
    return getattr(node, "value", None) is ...


@singledispatch
def wrong_values(value: Any) -> list[Any]:
    """Return five values, of the same kind where possible, that differ from a right one."""
    if callable(value):
        return [
            lambda *a, _which=i, **k: wrong_values(value(*a, **k))[_which]
            for i in range(5)
        ]
    if hasattr(value, "iloc"):  # a frame or a column of pandas
        return _wrong_arrays(value)
    return [None, 0, "?", [3, 1], -1]


@wrong_values.register
def _wrong_flags(value: bool | np.bool_) -> list[Any]:
    return [not value, None, "perhaps", "", -1]


@wrong_values.register
def _wrong_words(value: str) -> list[Any]:
    if value in VERDICTS:
        others = [verdict for verdict in VERDICTS if verdict != value]
    else:
        others = [f"{value}?", "?"]
    return [*others, "", f"not {value}", None]


@wrong_values.register
def _wrong_numbers(value: int | float | np.number) -> list[Any]:
    whole, size = isinstance(value, int | np.integer), cast(Any, abs(value))
    step = 1 + size // 4 if whole else 0.01 + size / 10
    return [
        value + step,
        value - step,
        -value - step,
        value + 3 * step,
        100 * (size + step),
    ]


@wrong_values.register(set)
@wrong_values.register(frozenset)
def _wrong_sets(value: set[Any] | frozenset[Any]) -> list[Any]:
    less = value - set(sorted(value)[:1]) if len(value) > 1 else {"!"}
    return [less, value | {"?"}, {"?"}, less | {"?"}, set() if value else {0}]


@wrong_values.register(dict)
def _wrong_dictionaries(value: dict[Any, Any]) -> list[Any]:
    if not value:
        return wrong_values(None)
    first, *_, last = [*value, *value]
    changed = [
        value | {k: wrong_values(value[k])[i]} for i, k in enumerate((first, last))
    ]
    missing = [{k: v for k, v in value.items() if k != gone} for gone in (first, last)]
    return [*changed, *missing, {}]


@wrong_values.register(list)
@wrong_values.register(tuple)
def _wrong_sequences(value: list[Any] | tuple[Any, ...]) -> list[Any]:
    if not value:
        return wrong_values(None)
    head, tail = wrong_values(value[0])[0], wrong_values(value[-1])[1]
    changed = [[head, *value[1:]], [*value[:-1], tail], [head, *value[1:-1], tail]]
    return [type(value)(items) for items in [*changed, value[:-1], [*value, head]]]


@wrong_values.register
def _wrong_arrays(value: np.ndarray) -> list[Any]:
    if not len(value):
        return wrong_values(None)
    if np.asarray(value).dtype == bool:
        return [~value, value[1:], value[:-1], value[:0], ~value[:-1]]
    size = np.abs(value)
    step = 0.01 + size / 10
    largest = size == np.nanmax(np.asarray(size, float))
    return [value + step, value + largest * step, value[:-1], value[1:], -value - step]


@singledispatch
def spellings(value: Any) -> list[Any]:
    """Return three ways to write a right value."""
    if callable(value):
        return [
            lambda *a, _which=i, **k: spellings(value(*a, **k))[_which]
            for i in range(3)
        ]
    return [value, value, value]


@spellings.register
def _flags(value: bool | np.bool_) -> list[Any]:
    return [bool(value), np.bool_(value), value]


@spellings.register
def _whole_numbers(value: int | np.integer) -> list[Any]:
    return [int(value), np.int64(value), float(value)]


@spellings.register
def _numbers(value: float | np.floating) -> list[Any]:
    return [float(value), np.float64(value), float(f"{value:.7g}")]


@spellings.register(set)
@spellings.register(frozenset)
def _sets(value: set[Any] | frozenset[Any]) -> list[Any]:
    return [set(value), frozenset(value), {_by_numpy(item) for item in value}]


@spellings.register(dict)
def _dictionaries(value: dict[Any, Any]) -> list[Any]:
    numbers = {key: _by_numpy(item) for key, item in value.items()}
    return [value, dict(reversed(value.items())), numbers]


@spellings.register(list)
@spellings.register(tuple)
def _sequences(value: list[Any] | tuple[Any, ...]) -> list[Any]:
    return [list(value), tuple(value), [_by_numpy(item) for item in value]]


@spellings.register
def _arrays(value: np.ndarray) -> list[Any]:
    return [value, value.tolist(), _as_series(value)]


def _as_series(value: np.ndarray) -> Any:
    """Return an array as a column of pandas; one of several dimensions as it is."""
    import pandas as pd  # a page that has no such exercise does without

    return pd.Series(value) if value.ndim == 1 else value


def _by_numpy(value: Any) -> Any:
    return (
        spellings(value)[1]
        if isinstance(value, bool | int | float | np.generic)
        else value
    )


def prove(label: str, source: str, names: list[str], space: Space) -> int:
    """Return how many wrong versions of a solution its check refused, or raise AssertionError.

    The check accepts the solution in three spellings of each name and refuses five wrong values.
    """
    printed = printed_by(source, dict(space))
    assert PASSED[label], f"{label}: the check refuses the solution: {printed}"
    refused, faults = 0, []
    for name in names:
        for version in spellings(space[name]):
            printed = printed_by(source, {**space, name: version})
            if not PASSED[label]:
                faults.append(f"refuses {name} as {version!r:.99}: {printed}")
        for version in wrong_values(space[name]):
            printed_by(source, {**space, name: version})
            refused += not PASSED[label]
            if PASSED[label]:
                faults.append(f"accepts a wrong {name}: {version!r:.99}")
    assert not faults, f"{label}: the check " + "; ".join(faults)
    return refused


def sealed_numbers(label: str, names: list[str], space: Space) -> dict[str, int]:
    """Return marks of the answers that are numbers, by name, for the fields of a page.

    A mark is that of three digits of the answer: a page can check a number and does not show it.
    """
    kinds, marks = int | float | np.integer | np.floating, {}
    for name in names:
        value = space[name]
        if (
            isinstance(value, kinds)
            and not isinstance(value, bool)
            and np.isfinite(value)
        ):
            mantissa, exponent = f"{float(value):.2e}".split("e")
            marks[name] = 2166136261  # the 32-bit FNV-1a hash
            for byte in f"{label}:{name}:{mantissa}e{int(exponent)}".encode():
                marks[name] = (marks[name] ^ byte) * 16777619 % 2**32
    return marks


def printed_by(source: str, space: Space) -> str:
    """Return what code prints."""
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()):
        exec(source, space)
    return printed.getvalue().strip()
