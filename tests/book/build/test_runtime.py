"""What is fetched for Python in the pages."""

import io
import zipfile

import pytest
from helpers import ROOT

from book.build import runtime
from book.build.project import BookError, Project


def test_what_is_fetched_is_complete_and_always_the_same():
    lock = {
        "a": {"depends": ["b"]},
        "b": {"depends": ["c", "a"]},
        "c": {"depends": []},
        "d": {},
    }
    assert runtime.closure(lock, ["a"]) == ["a", "b", "c"]
    for make, content in (
        (
            lambda: runtime.archive(Project(ROOT)),
            {"calib/__init__.py", "book/show/explorables/element.py"},
        ),
        (lambda: runtime.installed("seaborn"), {"seaborn/__init__.py"}),
    ):
        first = make()
        assert first == make() and content <= {
            *zipfile.ZipFile(io.BytesIO(first)).namelist()
        }
    with pytest.raises(BookError, match="numpy is not plain Python"):
        runtime.installed("numpy")
