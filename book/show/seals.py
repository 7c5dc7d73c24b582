"""Checks for students: the same comparisons, with seals (`book.show.sealed`) for right answers.

A check compares what an exercise leaves open with what it computes. `sealed` takes the second side
of each comparison away, and all that only it needs; `Recorder` keeps its seal, where the teacher's
solution is executed with a student's data. A comparison of answers with each other stays.
"""

import ast
import base64
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from book.show.exercises import COMPARISONS, check, said
from book.show.sealed import Seal, canonical, cells, digest, grid

HEAD = "from book.show.sealed import Seal\n"
CLOSE = {"isclose", "allclose"}


def names(node: ast.AST) -> set[str]:
    """Return the names that code reads or writes."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def stored(node: ast.AST) -> set[str]:
    """Return the names that a statement stores or changes."""
    changed = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    found = {part.id for part in changed if isinstance(part.ctx, ast.Store)}
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute | ast.Subscript) and isinstance(
            part.value, ast.Name
        ):
            if isinstance(part.ctx, ast.Store) or isinstance(node, ast.Expr):
                found.add(part.value.id)  # `table[key] = ...`, `values.append(...)`
        if isinstance(part, ast.alias):
            found.add(part.asname or part.name)
    return found


def answered(body: Iterable[ast.stmt], opened: Iterable[str]) -> set[str]:
    """Return the names that depend on answers: those left open, and what is made of them."""
    found = set(opened)
    for node in body:
        if isinstance(node, ast.For):
            found |= _looped(node, found)
            found |= answered(node.body, found)
        elif not isinstance(node, ast.Assert) and names(node) & found:
            found |= stored(node)
    return found


def _looped(node: ast.For, found: set[str]) -> set[str]:
    """Return the names of a loop that depend on answers.

    In ``for size, value in ((300, a), (5000, b))`` that is `value` alone, where a and b are open.
    """
    rows = [
        row.elts for row in getattr(node.iter, "elts", []) if isinstance(row, ast.Tuple)
    ]
    if not (rows and isinstance(node.target, ast.Tuple)):
        return names(node.target) if names(node.iter) & found else set()
    columns = zip(*rows, strict=True)
    pairs = zip(node.target.elts, columns, strict=True)
    depends = [
        target for target, column in pairs if set().union(*map(names, column)) & found
    ]
    return set().union(*map(names, depends))


class Comparison:
    """An assertion that compares an answer with what a check computes."""

    def __init__(self, node: ast.Assert, answers: set[str]):
        self.node, self.options = node, []
        test = node.test
        sides = []
        self.kind = ""
        function = getattr(test, "func", None)
        if isinstance(test, ast.Call) and getattr(function, "attr", "") in COMPARISONS:
            sides, self.kind = test.args[:2], getattr(function, "attr", "")
            self.options = [*test.keywords]
        elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.Is):
            sides = [test.left, test.comparators[0]] if len(test.ops) == 1 else []
        depends = [bool(names(side) & answers) for side in sides]
        self.sealed = depends in ([True, False], [False, True])
        if self.sealed:
            self.answer, self.right = sides if depends[0] else sides[::-1]

    def call(self, *, right: bool) -> ast.stmt:
        """Return the statement that asks a seal, or the recorder, which is given the right side."""
        method = "near" if self.kind in CLOSE else "same"
        arguments = [self.answer, *([self.right] if right else [])]
        arguments.append(ast.Constant(ast.unparse(self.answer)))
        if self.node.msg is not None:
            arguments.append(self.node.msg)
        options = self.options if right else []
        function = ast.Attribute(ast.Name("seal", ast.Load()), method, ast.Load())
        return ast.Expr(ast.Call(function, arguments, options))


def _rewritten(
    body: list[ast.stmt], answers: set[str], right: bool
) -> Iterator[ast.stmt]:
    for node in body:
        if isinstance(node, ast.For | ast.If):
            inner = list(_rewritten(node.body, answers, right))
            fields = {name: getattr(node, name) for name in node._fields}
            yield type(node)(**fields | {"body": inner})
        elif isinstance(node, ast.Assert) and Comparison(node, answers).sealed:
            yield Comparison(node, answers).call(right=right)
        else:
            yield node


def needed(body: list[ast.stmt], wanted: set[str]) -> tuple[list[ast.stmt], set[str]]:
    """Return the statements that comparisons need, and the names that these need."""
    kept: list[ast.stmt] = []
    for node in reversed(body):
        if isinstance(node, ast.For):
            inner, _ = needed(node.body, wanted)
            inner, wanted = needed(node.body, wanted | set().union(*map(names, inner)))
            if inner:
                fields = {name: getattr(node, name) for name in node._fields}
                node = ast.For(**fields | {"body": inner})
                wanted = wanted | names(node.iter)
                kept.append(node)
        elif (
            isinstance(node, ast.Assert)
            or "seal" in names(node)
            or stored(node) & wanted
        ):
            wanted = wanted | names(node)
            kept.append(node)
    return kept[::-1], wanted


def _check(source: str) -> tuple[ast.Module, ast.With]:
    tree = ast.parse(source)
    (block,) = tree.body
    assert isinstance(block, ast.With), "a check is one block: with check(...)"
    return tree, block


def _label(block: ast.With) -> str:
    call = block.items[0].context_expr
    assert isinstance(call, ast.Call) and isinstance(call.args[0], ast.Constant)
    return str(call.args[0].value)


def sealed(source: str, opened: list[str]) -> str:
    """Return a check without the right sides of its comparisons."""
    tree, block = _check(source)
    label = _label(block)
    body = list(_rewritten(block.body, answered(block.body, opened), right=False))
    body, _ = needed(body, set())
    block.body = [ast.parse(f"seal = Seal({label!r})").body[0], *body]
    return HEAD + ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def recording(source: str, opened: list[str]) -> str:
    """Return a check that tells a recorder, `seal`, both sides of its comparisons."""
    tree, block = _check(source)
    block.body = list(_rewritten(block.body, answered(block.body, opened), right=True))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class Recorder:
    """Keeps the seals of right answers, in the order in which a check compares."""

    def __init__(self, salt: str):
        self.salt = salt
        self.seals: list[dict] = []

    def near(
        self, value: Any, right: Any, what: str, message: str = "", **tolerance: float
    ) -> None:
        rtol, atol = tolerance.get("rtol", 1e-5), tolerance.get("atol", 1e-8)
        right = np.asarray(right, float)
        width, moved = grid(right, atol + rtol * np.abs(right))
        place = {"width": width, "moved": base64.b64encode(moved.tobytes()).decode()}
        self._keep(cells(right, width, moved), place | {"shape": list(right.shape)})

    def same(self, value: Any, right: Any, what: str, message: str = "") -> None:
        self._keep(canonical(right), {})

    def _keep(self, text: str, place: dict) -> None:
        salt = f"{self.salt}/{len(self.seals)}"
        self.seals.append(place | {"salt": salt, "digest": digest(text, salt)})


def recorded(
    label: str, source: str, opened: list[str], space: dict, salt: str = ""
) -> list[dict]:
    """Return the seals of a check, of what a solution left in a space of names.

    ValueError where the check refuses the solution, or the check with the seals does.
    """
    recorder = Recorder(f"{salt}/{label}")
    result = said(recording(source, opened), space | {"check": check, "seal": recorder})
    if result == "right":
        result = asked(source, opened, space, recorder.seals)
    if result != "right":
        raise ValueError(f"{label}: the check refuses the solution: {result}")
    return recorder.seals


def asked(source: str, opened: list[str], space: dict, seals: list[dict]) -> str:
    """Return what a check says that asks these seals."""
    told = {"check": check, "Seal": lambda label: Seal(label, seals)}
    return said(sealed(source, opened).removeprefix(HEAD), space | told)
