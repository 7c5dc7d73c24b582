"""The archive of the site, for students."""

import json
import zipfile
from types import SimpleNamespace

import pytest
from helpers import ROOT, SITE, skip_unless
from practised import PROJECT

from book.build import exercise_archive, wheel
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


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A site of a page that declares data, another that is large, and their notebooks."""
    data = {"part/one": ["some/a.csv", "b.csv"], min(LARGE): ["b.csv", "large.csv"]}
    for name in ("some/a.csv", "b.csv", "large.csv", "of-nobody.csv"):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    notebook = tmp_path / "handouts" / "student" / "part" / "one.ipynb"
    notebook.parent.mkdir(parents=True)
    notebook.write_text("notebook")
    for folder in ("src", "html/_static"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "src" / "data.json").write_text(json.dumps(data))
    checks = {"ex": {"check": "seal", "seals": {"one": 1}}}
    (tmp_path / "src" / "checks.json").write_text(json.dumps(checks))
    monkeypatch.setattr(exercise_archive, "data_folder", lambda: tmp_path / "data")
    contents = iter([b"wheel", b"another"])
    monkeypatch.setattr(wheel, "content", lambda root: next(contents))
    return SimpleNamespace(
        outdir=tmp_path / "raw",
        srcdir=tmp_path / "src",
        builder=SimpleNamespace(name="html"),
        config=SimpleNamespace(root_doc="index"),
    )


def test_an_archive_has_notebooks_data_checks_and_the_wheel_and_the_site_each_alone(
    app,
):
    for _ in range(2):
        exercise_archive.pack(app, None)
    static = app.outdir.parent / "html" / "_static"
    with zipfile.ZipFile(static / "exercises.zip") as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    assert files["exercises/part/one.ipynb"] == b"notebook"
    kit = "calibration-book"
    assert files[f"{kit}/data/some/a.csv"] == b"some/a.csv"
    assert f"{kit}/data/b.csv" in files and f"{kit}/data/large.csv" not in files
    assert json.loads(files[f"{kit}/checks.json"]) == {"ex": "seal"}
    assert json.loads(files[f"{kit}/seals/everybody.json"]) == {"ex": {"one": 1}}
    assert {*json.loads(files[f"{kit}/data.json"])} == {"part/one", min(LARGE)}
    assert files[WHEEL] == b"wheel", "built once"
    assert {"README.md", "LICENSE", "start.py"} <= {*files}
    alone = {p.relative_to(static).as_posix() for p in static.rglob("*.*")}
    assert alone == {
        *(f"data/{name}" for name in ("some/a.csv", "b.csv", "large.csv")),
        *("data/checks.json", "data/seals/everybody.json"),
        *("notebooks/part/one.ipynb", "exercises.zip"),
    }


@pytest.mark.parametrize("case", ["failed", "print", "page alone"])
def test_of_a_page_alone_a_print_or_a_failed_build_nothing_is_packed(app, case):
    app.builder.name = "singlehtml" if case == "print" else "html"
    app.config.root_doc = "part/one" if case == "page alone" else "index"
    exercise_archive.pack(app, ValueError() if case == "failed" else None)
    assert list((app.outdir.parent / "html" / "_static").iterdir()) == []
