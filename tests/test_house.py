"""Each room of `calib` imports only from the floors below it, and none from the book."""

import ast
import os
import re
import subprocess
import sys
from operator import attrgetter

import pytest
from helpers import ROOT

import calib

FLOORS = [
    {"checks", "docs", "extras", "files", "fingerprint", "readers", "signals"},
    {"views", "bins", "losses", "simulate", "outputs", "pickles"},
    {"errors", "scores", "selective", "reading"},
    {"metrics", "bands", "calibrators"},
    {"resampling", "export"},
    {"tests", "conformal", "groups", "priors", "plots", "model", "study", "accumulator"},
    {"arena"},
    {"report"},
    {"__main__"},
]
NEEDED = {"numpy", "scipy"}
WITH_AN_EXTRA = {  # by room, what it may import inside of a function, or at its top for `model`
    "plots": {"matplotlib"},
    "study": {"joblib", "pandas", "tqdm"},
    "model": {"sklearn"},
    "calibrators": {"sklearn"},
    "reading": {"pandas", "safetensors"},
    "export": {"onnx", "torch"},
    "accumulator": {"dask"},
    "arena": {"dask", "joblib", "pandas"},
    "report": {"jinja2", "matplotlib", "safetensors"},
}
MODULES = sorted(path for path in (ROOT / "calib").rglob("*.py") if path.name != "__init__.py")


def room(module):
    return module.split(".")[0]


def imports(path):
    """Return the modules that a file imports anywhere, absolutely."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            whole = node.module == "calib"
            found |= {f"calib.{alias.name}" for alias in node.names} if whole else {node.module}
    return found


def test_every_room_has_a_floor():
    there = {path.stem for path in (ROOT / "calib").glob("*.py")}
    there |= {path.parent.name for path in (ROOT / "calib").glob("*/__init__.py")}
    assert there - {"__init__"} == set().union(*FLOORS)
    assert sum(map(len, FLOORS)) == len(set().union(*FLOORS))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_knows_the_floors_below(path):
    own = path.relative_to(ROOT / "calib").with_suffix("").parts[0]
    floor = next(i for i, rooms in enumerate(FLOORS) if own in rooms)
    below = {own, "__version__"}.union(*FLOORS[:floor])
    seen = imports(path)
    inside = {room(m.removeprefix("calib.")) for m in seen if m.startswith("calib.")}
    assert inside <= below, f"{own} knows {sorted(inside - below)}"
    outside = {room(m) for m in seen if not m.startswith("calib")} - set(sys.stdlib_module_names)
    allowed = NEEDED | WITH_AN_EXTRA.get(own, set())
    assert outside <= allowed, f"{own} imports {sorted(outside - allowed)}"


def test_no_room_knows_the_book():
    """No module names the build, its variables or the folders of the evidence."""
    words = re.compile(
        r"\bCALIB_[A-Z]|\bBOOK_|_toc|\bzoo\b|\bledger\b|\bchapters?/|\bload_results\b"
    )
    lines = [
        f"{path.relative_to(ROOT)}:{number}: {line}"
        for path in MODULES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if words.search(line)
    ]
    assert lines == []


@pytest.mark.parametrize("old, new", calib._FORMER.items())
def test_a_former_name_warns_and_serves(old, new):
    with pytest.warns(DeprecationWarning, match=f"calib.{old} is now calib.{new}"):
        assert getattr(calib, old) is attrgetter(new)(calib)
    assert old not in calib.__all__


def test_what_has_left_says_where_to_read_about_it():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for name in calib._MOVED:
        with pytest.raises(AttributeError, match=r"has left the library, see its CHANGELOG\.md"):
            getattr(calib, name)
        assert f"`{name}`" in text
    for old, new in calib._FORMER.items():
        assert f"`{old}`" in text and f"`{new}`" in text


def test_the_library_is_imported_without_warnings():
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = "import calib\nfor name in calib.__all__: getattr(calib, name)"
    command = [sys.executable, "-W", "error::DeprecationWarning:calib", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
