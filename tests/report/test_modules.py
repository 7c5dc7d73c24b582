"""Who changes a module of the application knows which file tries it."""

import re
from collections import Counter
from pathlib import Path

from helpers import ROOT

import calib_report

HERE = Path(__file__).parent
MODULES = {path.stem for path in Path(calib_report.__file__).parent.rglob("*.py")}
ROW = re.compile(r"^\| `(test_\w+\.py)` \| ([\w ]+) \|$", re.MULTILINE)


def tried_by():
    """Return how often each module is tried: by the file of its name, or in the table."""
    rows = ROW.findall((ROOT / "MAINTAINING.md").read_text("utf-8"))
    assert [name for name, _ in rows if not (HERE / name).exists()] == []
    by_name = {path.stem.removeprefix("test_") for path in HERE.glob("test_*.py")}
    in_table = [module for _, modules in rows for module in modules.split()]
    return Counter([*(by_name & MODULES), *in_table])


def test_each_module_is_tried_by_one_file_that_is_named():
    assert tried_by() == Counter(MODULES - {"__init__"})
