"""Who changes a module of book or teaching knows which file tries it."""

import re
from collections import Counter

from helpers import ROOT

FOLDERS = ("book/build", "book/show", "teaching")
ALONE = {
    "__init__",
    "__main__",
    "startup",
}  # entries, and what each executed chapter runs
ROW = re.compile(
    r"^\| `(tests/(?:book|teaching)/test_\w+\.py)` \| ([\w ]+) \|$", re.MULTILINE
)


def test_each_module_is_tried_by_one_file_that_is_named():
    paths = [path for folder in FOLDERS for path in (ROOT / folder).glob("*.py")]
    modules = {path.stem for path in paths} - ALONE
    rows = ROW.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert [name for name, _ in rows if not (ROOT / name).exists()] == []
    tests = [*ROOT.glob("tests/book/*.py"), *ROOT.glob("tests/teaching/*.py")]
    by_name = {path.stem.removeprefix("test_") for path in tests} & modules
    in_table = [module for _, listed in rows for module in listed.split()]
    assert Counter([*by_name, *in_table]) == Counter(modules)
