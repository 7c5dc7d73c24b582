"""The library, the application, the evidence, the book: each room knows those before it."""

import ast
import os
import subprocess
import sys

import pytest
from helpers import ROOT

ROOMS = ["calib", "calib_report", "evidence", "book"]
NEEDED = {"numpy", "scipy"}
INSIDE_FUNCTIONS = {"matplotlib", "sklearn"}  # what an extra brings
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imports(path):
    """Return the modules that a file imports anywhere, absolutely."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            modules.add(node.module)
    return {name.split(".")[0] for name in modules} - set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_room_knows_those_before_it(path):
    room = path.relative_to(ROOT).parts[0]
    if path.name == "__main__.py" and room == "calib":
        return  # hands over to the command, which the application brings
    later = set(ROOMS[ROOMS.index(room) + 1 :]) | {"data", "teaching"}
    modules = imports(path)
    assert not modules & later
    if room == "calib":
        assert modules <= NEEDED | INSIDE_FUNCTIONS | {"calib"}


def test_the_library_imports_numpy_and_scipy_alone():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    use = (
        "calib.OneVsRest(calib.PlattScaling()).fit([[3, 0], [0, 3], [1, 0]], [0, 1, 1])"
    )
    code = f"import calib, sys; {use}; print(*{{name.split('.')[0] for name in sys.modules}})"
    command = [sys.executable, "-W", "error::DeprecationWarning:calib", "-c", code]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    )
    libraries = {
        "matplotlib",
        "pandas",
        "sklearn",
        "calib_report",
        "evidence",
        "book",
        "jinja2",
    }
    assert not libraries & set(done.stdout.split())


def test_each_module_of_the_library_has_tests_of_its_name():
    modules = (ROOT / "calib").rglob("[!_]*.py")
    names = ["_".join(path.relative_to(ROOT / "calib").parts) for path in modules]
    tests = {path.name for path in (ROOT / "tests" / "calib").glob("test_*.py")}
    assert not {f"test_{name}" for name in names} - tests
