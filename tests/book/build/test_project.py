"""The sources of a book: its chapters, their order and data; those that are broken are named."""

import hashlib
import io
import zipfile

import pytest
from one_chapter import HEAD, add, cell, notebook, run

from book.build.project import BookError, zipped

TOC = "format: jb-book\nroot: index\nchapters:\n  - file: part/one\n"

PATTERN = (
    HEAD.replace("CALIB", "{data: [published/absent-*.csv]}") + "# One\n" + cell("1")
)

DECLARED = (
    HEAD.replace("CALIB", "{date: [published/guo2017.csv]}") + "# One\n" + cell("1")
)

BROKEN = [  # a file, what it holds, what is said
    (
        "_config.yml",
        b"title: \xff\n",
        "_config.yml: 'utf-8' codec can't decode byte 0xff",
    ),
    ("_config.yml", b"title: 3\nexecute: {timeout: soon}\n", "_config.yml"),
    ("_toc.yml", b"root: [", "_toc.yml"),
    (
        "_toc.yml",
        TOC.replace("one", "absent").encode(),
        "chapters/part/absent.md does not exist",
    ),
    (
        "_toc.yml",
        (TOC + "  - file: part/one\n").encode(),
        "_toc.yml: document file used multiple times: 'part/one'",
    ),
    ("chapters/orphan.md", b"# Orphan\n", "chapters/orphan.md: not listed in _toc.yml"),
    (
        "chapters/part/one.md",
        b"---\n- a\n---\n# One\n",
        "front matter: expected a mapping",
    ),
    (
        "chapters/part/one.md",
        PATTERN.encode(),
        "no file matches data/published/absent-*.csv",
    ),
    ("chapters/part/one.md", DECLARED.encode(), "unknown keys date"),
    ("chapters/part/one.md", ("# One\n" + cell("1")).encode(), "no kernelspec"),
]


@pytest.mark.parametrize(("name", "content", "message"), BROKEN)
def test_broken_sources_are_named_before_anything_runs(
    project, capsys, name, content, message
):
    (project.root / name).write_bytes(content)
    assert run(project, "build") == 1
    shown = capsys.readouterr()
    assert message in shown.err
    assert "[1/" not in shown.out


def test_a_chapter_has_a_name_code_without_commands_and_the_data_that_it_declares(
    project,
):
    body = cell("%matplotlib inline\na = 1") + cell(
        "!ls\nb = 2", ":tags: [hide-input]\n"
    )
    declared = "{data: [published/guo2017.csv, 'published/guo*.csv']}"
    chapter = notebook(project, body, calib=declared)
    for name in ("part/one", "part/one.md", "chapters/part/one.md"):
        assert project.chapter(name) == chapter
    assert [code.strip() for code in chapter.code()] == ["a = 1", "b = 2"]
    assert chapter.is_notebook and not project.chapter("index").is_notebook
    (path,) = project.data_files(chapter)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert project.data_digests(chapter) == {"published/guo2017.csv": digest}
    assert project.executed(chapter) == project.build / "executed/part/one.ipynb"
    with pytest.raises(BookError, match=r"chapters/part/two\.md: no such chapter"):
        project.chapter("part/two")


def test_chapters_are_listed_in_the_order_of_the_contents(project):
    for name in ("b", "a"):
        add(project, name, "# A page\n")
    contents = "format: jb-book\nroot: index\nchapters:\n"
    order = ["b", "part/one", "a"]
    contents += "".join(f"  - file: {name}\n" for name in order)
    (project.root / "_toc.yml").write_text(contents)
    kept = project.chapters / ".ipynb_checkpoints" / "a-checkpoint.md"
    kept.parent.mkdir()
    kept.write_text("# An older page\n")
    assert [chapter.name for chapter in project.listed()] == ["index", *order]
    names = [chapter.name for chapter in project.on_disk()]
    assert names == ["a", "b", "index", "part/one"]


def test_the_same_files_give_the_same_zip_and_arrays_are_not_packed_twice():
    files = {"a.npz": b"x" * 999, "b.md": b"x" * 999}
    assert zipped(files) == zipped(dict(files))
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as packed:
        assert {name: packed.read(name) for name in packed.namelist()} == files
        sizes = {info.filename: info.compress_size for info in packed.infolist()}
    assert sizes["a.npz"] == 999 > 99 > sizes["b.md"]
