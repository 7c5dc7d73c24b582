"""Who changes a module of the book or of teaching knows its tests: at its place, or in a line."""

import ast
import builtins
import re

import pytest
from helpers import ROOT
from places import Places

SECTION = "Which test tries a module of"
BOOK = Places("book", "tests/book", f"{SECTION} the book")
TEACHING = Places("teaching", "tests/teaching", f"{SECTION} teaching")
OF_NO_MODULE = {"assets", "chapters"}  # folders of tests/book


@pytest.mark.parametrize("room", [BOOK, TEACHING], ids=["book", "teaching"])
def test_each_module_has_a_file_at_its_place_or_one_line(room):
    lines = room.lines_of_modules_without_file()
    assert {module: n for module, n in lines.items() if n != 1} == {}


@pytest.mark.parametrize("room", [BOOK, TEACHING], ids=["book", "teaching"])
def test_no_line_is_of_a_module_that_has_a_file_or_is_gone(room):
    assert room.lines_of_nothing() == set()
    assert [test for test, _ in room.rows if test and not (ROOT / test).is_file()] == []


@pytest.mark.parametrize("room", [BOOK, TEACHING], ids=["book", "teaching"])
def test_a_file_is_of_a_module_or_of_a_folder_or_is_named(room):
    odd = room.files_of_nothing()
    assert {path for path in odd if path.parent.name not in OF_NO_MODULE} == set()


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


@pytest.mark.parametrize(
    "path", sorted((ROOT / "book" / "show").rglob("*.py")), ids=lambda path: path.stem
)
def test_a_drawing_says_what_it_draws(path):
    """What the figure shows is said by its caption, beside the numbers that it rests on."""
    drawings = [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("draw_")
    ]
    docstrings = {node.name: ast.get_docstring(node) or "" for node in drawings}
    assert [
        name for name, words in docstrings.items() if words.split()[:1] != ["Draw"]
    ] == []


def test_pytest_enters_the_folder_of_what_builds(pytestconfig):
    """By itself it leaves out all that is called `build`."""
    assert "build" not in pytestconfig.getini("norecursedirs")
