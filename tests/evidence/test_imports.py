"""What a chapter is keyed by: every file that lies beside what it imports and that code reads."""

import pytest
from helpers import ROOT

from evidence.imports import imported_files

READ = {".html", ".md", ".svg", ".toml", ".json"}


@pytest.mark.parametrize("package", ["calib_report"])
def test_a_template_that_changes_makes_a_page_anew(package):
    files = {
        path.name for path in imported_files(ROOT, [f"import {package}.writing.page"])
    }
    beside = {
        path.name
        for path in (ROOT / package / "writing").iterdir()
        if path.suffix in READ
    }
    assert {"reliability.svg", "time.svg", "page.md", "page.html"} <= beside <= files
