"""Checks for students: the same comparisons, with seals (`book.show.seal`) for right answers.

A check compares what an exercise leaves open with what it computes. `sealed_check` takes the
second side of each comparison away, and all that only it needs; `Recorder` keeps its seal, where
the teacher's solution is executed with a student's data. A comparison of answers with each other
stays.
"""

import ast
import base64
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from book.show.exercises import CLOSE, Space, check, compared_sides, printed_by
from book.show.seal import Seal, canonical_text, grid, grid_cells, slow_digest

HEAD = "from book.show.seal import Seal\n"


def names_in(node: ast.AST) -> set[str]:
    """Return the names that code reads or writes."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def names_stored(node: ast.AST) -> set[str]:
    """Return the names that a statement stores or changes."""
    is_call = isinstance(node, ast.Expr)
    parts = ast.walk(node)
    return {_stored_by(part, is_call=is_call) for part in parts} - {""}


def _stored_by(part: ast.AST, *, is_call: bool) -> str:
    """Return the name that a part of a statement stores or changes, if it does."""
    if isinstance(part, ast.alias):
        return part.asname or part.name
    if isinstance(part, ast.Name):
        return part.id if isinstance(part.ctx, ast.Store) else ""
    if isinstance(part, ast.Attribute | ast.Subscript):
        # `table[key] = ...`, or a statement that is a call: `values.append(...)`
        is_changed = isinstance(part.ctx, ast.Store) or is_call
        if is_changed and isinstance(part.value, ast.Name):
            return part.value.id
    return ""


def dependent_names(body: Iterable[ast.stmt], open_names: Iterable[str]) -> set[str]:
    """Return the names that depend on answers: those left open, and what is made of them."""
    dependent = set(open_names)
    for node in body:
        if isinstance(node, ast.For):
            dependent |= _looped(node, dependent)
            dependent |= dependent_names(node.body, dependent)
        elif not isinstance(node, ast.Assert) and names_in(node) & dependent:
            dependent |= names_stored(node)
    return dependent


def _looped(node: ast.For, dependent: set[str]) -> set[str]:
    """Return the names of a loop that depend on answers.

    In ``for size, value in ((300, a), (5000, b))`` that is `value` alone, where a and b are open.
    """
    rows = [
        row.elts for row in getattr(node.iter, "elts", []) if isinstance(row, ast.Tuple)
    ]
    if not (rows and isinstance(node.target, ast.Tuple)):
        return names_in(node.target) if names_in(node.iter) & dependent else set()
    looped: set[str] = set()
    for target, *column in zip(node.target.elts, *rows, strict=True):
        if set().union(*map(names_in, column)) & dependent:
            looped |= names_in(target)
    return looped


class Comparison:
    """An assertion that compares an answer with what a check computes."""

    def __init__(self, node: ast.Assert, dependent: set[str]):
        self.node = node
        sides = compared_sides(node.test)
        depends = [bool(names_in(side) & dependent) for side in sides]
        self.sealed = depends in ([True, False], [False, True])
        if self.sealed:
            self.answer, self.right = sides if depends[0] else sides[::-1]

    def call(self, *, right: bool) -> ast.stmt:
        """Return the statement that asks a seal, or the recorder, which is given the right side."""
        test, options = self.node.test, []
        arguments = [self.answer]
        if right:
            arguments.append(self.right)
            options = [*test.keywords] if isinstance(test, ast.Call) else []
        arguments.append(ast.Constant(ast.unparse(self.answer)))
        if self.node.msg is not None:
            arguments.append(self.node.msg)
        is_near = isinstance(test, ast.Call) and getattr(test.func, "attr", "") in CLOSE
        method = "near" if is_near else "same"
        function = ast.Attribute(ast.Name("seal", ast.Load()), method, ast.Load())
        return ast.Expr(ast.Call(function, arguments, options))


def _rewritten(
    body: list[ast.stmt], dependent: set[str], right: bool
) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.For | ast.If):
            yield _with_body(node, list(_rewritten(node.body, dependent, right)))
        elif isinstance(node, ast.Assert) and Comparison(node, dependent).sealed:
            yield Comparison(node, dependent).call(right=right)
        else:
            yield node


def _with_body(node: ast.For | ast.If, body: list[ast.stmt]) -> ast.stmt:
    """Return a loop or a branch with other statements in it."""
    fields = {name: getattr(node, name) for name in node._fields}
    return type(node)(**fields | {"body": body})


def needed_statements(
    body: list[ast.stmt], wanted: set[str]
) -> tuple[list[ast.stmt], set[str]]:
    """Return the statements that comparisons need, and the names that these need."""
    statements: list[ast.stmt] = []
    for node in reversed(body):  # what a statement needs stands before it
        if isinstance(node, ast.For):
            inner, wanted = _needed_of_loop(node, wanted)
            if inner:
                wanted = wanted | names_in(node.iter)
                statements.append(_with_body(node, inner))
        elif _is_needed(node, wanted):
            wanted = wanted | names_in(node)
            statements.append(node)
    return statements[::-1], wanted


def _needed_of_loop(loop: ast.For, wanted: set[str]) -> tuple[list[ast.stmt], set[str]]:
    """Return what is needed of a loop's body: what its end stores, its next round may read."""
    first, _ = needed_statements(loop.body, wanted)
    return needed_statements(loop.body, wanted | set().union(*map(names_in, first)))


