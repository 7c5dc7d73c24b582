"""Check the scripts of pages with oxlint: names that nothing declares or uses, lines too wide.

Each script is a function of its own, whose names are seen by no other. The scripts of the answer
desk are none: they share the scope of their worker, so they are read as one.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from book.build.project import BookError

SETTINGS = Path(__file__).with_name("oxlint.json")
MOST_COLUMNS = 120
FOREIGN = ("mathjax", "minisearch", "papaparse.js")
IMPORTED = re.compile(r'^  "(\w+\.js)"', re.MULTILINE)  # by a worker, from its folder
COMPLAINT = re.compile(r"^desk\.js:(\d+)", re.MULTILINE)


def check(assets: Path) -> None:
    """Raise `BookError` with what is wrong in the scripts of a folder."""
    complaints = [*too_wide(assets), *complaints_of_oxlint(assets)]
    if complaints:
        raise BookError("\n".join(complaints))


def own_scripts(assets: Path) -> list[Path]:
    """Return the scripts of a folder less those that others wrote."""
    paths = sorted(assets.rglob("*.js"))
    return [path for path in paths if not {*FOREIGN}.intersection(path.parts)]


def too_wide(assets: Path) -> Iterator[str]:
    """Yield the place of each line that is wider than a window."""
    for path in own_scripts(assets):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if len(line) > MOST_COLUMNS:
                script = path.relative_to(assets).as_posix()
                yield f"{script}:{number}: {len(line)} columns"


def complaints_of_oxlint(assets: Path) -> list[str]:
    """Return what oxlint says of the scripts, those of the desk as one, each with its place."""
    parts = parts_of_desk(assets)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in own_scripts(assets):
            if path not in parts:
                copy = folder / path.relative_to(assets)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
        desk = "".join(path.read_text("utf-8") for path in parts)
        (folder / "desk.js").write_text(desk, "utf-8")
        said = _oxlint(folder)
    return COMPLAINT.sub(lambda line: place_in(parts, int(line[1])), said).splitlines()


def parts_of_desk(assets: Path) -> list[Path]:
    """Return what the worker of the desk imports from its folder, and the worker, in order."""
    worker = assets / "desk" / "worker.js"
    if not worker.is_file():
        return []
    names = IMPORTED.findall(worker.read_text("utf-8"))
    own = {*own_scripts(assets)}
    imported = [worker.with_name(name) for name in names]
    return [*(path for path in imported if path in own), worker]


def place_in(parts: list[Path], number: int) -> str:
    """Return FILE:LINE of a line of scripts that were put one behind the other."""
    for path in parts:
        n_lines = len(path.read_text("utf-8").splitlines())
        if number <= n_lines:
            return f"{path.parent.name}/{path.name}:{number}"
        number -= n_lines
    raise ValueError(f"{number} lines behind the end")


def _oxlint(folder: Path) -> str:
    """Run oxlint on a folder; return what it says if it complains."""
    command = Path(sys.executable).with_name("oxlint")
    call = [str(command), "--config", str(SETTINGS), "--format", "unix", "."]
    done = subprocess.run(call, cwd=folder, capture_output=True, text=True)
    return f"{done.stdout}{done.stderr}".strip() if done.returncode else ""
