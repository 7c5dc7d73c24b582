"""The package as one file, which pip installs from the site's address."""

import io
import subprocess
import sys
import zipfile

import pytest
from helpers import ROOT, SITE, served, site_pages

from book.build import wheel
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