def _is_needed(node: ast.stmt, wanted: set[str]) -> bool:
    """Return whether a statement asserts, asks a seal or stores a name that is wanted."""
    if isinstance(node, ast.Assert) or "seal" in names_in(node):
        return True
    return bool(names_stored(node) & wanted)


def _check(source: str) -> tuple[ast.Module, ast.With]:
    tree = ast.parse(source)
    (block,) = tree.body
    assert isinstance(block, ast.With), "a check is one block: with check(...)"
    return tree, block


def _label(block: ast.With) -> str:
    call = block.items[0].context_expr
    assert isinstance(call, ast.Call), 'a check has a label: check("ex-label")'
    assert isinstance(call.args[0], ast.Constant), "a check's label is a text"
    return str(call.args[0].value)


def sealed_check(source: str, open_names: list[str]) -> str:
    """Return a check without the right sides of its comparisons."""
    tree, block = _check(source)
    label = _label(block)
    body = list(
        _rewritten(block.body, dependent_names(block.body, open_names), right=False)
    )
    body, _ = needed_statements(body, set())
    block.body = [ast.parse(f"seal = Seal({label!r})").body[0], *body]
    return HEAD + ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def recording_check(source: str, open_names: list[str]) -> str:
    """Return a check that tells a recorder, `seal`, both sides of its comparisons."""
    tree, block = _check(source)
    block.body = list(
        _rewritten(block.body, dependent_names(block.body, open_names), right=True)
    )
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class Recorder:
    """Keeps the seals of right answers, in the order in which a check compares."""

    def __init__(self, salt: str):
        self.salt = salt
        self.seals: list[dict[str, Any]] = []

    def near(
        self, value: Any, right: Any, what: str, message: str = "", **tolerance: float
    ) -> None:
        rtol, atol = tolerance.get("rtol", 1e-5), tolerance.get("atol", 1e-8)
        right = np.asarray(right, float)
        width, moved = grid(right, atol + rtol * np.abs(right))
        place = {"width": width, "moved": base64.b64encode(moved.tobytes()).decode()}
        self._keep(
            grid_cells(right, width, moved), place | {"shape": list(right.shape)}
        )

    def same(self, value: Any, right: Any, what: str, message: str = "") -> None:
        self._keep(canonical_text(right), {})

    def _keep(self, text: str, place: dict[str, Any]) -> None:
        # a salt for each comparison: equal answers have digests that differ
        salt = f"{self.salt}/{len(self.seals)}"
        self.seals.append(place | {"salt": salt, "digest": slow_digest(text, salt)})


def recorded_seals(
    label: str, source: str, open_names: list[str], space: Space, salt: str = ""
) -> list[dict[str, Any]]:
    """Return the seals of a check, of what a solution left in a space of names.

    ValueError where the check refuses the solution, or the check with the seals does.
    """
    recorder = Recorder(f"{salt}/{label}")
    result = printed_by(
        recording_check(source, open_names), space | {"check": check, "seal": recorder}
    )
    if result == "right":
        result = outcome_by_seals(source, open_names, space, recorder.seals)
    if result != "right":
        raise ValueError(f"{label}: the check refuses the solution: {result}")
    return recorder.seals


def outcome_by_seals(
    source: str, open_names: list[str], space: Space, seals: list[dict[str, Any]]
) -> str:
    """Return what a check says that asks these seals."""
    checkers = {"check": check, "Seal": lambda label: Seal(label, seals)}
    return printed_by(
        sealed_check(source, open_names).removeprefix(HEAD), space | checkers
    )
