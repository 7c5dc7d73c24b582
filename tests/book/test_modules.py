"""Who changes a module of book or teaching knows which file tries it."""

import ast
import builtins
import re
from collections import Counter

from helpers import ROOT

FOLDERS = ("book/build", "book/show", "teaching")
ALONE = {
    "__init__",
    "__main__",
    "learn",
    "startup",
}  # entries, what chapters try, and what each executed chapter runs
ROW = re.compile(
    r"^\| `(tests/(?:book|teaching)/[\w/]+\.py)` \| ([\w ]+) \|$", re.MULTILINE
)


def test_each_module_is_tried_by_one_file_that_is_named():
    paths = [path for folder in FOLDERS for path in (ROOT / folder).glob("*.py")]
    paths += [path.parent for path in (ROOT / "book/show").glob("*/__init__.py")]
    modules = {path.stem for path in paths} - ALONE
    text = (ROOT / "MAINTAINING.md").read_text("utf-8")
    rows = ROW.findall(
        text[text.index("So it is with `book.build`") :].split("\n## ")[0]
    )
    assert [name for name, _ in rows if not (ROOT / name).exists()] == []
    by_name = [
        path.stem
        for path in paths
        if [*(ROOT / "tests").rglob(f"{path.parent.name}/test_{path.stem}.py")]
        or (ROOT / "tests/book" / f"test_{path.stem}.py").exists()
    ]
    in_table = [module for _, listed in rows for module in listed.split()]
    assert Counter([*by_name, *in_table]) == Counter(modules)


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
