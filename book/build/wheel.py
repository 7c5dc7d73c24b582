"""The package as a wheel, which the site holds, so that pip installs it from the site's address.

In: the files of the package. Out: one file, the same bytes for the same files.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import calib
from book.build.project import BookError, Project

NAME = f"neural_calibration-{calib.__version__}-py3-none-any.whl"
PARTS = "pyproject.toml setup.py README.md LICENSE calib calib_report".split()
NEWEST = 315_532_800  # seconds to 1980, the first day that a zip can name: of all files


def folder(project: Project) -> Path:
    """Return the folder whose files the site holds at its root."""
    return project.build / "wheel"


def build(project: Project) -> None:
    """Build the wheel from a copy, unless it is newer than all that goes into it.

    A tree that is no package, such as that of a test, has none.
    """
    if not (project.root / "setup.py").is_file():
        return
    target = folder(project) / NAME
    sources = [path for part in PARTS for path in _files(project.root / part)]
    if target.is_file() and all(
        p.stat().st_mtime <= target.stat().st_mtime for p in sources
    ):
        return
    with tempfile.TemporaryDirectory() as temporary:
        wheel = build_wheel_in(project.root, Path(temporary))
        shutil.rmtree(folder(project), ignore_errors=True)
        folder(project).mkdir(parents=True)
        shutil.move(wheel, target)


def content(root: Path) -> bytes:
    """Return the wheel of a tree, always the same bytes of the same files."""
    with tempfile.TemporaryDirectory() as temporary:
        return build_wheel_in(root, Path(temporary)).read_bytes()


def build_wheel_in(root: Path, folder: Path) -> Path:
    """Build a wheel in a folder, from a copy: setuptools leaves files in the tree it builds."""
    source, target = folder / "source", folder / "target"
    for part in PARTS:
        for path in _files(root / part):
            copy = source / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(target)!r})"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(NEWEST)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=source,
        env=environment,
    )
    if done.returncode:
        raise BookError(f"the wheel was not built: {done.stderr}")
    (path,) = target.glob("*.whl")
    return path


def _files(path: Path) -> list[Path]:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return [
        file for file in files if file.is_file() and "__pycache__" not in file.parts
    ]
