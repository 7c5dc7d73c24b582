"""The package as one file, which pip installs from the site's address."""

import io
import os
import subprocess
import sys
import zipfile

import pytest
from helpers import ROOT, SITE, served, site_pages

from book.build import wheel
from book.build.project import BookError, Project
from book.build.wheel import NAME


def test_the_library_is_handed_out_as_one_file_always_of_the_same_bytes():
    packed = wheel.content(ROOT)
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        names = set(files.namelist())
    assert {"calib/__init__.py", "calib_report/__init__.py"} <= names
    assert wheel.content(ROOT) == packed


SMOKE = "import calib, calib_report; print(calib.__file__)"


@pytest.mark.slow
@pytest.mark.browser
def test_pip_installs_from_the_site(tmp_path):
    """Into a folder, without what it needs, and without any index."""
    site_pages()
    with served(SITE) as address:
        options = [
            "--no-deps",
            "--no-index",
            "--quiet",
            "--target",
            str(tmp_path / "there"),
        ]
        wanted = f"neural-calibration @ {address}/{NAME}"
        told = {"check": True, "capture_output": True, "text": True}
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, wanted], **told
        )
        run = [sys.executable, "-c", SMOKE]
        done = subprocess.run(run, cwd=tmp_path / "there", **told)
    assert done.stdout.startswith(str(tmp_path / "there"))


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A tree of a package, and what is built of it in place of a wheel: numbers in their order."""
    for part in wheel.PARTS:
        path = (
            tmp_path / part
            if "." in part or part == "LICENSE"
            else tmp_path / part / "a.py"
        )
        path.parent.mkdir(exist_ok=True)
        path.touch()
        os.utime(path, (1, 1))
    built = []

    def build_wheel_in(root, folder):
        assert root == tmp_path
        built.append(str(len(built)))
        (folder / "made.whl").write_text(built[-1])
        return folder / "made.whl"

    monkeypatch.setattr(wheel, "build_wheel_in", build_wheel_in)
    return Project(tmp_path)


def built(package):
    wheel.build(package)
    (path,) = wheel.folder(package).iterdir()
    assert path.name == NAME
    return path.read_text()


def test_a_wheel_is_built_where_a_file_is_newer(package):
    assert [built(package), built(package)] == ["0", "0"]
    (wheel.folder(package) / "of-an-older-version.whl").touch()
    changed = package.root / "calib_report" / "b.py"
    changed.touch()
    os.utime(changed, (2**33, 2**33))
    assert built(package) == "1"
    os.utime(changed, (1, 1))
    cache = package.root / "calib" / "__pycache__" / "a.pyc"
    cache.parent.mkdir()
    cache.touch()
    os.utime(cache, (2**33, 2**33))
    assert built(package) == "1"


def test_a_tree_that_is_no_package_has_no_wheel(package):
    (package.root / "setup.py").unlink()
    wheel.build(package)
    assert not wheel.folder(package).exists()


def test_a_wheel_that_cannot_be_built_says_why(tmp_path, monkeypatch):
    for part in wheel.PARTS:
        (tmp_path / part).touch()
    (tmp_path / "pyproject.toml").write_text("[")
    (tmp_path / "place").mkdir()
    with pytest.raises(BookError, match=r"the wheel was not built: [^$]*Error"):
        wheel.build_wheel_in(tmp_path, tmp_path / "place")
