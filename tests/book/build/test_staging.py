"""What Sphinx reads and what the site holds: the files of today, and none of yesterday."""

import base64
import hashlib
import json
import os

import pytest
import yaml
from helpers import ROOT, SITE, site_pages

from book.build.project import Chapter, Project
from book.build.staging import assets_of, mirror, pdf_path, stage, staged_chapter

PICTURE = b"a picture"


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_mirror_holds_its_files_alone(tmp_path):
    mirror({"kept.md": b"one", "part/gone.md": b"two", "part/new.md": b"old"}, tmp_path)
    assert (tmp_path / "part" / "gone.md").is_file()
    now = {"kept.md": b"one", "part/new.md": b"new", "other/deep/added.md": b"three"}
    mirror(now, tmp_path)
    assert files(tmp_path) == now


def test_in_a_mirror_what_is_unchanged_keeps_its_time(tmp_path):
    before = {"same.md": b"one", "other.md": b"two"}
    mirror(before, tmp_path)
    for name in before:
        os.utime(tmp_path / name, (1, 1))
    mirror(before | {"other.md": b"three"}, tmp_path)
    assert (tmp_path / "same.md").stat().st_mtime == 1
    assert (tmp_path / "other.md").stat().st_mtime > 1


def output(**data):
    names = {"png": "image/png", "csv": "text/csv", "svg": "image/svg+xml"}
    return {"data": {names[kind]: content for kind, content in data.items()}}


@pytest.fixture
def project(tmp_path):
    """A book of two pages, of which one is executed, that declares a file."""
    project = Project(tmp_path)
    for folder in (
        "chapters/part",
        "data/results/arena",
        "book",
        "_build/executed/part",
    ):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "chapters" / "index.md").write_text("# Landing\n")
    (tmp_path / "chapters" / "part" / "one.md").write_text("# Source\n")
    (tmp_path / "chapters" / "part" / "picture.svg").write_text("<svg/>")
    (tmp_path / "book" / "references.bib").write_text("@book{a}")
    (tmp_path / "data" / "some.csv").write_text("a\n")
    (tmp_path / "data" / "results" / "arena" / "arena.csv").write_text("map\n")
    (tmp_path / "_config.yml").write_text("title: T\nsphinx: {config: {}}\n")
    return project


def chapters(project, *outputs):
    """The two pages; the outputs are those of the executed one."""
    one = project.chapters / "part" / "one.md"
    matter = {"kernelspec": {}, "calib": {"data": ["some.csv"]}}
    executed = Chapter("part/one", one, matter)
    notebook = {"cells": [{"source": "a"}, {"outputs": [*outputs]}]}
    project.executed(executed).write_text(json.dumps(notebook))
    return [Chapter("index", project.chapters / "index.md", {}), executed]


def test_the_table_of_a_figure_lies_in_a_file_named_after_its_picture(project):
    png = base64.b64encode(PICTURE).decode()
    shown = [
        output(png=png, csv=["x,y\n", "1,2\n"]),
        output(svg="<svg/>", csv="a\n"),
        {},
    ]
    _, executed = chapters(project, *shown)
    staged = staged_chapter(project, executed)
    notebook = json.loads(staged.pop("part/one.ipynb"))
    name = f"assets/figures/{hashlib.sha256(PICTURE).hexdigest()}.csv"
    assert staged == {name: b"x,y\n1,2\n"}
    left = [output(png=png), output(svg="<svg/>"), {}]
    assert notebook["cells"] == [{"source": "a"}, {"outputs": left}]


def test_a_chapter_without_tables_is_staged_as_it_was_executed(project):
    landing, executed = chapters(project, output(svg="<svg/>"))
    source = project.executed(executed).read_bytes()
    assert staged_chapter(project, executed) == {"part/one.ipynb": source}
    assert staged_chapter(project, landing) == {"index.md": b"# Landing\n"}


def test_what_pages_load_and_offer_lies_beside_them(project):
    staged = assets_of(project)
    assert staged["part/picture.svg"] == b"<svg/>" and "part/one.md" not in staged
    assert staged["assets/arena.csv"] == b"map\n"
    assert staged["assets/desk/texts.js"].startswith(b"const TEXTS = {")
    sheet = (ROOT / "book" / "assets" / "widgets.css").read_bytes()
    assert staged["assets/widgets.css"].endswith(sheet)
    assert len(staged["assets/widgets.css"]) > len(sheet)  # the colours before it
    assert "assets/CHANGELOG.md" not in staged
    (project.root / "CHANGELOG.md").write_text("# Changes\n")
    assert assets_of(project)["assets/CHANGELOG.md"] == b"# Changes\n"


@pytest.mark.parametrize("asked", [True, False])
def test_a_printed_book_is_staged_where_it_is_wanted(project, asked, tmp_path):
    pdf_path(project).write_bytes(b"printed")
    folder = tmp_path / "staged"
    stage(project, chapters(project), {"root": "index"}, folder, pdf=asked)
    config = yaml.safe_load((folder / "_config.yml").read_text())
    assert (folder / "book.pdf").is_file() == asked
    assert ("book.pdf" in config["sphinx"]["config"]["html_extra_path"]) == asked
    assert yaml.safe_load((folder / "_toc.yml").read_text()) == {"root": "index"}
    declared = {"some.csv": hashlib.sha256(b"a\n").hexdigest()}
    data = json.loads((folder / "data.json").read_text())
    assert data == {"index": {}, "part/one": declared}
    assert (folder / "assets" / "book.css").is_file()
    for name in ("references.bib", "assets/references.bib"):
        assert (folder / name).read_bytes() == b"@book{a}"


def test_without_a_printed_book_none_is_staged(project, tmp_path):
    stage(project, chapters(project), {}, tmp_path / "staged")
    assert not (tmp_path / "staged" / "book.pdf").exists()


@pytest.mark.slow
def test_the_site_holds_the_changes_of_the_library():
    site_pages()
    changes = (SITE / "_static" / "CHANGELOG.md").read_bytes()
    assert changes == (ROOT / "CHANGELOG.md").read_bytes()
    page = (SITE / "use" / "changes.html").read_text("utf-8")
    assert 'href="../_static/CHANGELOG.md"' in page
