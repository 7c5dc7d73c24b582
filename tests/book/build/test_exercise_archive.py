"""The archive of the site, for students."""

import json
import zipfile

from helpers import ROOT, SITE, skip_unless
from practised import PROJECT

from book.build import exercise_archive
from book.build.exercise_archive import LARGE
from book.build.wheel import NAME as WHEEL

CHAPTERS = [chapter for chapter in PROJECT.on_disk() if chapter.is_notebook]


def test_the_archive_of_the_site_holds_what_its_notebooks_need(tmp_path):
    """Every file too that lies beside the code which they import."""
    given = {*exercise_archive.support_files({}, tmp_path)}
    code = [*(ROOT / "book" / "show").rglob("*"), *(ROOT / "evidence").rglob("*.py")]
    for path in [*code, ROOT / "evidence" / "names.toml"]:
        if path.is_file() and "__pycache__" not in path.parts:
            assert f"calibration-book/{path.relative_to(ROOT).as_posix()}" in given
    path = SITE / "_static" / "exercises.zip"
    skip_unless(path.is_file(), "the site is not built: make book")
    assert path.stat().st_size < 10.5e6
    with zipfile.ZipFile(path) as packed:
        names = set(packed.namelist())
        declared = json.loads(packed.read("calibration-book/data.json"))
    assert {f"exercises/{chapter.name}.ipynb" for chapter in CHAPTERS} <= names
    assert {"README.md", "LICENSE", "start.py", WHEEL} <= names
    for page, files in declared.items():
        assert all((SITE / "_static" / "data" / name).is_file() for name in files)
        if page not in LARGE:
            assert {f"calibration-book/data/{name}" for name in files} <= names, page
