"""Where the tests of a room's modules stand: at the same place, or in a line of MAINTAINING.md."""

import re
from collections import Counter
from pathlib import Path

from helpers import ROOT

TRIED = r"`(tests/[\w/]+\.py)`|no test"
ROW = re.compile(rf"^\| (?:{TRIED}) \| ([\w. ]+) \|$", re.MULTILINE)


class Places:
    """The modules of a room, the files of their tests, and the lines of those that have none."""

    def __init__(self, room: str, tests: str, section: str, apart: str = "") -> None:
        self.tests = ROOT / tests
        text = (ROOT / "MAINTAINING.md").read_text("utf-8")
        self.rows = ROW.findall(text[text.index(f"## {section}") :].split("\n## ")[0])
        self.lines = Counter(name for _, names in self.rows for name in names.split())
        self.modules = {
            ".".join(path.relative_to(ROOT / room).with_suffix("").parts)
            for path in (ROOT / room).rglob("*.py")
            if path.stem != "__init__"
            and not (apart and path.is_relative_to(ROOT / room / apart))
        }
        self.without_file = {
            module for module in self.modules if not self.place_of(module).is_file()
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
        """Files in a folder that are of no module, of no folder, and in no line."""
        known = {*map(self.place_of, self.modules)}
        known |= {ROOT / test for test, _ in self.rows if test}
        known |= {path.parent / f"test_{path.parent.name}.py" for path in known}
        return {*self.tests.glob("*/**/test_*.py")} - known


def folder_of(module: str) -> str:
    return module.rpartition(".")[0]
