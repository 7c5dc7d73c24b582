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

import numpy as np

from evidence.data import data_folder

VERDICTS = ("holds", "fails", "mixed")
COMPARISONS = ("isclose", "allclose", "array_equal")
MISTAKES = (  # what undoes a mistake, and its name
    (lambda value: value / 100, "is 100 times too large"),
    (lambda value: value * 100, "is 100 times too small"),
    (lambda value: -value, "has the other sign"),
    (lambda value: value - 1, "is one too large: counted from 1?"),
    (lambda value: 1 - value, "is one less the right one"),
)
PASSED = {}  # by label, whether the last run of a check passed


class check:
    """Say "right" if what stands below holds, else "not yet" and what does not; raise nothing."""

    def __init__(self, label: str):
        self.label = label

    def __enter__(self):
        PASSED[self.label] = False

    def __exit__(self, kind, error, trace) -> bool:
        if error is not None and not isinstance(error, Exception):
            return False
        PASSED[self.label] = error is None
        print("right" if error is None else f"not yet: {_reason(error, trace.tb_frame, trace)}")
        return True

    def run(self, space: dict) -> None:
        """Run the check of this label that lies beside the data of the archive."""
        kept = json.loads((data_folder().parent / "checks.json").read_text(encoding="utf-8"))
        source, name = kept[self.label], f"<{self.label}>"
        linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
        exec(compile(source, name, "exec"), {**space, "check": check})


def _reason(error, frame, trace) -> str:
    used = {n: frame.f_globals[n] for n in _names(frame.f_code) if n in frame.f_globals}
    used = {n: value for n, value in used.items() if n not in _stored(frame.f_code)}
    if empty := [name for name, value in used.items() if value is ... or _is_stub(value)]:
        return f"not filled in: {', '.join(empty)}"
    found = ""
    with suppress(Exception):  # a comparison that cannot be looked into says less
        found = _difference(frame, trace.tb_lineno)
    if not isinstance(error, AssertionError):
        hint = " (does a function of yours return nothing?)" if "NoneType" in str(error) else ""
        return found or f"{type(error).__name__}: {error}{hint}"
    said = str(error).partition("\n")[0]
    return ": ".join(filter(None, (said, found))) or "the values differ from what the check expects"


def _names(code) -> list[str]:
    """Return the names that code uses, that of its comprehensions too."""
    inside = [one for one in code.co_consts if hasattr(one, "co_names")]
    return [*code.co_names, *(name for one in inside for name in _names(one))]


def _stored(code) -> set[str]:
    """Return the names that code gives a value: a check's own, not an answer's."""
    return {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_NAME"}


def _is_stub(value) -> bool:
    code = getattr(value, "__code__", None)
    return code is not None and not code.co_names and set(code.co_consts) <= {None, ...}


def _difference(frame, line: int) -> str:
    """Say how the two sides of the failed comparison of a line differ, not what is right."""
    tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename)))
    spans = [n for n in ast.walk(tree) if isinstance(n, ast.Assert)]
    (test,) = (node.test for node in spans if node.lineno <= line <= node.end_lineno)
    if isinstance(test, ast.Call) and getattr(test.func, "attr", "") in COMPARISONS:
        sides = test.args[:2]
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq):
        sides = [test.left, test.comparators[0]]
    else:
        return ""
    given, right = (
        eval(compile(ast.Expression(side), "", "eval"), frame.f_globals, frame.f_locals)
        for side in sides
    )
    return f"{ast.unparse(sides[0])} {differs(given, right)}"


def differs(given, right) -> str:
    """Say how a value differs from the right one, without telling it.

    Examples
    --------
    >>> differs(35.0, 0.35), differs(-2.0, 2.0), differs([1, 2], [1, 2, 3])
    ('is 100 times too large', 'has the other sign', 'has the shape (2,), expected (3,)')
    """
    one, two = np.asarray(given), np.asarray(right)
    if one.dtype.kind not in "biuf" or two.dtype.kind not in "biuf":
        return "is not what was asked for"
    if one.shape != two.shape:
        return f"has the shape {one.shape}, expected {two.shape}"
    one, two = one.astype(float), two.astype(float)
    if np.isnan(one).any() > np.isnan(two).any():
        return "holds NaN"
    for change, said in MISTAKES:
        if np.allclose(change(one), two, rtol=1e-3, atol=1e-12, equal_nan=True):
            return said
    if one.ndim == 0:
        return f"is too {'large' if one > two else 'small'}"
    wrong = ~np.isclose(one, two, rtol=1e-3, atol=1e-6, equal_nan=True)
    return (
        f"differs in {wrong.sum()} of {wrong.size} places" if wrong.any() else "is not near enough"
    )


def answers(stub: str) -> list[str]:
    """Return the names that a stub leaves open: assigned ``...``, or functions with one inside."""
    found = []
    for node in ast.parse(stub).body:
        if isinstance(node, ast.FunctionDef):
            open_ended = any(getattr(part, "value", None) is ... for part in ast.walk(node))
            found += [node.name] if open_ended else []
        elif isinstance(node, ast.Assign) and getattr(node.value, "value", None) is ...:
            found += [target.id for target in node.targets]
    return found


