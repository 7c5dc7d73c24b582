"""Who changes a module of book or teaching knows which file tries it."""

import ast
import builtins
import re
from collections import Counter

import pytest
from helpers import ROOT

TESTS = ROOT / "tests" / "book"
TRIED = r"`(tests/[\w/]+\.py)`|its own chapter|no test"
ROW = re.compile(rf"^\| (?:{TRIED}) \| ([\w. ]+) \|$", re.MULTILINE)


def in_section():
    text = (ROOT / "MAINTAINING.md").read_text("utf-8")
    return text[text.index("So it is with `book.build`") :].split("\n## ")[0]


ROWS = ROW.findall(in_section())
LINES = Counter(name for _, names in ROWS for name in names.split())
# entries, what each executed chapter runs first, and what the chapter tries that shows it
APART = re.compile(r".*__init__|book\.build\.startup|book\.show\.learn\..*")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for room in ("book", "teaching")
    for path in (ROOT / room).rglob("*.py")
    if "assets" not in path.parts
}
MODULES = {module for module in MODULES if not APART.fullmatch(module)}


def place_of(module):
    """The file of a module's tests; `test_main.py` is that of `__main__.py`."""
    *folders, name = module.split(".")
    return ROOT.joinpath("tests", *folders, f"test_{name.strip('_')}.py")


def folder_of(module):
    return module.rpartition(".")[0]


WITHOUT_FILE = {module for module in MODULES if not place_of(module).is_file()}


def test_each_module_has_a_file_at_its_place_or_one_line():
    """A line may be of all modules of a folder that have no file."""
    lines = {m: LINES[m] + LINES[folder_of(m)] for m in WITHOUT_FILE}
    assert {module: n for module, n in lines.items() if n != 1} == {}


def test_no_line_is_of_a_module_that_has_a_file_or_is_gone():
    assert {*LINES} <= WITHOUT_FILE | {*map(folder_of, WITHOUT_FILE)}
    assert [test for test, _ in ROWS if test and not (ROOT / test).is_file()] == []


@pytest.mark.parametrize("folder", ["build", "show"])
def test_a_file_in_a_folder_is_of_a_module_or_of_the_whole_folder(folder):
    known = {*map(place_of, MODULES), TESTS / folder / f"test_{folder}.py"}
    assert {*(TESTS / folder).rglob("test_*.py")} <= known


def test_the_room_of_what_chapters_show_says_where_each_of_its_modules_belongs():
    folder = ROOT / "book" / "show"
    guide = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
    named = set(re.findall(r"`(\w+)`", guide))
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert named == modules | {path.parent.name for path in folder.glob("*/*.py")}


def test_a_function_of_show_hides_no_function_of_python_and_has_no_constant_as_parameter():
    faults = []
    for path in sorted((ROOT / "book" / "show").rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            names = [
                part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)
            ]
            is_hiding = hasattr(builtins, node.name)
            if is_hiding or any(len(name) > 1 and name.isupper() for name in names):
                faults.append(f"{path.name}: {node.name}")
    assert faults == []


def test_pytest_enters_the_folder_of_what_builds(pytestconfig):
    """By itself it leaves out all that is called `build`."""
    assert "build" not in pytestconfig.getini("norecursedirs")
