"""The package as one file."""

import io
import zipfile

from helpers import ROOT

from book.build import wheel


def test_the_library_is_handed_out_as_one_file_always_of_the_same_bytes():
    packed = wheel.content(ROOT)
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        names = set(files.namelist())
    assert {"calib/__init__.py", "calib_report/__init__.py"} <= names
    assert wheel.content(ROOT) == packed