def wrong(value) -> list:
    """Return five values, of the same kind where possible, that differ from a right one."""
    if callable(value):
        return [lambda *a, _which=i, **k: wrong(value(*a, **k))[_which] for i in range(5)]
    if isinstance(value, bool | np.bool_):
        return [not value, None, "perhaps", "", -1]
    if isinstance(value, str):
        others = [v for v in VERDICTS if v != value] if value in VERDICTS else [f"{value}?", "?"]
        return [*others, "", f"not {value}", None]
    if isinstance(value, int | float | np.number):
        return _wrong_numbers(value)
    if isinstance(value, set | frozenset):
        less = value - set(sorted(value)[:1]) if len(value) > 1 else {"!"}
        return [less, value | {"?"}, {"?"}, less | {"?"}, set() if value else {0}]
    if isinstance(value, dict) and value:
        return _wrong_dictionaries(value)
    if isinstance(value, list | tuple) and value:
        return [type(value)(items) for items in _wrong_sequences(value)]
    table = hasattr(value, "iloc")  # a frame or a column of pandas
    if not (table or isinstance(value, np.ndarray)) or not len(value):
        return [None, 0, "?", [3, 1], -1]
    return _wrong_arrays(value)


def _wrong_numbers(value) -> list:
    whole = isinstance(value, int | np.integer)
    step = 1 + abs(value) // 4 if whole else 0.01 + abs(value) / 10
    return [value + step, value - step, -value - step, value + 3 * step, 100 * (abs(value) + step)]


def _wrong_dictionaries(value: dict) -> list:
    first, *_, last = [*value, *value]
    changed = [value | {k: wrong(value[k])[i]} for i, k in enumerate((first, last))]
    missing = [{k: v for k, v in value.items() if k != gone} for gone in (first, last)]
    return [*changed, *missing, {}]


def _wrong_sequences(value: list | tuple) -> list:
    head, tail = wrong(value[0])[0], wrong(value[-1])[1]
    changed = [[head, *value[1:]], [*value[:-1], tail], [head, *value[1:-1], tail]]
    return [*changed, value[:-1], [*value, head]]


def _wrong_arrays(value) -> list:
    if np.asarray(value).dtype == bool:
        return [~value, value[1:], value[:-1], value[:0], ~value[:-1]]
    size = np.abs(value)
    step = 0.01 + size / 10
    largest = size == np.nanmax(np.asarray(size, float))
    return [value + step, value + largest * step, value[:-1], value[1:], -value - step]


def spellings(value) -> list:
    """Return three ways to write a right value."""
    if callable(value):
        return [lambda *a, _which=i, **k: spellings(value(*a, **k))[_which] for i in range(3)]
    if isinstance(value, bool | np.bool_):
        return [bool(value), np.bool_(value), value]
    if isinstance(value, int | np.integer):
        return [int(value), np.int64(value), float(value)]
    if isinstance(value, float | np.floating):
        return [float(value), np.float64(value), float(f"{value:.7g}")]
    if isinstance(value, set | frozenset):
        return [set(value), frozenset(value), {_by_numpy(item) for item in value}]
    if isinstance(value, dict):
        numbers = {key: _by_numpy(item) for key, item in value.items()}
        return [value, dict(reversed(value.items())), numbers]
    if isinstance(value, list | tuple):
        return [list(value), tuple(value), [_by_numpy(item) for item in value]]
    if isinstance(value, np.ndarray):
        return [value, value.tolist(), np.array(value.tolist())]
    return [value, value, value]


def _by_numpy(value):
    return spellings(value)[1] if isinstance(value, bool | int | float | np.generic) else value


def prove(label: str, source: str, names: list[str], space: dict) -> int:
    """Return how many wrong versions of a solution its check refused, or raise AssertionError.

    The check accepts the solution in three spellings of each name and refuses five wrong values.
    """
    printed = said(source, dict(space))
    assert PASSED[label], f"{label}: the check refuses the solution: {printed}"
    refused, faults = 0, []
    for name in names:
        for version in spellings(space[name]):
            printed = said(source, {**space, name: version})
            if not PASSED[label]:
                faults.append(f"refuses {name} as {version!r:.99}: {printed}")
        for version in wrong(space[name]):
            said(source, {**space, name: version})
            refused += not PASSED[label]
            if PASSED[label]:
                faults.append(f"accepts a wrong {name}: {version!r:.99}")
    assert not faults, f"{label}: the check " + "; ".join(faults)
    return refused


def sealed_numbers(label: str, names: list[str], space: dict) -> dict:
    """Return marks of the answers that are numbers, by name, for the fields of a page.

    A mark is that of three digits of the answer: a page can check a number and does not show it.
    """
    kinds, marks = int | float | np.integer | np.floating, {}
    for name in names:
        value = space[name]
        if isinstance(value, kinds) and not isinstance(value, bool) and np.isfinite(value):
            mantissa, exponent = f"{float(value):.2e}".split("e")
            marks[name] = 2166136261  # the 32-bit FNV-1a hash
            for byte in f"{label}:{name}:{mantissa}e{int(exponent)}".encode():
                marks[name] = (marks[name] ^ byte) * 16777619 % 2**32
    return marks


def said(source: str, space: dict) -> str:
    """Return what code prints."""
    with redirect_stdout(io.StringIO()) as printed, redirect_stderr(io.StringIO()):
        exec(source, space)
    return printed.getvalue().strip()
