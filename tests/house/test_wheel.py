"""The wheel: what it holds, and that it works where there is no checkout."""

import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest
from helpers import ROOT

REPOSITORY = "https://example.org/owner/name"
ROOMS = ("calib", "calib_report")
SMOKE = """
import sys
from pathlib import Path

import calib

assert Path(calib.__file__).is_relative_to(sys.argv[1]), calib.__file__
heavy = {"matplotlib", "pandas", "sklearn"} & set(sys.modules)
assert not heavy, f"import calib brings {heavy}"

# Two of four bins hold samples: three quarters with gap |0.6 - 1/3|, a quarter with |0.9 - 1|.
error = calib.ece([1, 0, 0, 1], [0.6, 0.6, 0.6, 0.9], n_bins=4)
assert abs(error - (0.75 * (0.6 - 1 / 3) + 0.25 * 0.1)) < 1e-12, error
assert not {"matplotlib", "pandas"} & set(sys.modules)

for name in calib.__all__:
    getattr(calib, name)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build from a copy: setuptools leaves files in the tree that it builds."""
    pytest.importorskip("setuptools", "77", reason="setuptools is not installed here")
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, source / room, ignore=ignored)
    for name in ("book", "chapters", "data", "tests"):
        (source / name).symlink_to(ROOT / name)
    target = tmp_path_factory.mktemp("target")
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(target)!r})"
    environment = {
        **os.environ,
        "BOOK_REPOSITORY": f"{REPOSITORY}/",
        "BOOK_ADDRESS": "",
    }
    options = {"capture_output": True, "text": True, "env": environment, "cwd": source}
    done = subprocess.run([sys.executable, "-c", code], **options)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = target.glob("*.whl")
    return path


def test_the_wheel_holds_the_library_alone(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {*ROOMS, wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"}
    files = {
        f for room in ROOMS for f in (ROOT / room).rglob("*") if f.suffix != ".pyc"
    }
    in_tree = {f.relative_to(ROOT).as_posix() for f in files if f.is_file()}
    assert {name for name in names if ".dist-info/" not in name} == in_tree


def test_the_wheel_names_the_addresses_that_the_environment_tells(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        text = archive.read(name).decode()
    assert (
        f"Project-URL: Source, {REPOSITORY}\n" in text and "Documentation" not in text
    )
    assert f"]({REPOSITORY}/raw/main/book/readme/reliability.png)" in text
    assert f"]({REPOSITORY}/blob/main/LICENSE)" in text
    assert {
        link for link in re.findall(r"\]\((.+?)\)", text) if "://" not in link
    } == set()


def test_the_wheel_works_without_the_checkout(wheel, tmp_path):
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    done = subprocess.run(
        [sys.executable, "-c", SMOKE, str(unpacked)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
