"""Who changes a module of the evidence knows which file tries it."""

import ast
import re
from collections import Counter
from itertools import chain

import pytest
from helpers import ROOT

HERE = "test_modules.py"
FOLDER = ROOT / "evidence"
PATHS = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts): path
    for path in FOLDER.rglob("*.py")
    if path.stem != "__init__"
}
# whose modules are tried alike, as the table says
TOGETHER = ("studies", "sources.tables", "files_with_truth", "arena.maps")
SECTION = "## Which test tries a module of the evidence"
ROW = re.compile(r"^\| `(tests/\w+/test_\w+\.py)` \| ([\w. ]+) \|$", re.MULTILINE)
NO_TEST = re.compile(r"^\| no test \| ([\w. ]+) \|$", re.MULTILINE)


def in_section():
    text = (ROOT / "MAINTAINING.md").read_text("utf-8")
    return text[text.index(SECTION) :].split("\n## ")[0]


def place_of(module):
    """The name by which the table has a module: that of its folder, if all there are alike."""
    folders = [name for name in TOGETHER if module.startswith(f"{name}.")]
    return folders[0] if folders else module


ROWS = {test: modules.split() for test, modules in ROW.findall(in_section())}
UNTRIED = NO_TEST.findall(in_section())[0].split()
BY_NAME = {
    f"tests/evidence/test_{module.split('.')[-1]}.py": module
    for module in PATHS
    if place_of(module) == module
    and module not in chain.from_iterable(ROWS.values())
    and (ROOT / f"tests/evidence/test_{module.split('.')[-1]}.py").exists()
}


def imported(path):
    """The modules of the evidence that a file imports, or names as what it runs."""
    text = path.read_text("utf-8")
    names = {f"{name}.__main__" for name in re.findall(r'"evidence\.([\w.]+)"', text)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            "evidence"
        ):
            start = node.module.removeprefix("evidence").lstrip(".")
            names |= {
                start,
                *(f"{start}.{alias.name}".lstrip(".") for alias in node.names),
            }
    return names & {*PATHS} | {name for name in PATHS if is_run(name, text)}


def is_run(module, text):
    """Tell whether a module is named as a file, or by its package."""
    *_, package, name = ("", *module.split("."))
    files = (f'"{name}.py"', f'/{name}.py"') if name != "__main__" else ()
    return any(name in text for name in (*files, f'"{package}.{name}"'))


def reached(path):
    """The modules that a file imports, and what these import."""
    known, new = set(), imported(path)
    while new:
        known |= new
        new = set().union(*(imported(PATHS[module]) for module in new)) - known
    return known


def test_each_module_is_tried_by_one_file_that_is_named():
    places = {place_of(module) for module in PATHS}
    assert Counter([*chain(*ROWS.values()), *UNTRIED, *BY_NAME.values()]) == Counter(
        places
    )


@pytest.mark.parametrize("test", sorted({*ROWS, *BY_NAME}))
def test_a_file_that_is_named_reaches_what_it_tries(test):
    modules = [*ROWS.get(test, ()), *filter(None, [BY_NAME.get(test)])]
    places = {place_of(module) for module in reached(ROOT / test)}
    assert {*modules} <= places


def test_what_is_said_to_have_no_test_has_none():
    paths = [path for path in ROOT.glob("tests/*/test_*.py") if path.name != HERE]
    assert not {*UNTRIED} & set().union(*map(imported, paths))
