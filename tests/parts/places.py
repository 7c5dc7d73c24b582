"""Where the tests of a room's modules stand: at the same place, or in a line of MAINTAINING.md."""

import ast
import re
from collections import Counter
from pathlib import Path

from helpers import ROOT

TRIED = r"`(tests/[\w/]+\.py)`|no test"
ROW = re.compile(rf"^\| (?:{TRIED}) \| ([\w. ]+) \|$", re.MULTILINE)
MARKS = "pytestmark"  # the name that marks all tests of a file
LEFT_OUT = ("pytest.mark.slow", "pytest.mark.browser")


class Places:
    """The modules of a room, the files of their tests, and the lines of those that have none.

    Modules in the folder `apart` need neither.
    """

    def __init__(
        self, room: str, tests: str, section: str, apart: str = "", root: Path = ROOT
    ) -> None:
        self.tests = root / tests
        text = (root / "MAINTAINING.md").read_text("utf-8")
        self.section = text[text.index(f"## {section}") :].split("\n## ")[0]
        self.rows = ROW.findall(self.section)
        self.lines = Counter(name for _, names in self.rows for name in names.split())
        self.modules = {
            ".".join(path.relative_to(root / room).with_suffix("").parts)
            for path in (root / room).rglob("*.py")
            if path.stem != "__init__"
            and not (apart and path.is_relative_to(root / room / apart))
        }
        self.without_file = {
            module for module in self.modules if not has_tests(self.place_of(module))
        }

    def place_of(self, module: str) -> Path:
        """The file of a module's tests; `test_main.py` is that of `__main__.py`."""
        *folders, name = module.split(".")
        return self.tests.joinpath(*folders, f"test_{name.strip('_')}.py")

    def lines_of_modules_without_file(self) -> dict[str, int]:
        """How many lines each has: its own, or that of all in its folder that have neither."""
        lines = self.lines
        return {m: lines[m] or lines[folder_of(m)] for m in self.without_file}

    def lines_of_nothing(self) -> set[str]:
        """What a line names that has a file at its place, or is gone."""
        return {*self.lines} - self.without_file - {*map(folder_of, self.without_file)}

    def files_of_nothing(self) -> set[Path]:
        """Files that are of no module and of no folder, and that the section does not name."""
        known = {*map(self.place_of, self.modules)}
        known |= {path.parent / f"test_{path.parent.name}.py" for path in known}
        named = {"test_modules.py", *re.findall(r"test_\w+\.py", self.section)}
        odd = {*self.tests.rglob("test_*.py")} - known
        return {path for path in odd if path.name not in named}


def has_tests(file: Path) -> bool:
    """Whether a file is there and has a test that `pytest` alone runs."""
    if not file.is_file():
        return False
    tree = ast.parse(file.read_text("utf-8"))
    return not is_left_out(tree) and any(map(is_run, ast.walk(tree)))


def is_run(node: ast.AST) -> bool:
    """Whether a node is a test that is not left out."""
    is_function = isinstance(node, ast.FunctionDef)
    return is_function and node.name.startswith("test_") and not is_left_out(node)


def is_left_out(node: ast.Module | ast.FunctionDef) -> bool:
    """Whether the marks of a module, or of a function, say slow or browser."""
    is_module = isinstance(node, ast.Module)
    marks = marks_of_module(node) if is_module else node.decorator_list
    return any(ast.unparse(mark) in LEFT_OUT for mark in marks)


def marks_of_module(tree: ast.Module) -> list[ast.expr]:
    """The mark, or the marks, that `pytestmark` is set to."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == MARKS:
            is_list = isinstance(node.value, ast.List)
            return node.value.elts if is_list else [node.value]
    return []


def folder_of(module: str) -> str:
    return module.rpartition(".")[0]
