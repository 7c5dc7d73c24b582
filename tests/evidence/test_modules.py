"""Who changes a module of the evidence knows which file tries it: that at its place, or a line."""

import re
from collections import Counter

from helpers import ROOT

TESTS, FOLDER = ROOT / "tests" / "evidence", ROOT / "evidence"
SECTION = "## Which test tries a module of the evidence"
ROW = re.compile(r"^\| (?:`(tests/[\w/]+\.py)`|no test) \| ([\w. ]+) \|$", re.MULTILINE)


def in_section():
    text = (ROOT / "MAINTAINING.md").read_text("utf-8")
    return text[text.index(SECTION) :].split("\n## ")[0]


ROWS = ROW.findall(in_section())
LINES = Counter(name for _, names in ROWS for name in names.split())
MODULES = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts)
    for path in FOLDER.rglob("*.py")
    if path.stem != "__init__" and path.parent != FOLDER / "arena" / "maps"
}  # a map of anyone's comes as one file


def place_of(module):
    """The file of a module's tests; `test_main.py` is that of `__main__.py`."""
    *folders, name = module.split(".")
    return TESTS.joinpath(*folders, f"test_{name.strip('_')}.py")


def folder_of(module):
    return module.rpartition(".")[0]


WITHOUT_FILE = {module for module in MODULES if not place_of(module).is_file()}


def test_each_module_has_a_file_at_its_place_or_one_line():
    """A line may be of all modules of a folder that have no file, and no line of their own."""
    lines = {m: LINES[m] or LINES[folder_of(m)] for m in WITHOUT_FILE}
    assert {module: n for module, n in lines.items() if n != 1} == {}


def test_no_line_is_of_a_module_that_has_a_file_or_is_gone():
    assert {*LINES} <= WITHOUT_FILE | {*map(folder_of, WITHOUT_FILE)}


def test_a_file_in_a_folder_is_of_a_module_or_of_the_folder_or_has_a_line():
    known = {*map(place_of, MODULES), *(ROOT / test for test, _ in ROWS if test)}
    known |= {path.parent / f"test_{path.parent.name}.py" for path in known}
    assert {*TESTS.glob("*/**/test_*.py")} <= known
