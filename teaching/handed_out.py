"""Run what students are given as they would: in a bare environment, with the package alone.

`make handouts` installs the package with its extra `exercises`, unpacks the site's archive
elsewhere and runs every notebook: with its stubs, where every check must say "not yet", then with
the solutions put in, where every check must say "right". One notebook runs in an empty folder, and
fetches from the site what it needs.
"""

import functools
import http.server
import os
import sys
import tempfile
import threading
import zipfile
from contextlib import contextmanager
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
STUDENT, TEACHER = (ROOT / "_build" / "sphinx" / "handouts" / r for r in ("student", "teacher"))
ALONE = "labs/first-diagrams"


def run(notebook, folder: Path):
    """Execute a notebook in a folder."""
    from nbclient import NotebookClient

    made = nbformat.from_dict(notebook)
    place = {"metadata": {"path": str(folder)}}
    quiet = ["--log-level=CRITICAL"]
    NotebookClient(made, timeout=600, resources=place, extra_arguments=quiet).execute()
    return made


def said(notebook) -> list[str]:
    """Return what each check said."""
    checks = [cell for cell in notebook.cells if "check" in cell.metadata.get("tags", [])]
    return ["".join(o.get("text", "") for o in cell.outputs).strip() for cell in checks]


def solved(teacher):
    """Return a teacher's notebook with each check behind the solution."""
    cells, check = [], None
    for cell in teacher.cells:
        tags = cell.metadata.get("tags", [])
        if "check" in tags:
            check = cell
            continue
        if check is not None and "stub" in tags:
            cells.append(check)
            check = None
        cells.append(cell)
    return nbformat.from_dict({**teacher, "cells": [*cells, *([check] if check else [])]})


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def served(folder: Path):
    """Show a folder at an address of this machine, which notebooks learn from CALIB_SITE."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        os.environ["CALIB_SITE"] = f"http://127.0.0.1:{server.server_port}"
        yield
        server.shutdown()


def problems_of(name: str, student, folder: Path) -> list[str]:
    """Run a notebook with its stubs and with its solutions; say what is wrong."""
    teacher = nbformat.read(TEACHER / f"{name}.ipynb", as_version=4)
    found = []
    for kind, notebook, expected in (
        ("stubs", student, "not yet"),
        ("solutions", solved(teacher), "right"),
    ):
        try:
            answers = said(run(notebook, folder))
        except Exception as problem:
            found.append(f"{name}, {kind}: {str(problem)[-400:]}")
            continue
        wrong = [answer for answer in answers if not answer.startswith(expected)]
        found += [f"{name}, {kind}: a check says {answer!r}" for answer in wrong]
        print(f"{name}, {kind}: {len(answers)} checks", flush=True)
    return found


def main(names=()) -> int:
    problems = []
    with served(SITE):
        with tempfile.TemporaryDirectory() as place:
            with zipfile.ZipFile(SITE / "_static" / "exercises.zip") as packed:
                packed.extractall(place)
            handed_out = Path(place, "exercises")
            for path in sorted(handed_out.rglob("*.ipynb")):
                name = path.relative_to(handed_out).with_suffix("").as_posix()
                if not names or name in names:
                    student = nbformat.read(path, as_version=4)
                    problems += problems_of(name, student, path.parent)
        with tempfile.TemporaryDirectory() as place:  # one notebook, and nothing beside it
            student = nbformat.read(STUDENT / f"{ALONE}.ipynb", as_version=4)
            problems += problems_of(ALONE, student, Path(place))
            fetched = [p.name for p in Path(place, "calibration-book", "data").rglob("*.*")]
            print(f"{ALONE} alone, having fetched {', '.join(sorted(fetched))}")
    print("\n".join(problems) or "all notebooks ran")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
